import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** What a settings file says, and which of its lines say nothing. */
export interface SettingsFile {
  readonly values: Readonly<Record<string, string>>;
  readonly faults: readonly string[];
}

/** Reads `NAME=value` lines. `source` names the file in faults, which never repeat what a line holds: it may be a secret. */
export function readSettingsFile(path: string, source: string, required: boolean): SettingsFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { values: {}, faults: !required && code === 'ENOENT' ? [] : [`the settings file ${path} cannot be read (${code})`] };
  }
  const faults = unreadableLines(text).map((line) => `line ${line} (in ${source}): is neither NAME=value nor a # comment`);
  return { values: parseEnv(text) as Record<string, string>, faults };
}

// As the parser reads it: a value in quotes may go over several lines.
const ENTRY = /^[^\S\n]*(?:export[^\S\n]+)?[A-Za-z_][\w.-]*[^\S\n]*=[^\S\n]*(?:"[^"]*"|'[^']*'|`[^`]*`)?[^\n]*$/gm;

/** Lines that the parser passes over without a word, counted from 1. */
function unreadableLines(text: string): number[] {
  const rest = text.replace(ENTRY, (entry) => entry.replace(/[^\n]/g, ''));
  return rest.split('\n').flatMap((line, i) => (/^\s*(#|$)/.test(line) ? [] : [i + 1]));
}
