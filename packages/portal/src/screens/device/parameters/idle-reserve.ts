import type { WireData } from '@helioport/contract';

type Setting = WireData<'command/parameters'>[number];

const RESERVE = '157';
const STORAGE_MODE = '636';
const BACKUP = 'backup';

/** The storage mode, if it is known and keeps no charge for backup, so that a change of that charge has no effect; see storage-inverter.yaml. */
export function modeWithoutReserve({ parameter }: Setting, settings: readonly Setting[]): Setting | undefined {
  const mode = parameter === RESERVE ? settings.find((one) => one.parameter === STORAGE_MODE) : undefined;
  const bit = mode?.options?.find(({ name }) => name === BACKUP)?.value;
  return mode?.value !== undefined && bit !== undefined && (Number(mode.value) & Number(bit)) === 0 ? mode : undefined;
}
