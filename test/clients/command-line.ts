import { onTestFinished } from 'vitest';
import { createInstallation, type Outcome } from '../support/command.ts';

/** Runs a command line on an installation that goes away with the test. */
export async function helioport(
  args: readonly string[],
  environment: Record<string, string> = {},
  now?: number,
): Promise<Outcome> {
  const installation = createInstallation(
    environment,
    now === undefined ? undefined : { now: () => now },
  );
  onTestFinished(installation.remove);
  return installation.helioport(...args);
}
