import type { Bytes } from '../columns.ts';

/** Facts about this installation as a whole. */
export interface InstallationTable {
  name: string;
  value: Bytes;
}
