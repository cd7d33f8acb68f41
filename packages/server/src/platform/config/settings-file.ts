import { parseEnv } from 'node:util';
import { readNamedText } from '../kernel/files/read-file.ts';

/** The values in a settings file, and a fault for each line that cannot be read. */
export interface SettingsFile {
  readonly values: Readonly<Record<string, string>>;
  readonly faults: readonly string[];
}

/** Reads lines of the form `NAME=value`. Faults call the file `source`, and never quote a line, since it may hold a secret. */
export function readSettingsFile(path: string, source: string, required: boolean): SettingsFile {
  let text: string;
  try {
    text = readNamedText(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return {
      values: {},
      faults:
        !required && code === 'ENOENT'
          ? []
          : [`the settings file ${path} cannot be read (${code})`],
    };
  }
  const faults = unreadableLines(text).map(
    (line) => `line ${line} (in ${source}): is neither NAME=value nor a # comment`,
  );
  return { values: parseEnv(text) as Record<string, string>, faults };
}

// One entry as Node's parser reads it: a quoted value may span several lines.
const ENTRY =
  /^[^\S\r\n]*(?:export[^\S\n]+)?[A-Za-z_][\w.-]*[^\S\n]*=[^\S\n]*(?:"[^"]*"|'[^']*'|`[^`]*`)?[^\n]*$/gm;

/** Numbers of the lines that the parser silently skips, counted from 1. */
function unreadableLines(text: string): number[] {
  const rest = text.replace(ENTRY, (entry) => entry.replace(/[^\n]/g, ''));
  return rest.split('\n').flatMap((line, i) => (/^\s*(#|$)/.test(line) ? [] : [i + 1]));
}
