import { Unreadable } from './unreadable.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  f: '\f',
  v: '\v',
  '0': '\0',
};

/** How a shell quotes. */
interface Shell {
  /** What takes the next character as it is, outside quotes. */
  readonly escape: string;
  readonly quotes: string;
  /** Within double quotes: what takes one of the characters beside it as it is. */
  readonly inner: readonly [escape: string, characters: string];
}

const SHELLS = {
  posix: { escape: '\\', quotes: `'"`, inner: ['\\', '"\\$`\n'] },
  // Carets are taken out before; the programs themselves take quotes out, by the rules of Windows.
  cmd: { escape: '', quotes: '"', inner: ['\\', '"'] },
  powershell: { escape: '`', quotes: `'"`, inner: ['`', '"`$'] },
} satisfies Record<string, Shell>;

type ShellName = keyof typeof SHELLS;

/** The shell that a command was written for, by how its lines go on and how it quotes. */
export function shellOf(command: string): ShellName {
  if (/\^\s*\r?\n|\^"/.test(command)) return 'cmd';
  if (/`\s*\r?\n|`"/.test(command) || /^\s*curl\.exe\b/.test(command)) return 'powershell';
  return /'/.test(command) || !/\\"/.test(command) || /\\\r?\n/.test(command) ? 'posix' : 'cmd';
}

/** Where quotation marks have carets, all of the line has; elsewhere, carets only carry lines on. */
const withoutCarets = (line: string): string => {
  const joined = line.replace(/\^[ \t]*\r?\n/g, '');
  return joined.includes('^"') ? joined.replace(/\^(.)/gs, '$1') : joined;
};

/** The words of a command line, unquoted. Throws Unreadable if a quotation mark is not closed. */
export function shellWords(line: string, name: ShellName = shellOf(line)): string[] {
  const { escape, quotes, inner }: Shell = SHELLS[name];
  const command = name === 'cmd' ? withoutCarets(line) : line;
  const words: string[] = [];
  let word: string | undefined;
  let i = 0;
  const add = (text: string): void => void (word = (word ?? '') + text);
  const quoted = (mark: string): void => {
    const isAnsi = mark === "$'";
    const close = mark.at(-1)!;
    for (i += mark.length; ; i++) {
      const one = command[i];
      if (one === undefined) throw new Unreadable('quoteOpen');
      if (one === close) {
        // PowerShell and cmd write a quotation mark within quotes twice.
        if (name === 'posix' || command[i + 1] !== close) return void i++;
        add(close);
        i++;
      } else if (isAnsi && one === '\\') add(ansiEscape());
      else if (
        close === '"' &&
        one === inner[0] &&
        command[i + 1] !== undefined &&
        inner[1].includes(command[i + 1]!)
      ) {
        i++;
        if (command[i] !== '\n') add(command[i]!);
      } else add(one);
    }
  };
  const ansiEscape = (): string => {
    const code = /^\\(?:u([0-9a-fA-F]{1,4})|x([0-9a-fA-F]{1,2}))/.exec(command.slice(i, i + 6));
    if (code) {
      i += code[0].length - 1;
      return String.fromCharCode(parseInt((code[1] ?? code[2])!, 16));
    }
    const letter = command[++i] ?? '';
    return ESCAPES[letter] ?? letter;
  };
  while (i < command.length) {
    const one = command[i]!;
    if (/\s/.test(one) && one !== '\u00a0' && one !== '\ufeff') {
      if (word !== undefined) words.push(word);
      word = undefined;
      i++;
    } else if (one === escape) {
      const next = command.slice(i + 1).match(/^[ \t]*\r?\n/)?.[0];
      if (next === undefined) add(command[i + 1] ?? '');
      i += next === undefined ? 2 : 1 + next.length;
    } else if (name === 'posix' && command.startsWith("$'", i)) {
      add('');
      quoted("$'");
    } else if (quotes.includes(one)) {
      add('');
      quoted(one);
    } else {
      add(one);
      i++;
    }
  }
  if (word !== undefined) words.push(word);
  return words;
}
