import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { findDemo } from '../demo/demo-file.ts';
import { CliUsageFault } from '../installation/faults.ts';

export interface KeyOptions {
  keyId?: string;
  keySecret?: string;
}

export interface Key {
  readonly keyId: string;
  readonly keySecret: string;
}

const SECRET_HELP =
  'KeySecret, or - to read it from standard input; default: HELIOPORT_KEY_SECRET, else the demo’s';

/** The options of commands that sign. */
export const withKeyOptions = (command: Command): Command =>
  command
    .option('--key-id <id>', 'KeyID; default: HELIOPORT_KEY_ID, else the demo’s')
    .option('--key-secret <secret>', SECRET_HELP);

/** The key pair to sign with: from the options, else from the environment, else that of the data folder's demo. Throws UsageFault. */
export function keyOf(options: KeyOptions, context: CliContext): Key {
  const keyId = options.keyId ?? setting(context, 'HELIOPORT_KEY_ID');
  const keySecret = secretOf(options, context);
  if (keyId !== undefined && keySecret !== undefined) return { keyId, keySecret };
  const demo = findDemo(context.config());
  // The demo's KeySecret is of no use with another KeyID.
  if (demo && keySecret === undefined && (keyId === undefined || keyId === demo.keyId))
    return { keyId: demo.keyId, keySecret: demo.keySecret };
  const missing =
    keyId === undefined ? '--key-id or HELIOPORT_KEY_ID' : '--key-secret or HELIOPORT_KEY_SECRET';
  throw new CliUsageFault(`there is no key pair to sign with: give ${missing}`);
}

/** The KeySecret that was given; undefined if none was. */
export function secretOf({ keySecret }: KeyOptions, context: CliContext): string | undefined {
  return keySecret === '-'
    ? readFileSync(0, 'utf8').replace(/\r?\n$/, '')
    : (keySecret ?? setting(context, 'HELIOPORT_KEY_SECRET'));
}

/** An environment variable; as in every setting, a blank value counts as not set. */
export const setting = ({ environment }: CliContext, name: string): string | undefined =>
  environment[name]?.trim() || undefined;
