import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

/** What a third party's program is answered. */
export interface Third {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
}

/** A program prints the address for the owner, reads where the browser landed, and prints what came of it as JSON. */
export async function converse(
  program: ChildProcessWithoutNullStreams,
  approve: (address: string) => Promise<string>,
): Promise<any> {
  const complaints = text(program.stderr);
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  const address = await lines.next();
  if (!address.done) program.stdin.end(`${await approve(address.value)}\n`);
  const line = await lines.next();
  if (line.done) throw new Error(`the program ended without an answer: ${await complaints}`);
  if (program.exitCode === null) await once(program, 'exit');
  return JSON.parse(line.value);
}
