import { createInterface } from 'node:readline/promises';
import { Writable, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CliCommandFault } from './installation/faults.ts';

/** The source of a secret: a terminal, or the output of another program. */
export interface SecretInput {
  readonly stream: Readable & { readonly isTTY?: boolean };
  /** Shows a question at the terminal. */
  ask(question: string): void;
}

/**
 * Reads a password. At a terminal, it is asked for twice and not shown; otherwise it is the whole input, without a line break at the end.
 * Throws CommandFault if the two entries differ or there is no password.
 */
export async function readPassword(input: SecretInput): Promise<string> {
  const password = input.stream.isTTY
    ? await askTwice(input)
    : (await text(input.stream)).replace(/\r?\n$/, '');
  if (password === '') throw new CliCommandFault('no password was given');
  return password;
}

async function askTwice({ stream, ask }: SecretInput): Promise<string> {
  // Discards the echo of the terminal.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stream, output: nowhere, terminal: true });
  const line = async (question: string): Promise<string> => {
    ask(question);
    const answer = await lines.question('');
    ask('\n');
    return answer;
  };
  lines.on('SIGINT', () => lines.close());
  const closed = new Promise<never>((_, reject) =>
    lines.once('close', () => reject(new CliCommandFault('no password was given'))),
  );
  closed.catch(() => {});
  try {
    const first = await Promise.race([line('Password: '), closed]);
    const second = await Promise.race([line('Password again: '), closed]);
    if (first !== second) throw new CliCommandFault('the two passwords differ');
    return first;
  } finally {
    lines.close();
  }
}
