import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { run } from '../../packages/server/src/cli/main.ts';

export interface CommandResult {
  exitCode: number;
  output: string;
  notes: string;
}

/** A folder that goes away with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'helioport-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a command line in this process, with settings of its own. */
export async function helioport(args: readonly string[], environment: Record<string, string> = {}, now?: number): Promise<CommandResult> {
  const folder = environment['HELIOPORT_DATA_DIR'] ?? temporaryFolder();
  const output: string[] = [];
  const notes: string[] = [];
  const exitCode = await run(args, {
    environment: { HELIOPORT_DATA_DIR: folder, ...environment },
    folder,
    write: (text) => void output.push(text),
    writeNote: (text) => void notes.push(text),
    ...(now !== undefined && { clock: { now: () => now } }),
  });
  return { exitCode, output: output.join('\n'), notes: notes.join('\n') };
}
