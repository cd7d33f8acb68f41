import { execFileSync } from 'node:child_process';

/** The environment of a program whose clock is wrong. */
export type FakeClock = Readonly<Record<string, string>>;

/** A clock that is ahead, for programs of the machine (libfaketime); undefined on a machine without it. */
export function clockAhead(seconds: number): FakeClock | undefined {
  try {
    // It knows where its library is.
    const library = execFileSync('faketime', ['-f', '+0s', 'printenv', 'LD_PRELOAD'], {
      encoding: 'utf8',
    }).trim();
    return { LD_PRELOAD: library, FAKETIME: `+${seconds}s` };
  } catch {
    return undefined;
  }
}
