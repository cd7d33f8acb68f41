import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** What a source says of one setting. */
export interface Said {
  readonly text?: string;
  /** The file that it named instead. */
  readonly file?: string;
  readonly fault?: string;
}

type Values = Readonly<Record<string, string | undefined>>;

/** The variable that names a file with a secret setting, as Docker, Kubernetes and systemd hand secrets over. */
export const fileNameOf = (name: string): string => `${name}_FILE`;

/** Reads a secret setting, which may be in a file of its own. Faults never quote what is in it. */
export function secretIn(values: Values, name: string, folder: string): Said {
  const text = values[name]?.trim();
  const file = values[fileNameOf(name)]?.trim();
  if (!file) return text ? { text } : {};
  if (text) return { fault: `${name}: is also given as ${fileNameOf(name)}; keep one of them` };
  try {
    const read = readFileSync(resolve(folder, file), 'utf8').trim();
    return read === ''
      ? { fault: `${fileNameOf(name)}: the file ${file} is empty` }
      : { text: read, file };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { fault: `${fileNameOf(name)}: the file ${file} cannot be read (${code})` };
  }
}
