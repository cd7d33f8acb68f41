import { readFileSync } from 'node:fs';
import { getAccountByEmail } from '../../../identity/accounts/accounts.ts';
import type { Act } from '../../../identity/accounts/audit.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { transactionsOf } from '../../../platform/storage/transactions/transact.ts';
import { timerPause } from '@helioport/sdk';
import { InvalidArgumentError } from 'commander';
import { readNamedText } from '../../../platform/kernel/files/read-file.ts';
import { HistoryDoubts } from '../../../measurements/ingest/history/account.ts';
import {
  importHistory,
  type HistoryProgress,
  type HistoryResult,
} from '../../../measurements/ingest/history/import-history.ts';
import {
  planHistory,
  recordImport,
  type HistoryPlan,
} from '../../../measurements/ingest/history/plan.ts';
import { haveSeveralOwners } from '../../../fleet/plants/owners.ts';
import { createIngest } from '../../../measurements/ingest/ingest.ts';
import { setting, type Key } from '../accounts/key-options.ts';
import type { CliContext, RegisterCommand } from '../context.ts';
import { spanOf, sparseNotes } from '../installation/copy-progress.ts';
import { CliCommandFault, CliUsageFault } from '../installation/faults.ts';
import { stopSignal } from '../installation/stop-signal.ts';
import { numeric } from '../operator.ts';
import { httpAddress } from '../signing/request-arguments.ts';
import { planText, planValue, requestsOf } from './plan-text.ts';
import { createSignedAccount, GOES_ON } from './signed-account.ts';

interface Options {
  from: string;
  keyId?: string;
  keySecretFile?: string;
  plant?: string;
  owner?: string;
  perSecond: number;
  anyZone?: true;
  withoutCurves?: true;
  dryRun?: true;
}

/** Below the two a second that the best known service allows. */
const PER_SECOND = 1.7;
const PER_SECOND_AT_MOST = 100;

/** `helioport history`: the past of plants at another service with the same interface. */
export const registerHistory: RegisterCommand = (program, context) => {
  program
    .command('history')
    .description('take over the past of plants from another service')
    .command('import')
    .description(
      'import the energies of days and the curves of devices from an account at SolisCloud or another Helioport; done again, it goes on where it ended',
    )
    .requiredOption(
      '--from <url>',
      'address of the service, such as https://www.soliscloud.com:13333',
    )
    .option('--key-id <id>', 'KeyID of the account there; default: HELIOPORT_KEY_ID')
    .option(
      '--key-secret-file <file>',
      'file with the KeySecret, or - for standard input; default: HELIOPORT_KEY_SECRET',
    )
    .option('--plant <id>', 'only devices of this plant here')
    .option(
      '--owner <email>',
      'only devices in plants of this account here; this or --plant, if there are plants of several accounts',
    )
    .option('--per-second <requests>', 'requests a second at most', perSecond, PER_SECOND)
    .option('--any-zone', 'take days there for days here, even if the zones of the plants differ')
    .option('--without-curves', 'import the energies of days alone')
    .option('--dry-run', 'show which device is which, and store nothing')
    .action((options: Options) => importFrom(context, options));
};

function perSecond(text: string): number {
  const value = numeric(text);
  if (value > 0 && value <= PER_SECOND_AT_MOST) return value;
  throw new InvalidArgumentError(`expected a number up to ${PER_SECOND_AT_MOST}.`);
}

async function importFrom(context: CliContext, options: Options): Promise<void> {
  const baseUrl = httpAddress(options.from, '--from');
  const key = keyOf(context, options);
  const { db } = await context.storage();
  const [series, { clock }] = [await context.series(), context];
  const stop = new AbortController();
  void stopSignal().then((signal) => stop.abort(new CliCommandFault(`${signal}: ${GOES_ON}`)));
  const account = createSignedAccount({
    baseUrl,
    ...key,
    perSecond: options.perSecond,
    clock,
    pause: timerPause,
    signal: stop.signal,
    note: context.note,
  });
  const { plant: plantId, owner, anyZone, withoutCurves, dryRun } = options;
  const ownerId = await whoseDevices(db, plantId, owner);
  const [doubts, now] = [new HistoryDoubts(), clock.now()];
  const plan = await planHistory({ account, db, series, now, doubts, plantId, ownerId, anyZone });
  const requests = requestsOf(plan, now);
  const text = `${planText(plan)}\n${estimate(requests, options.perSecond)}`;
  if (dryRun) return context.print({ ...planValue(plan), requests }, text);
  context.note(text);
  const devices = plan.devices.flatMap(({ device }) => device ?? []);
  if (devices.length === 0) throw new CliCommandFault('no device is there and here');
  const act: Act = { at: now, actor: 'operator', address: null, newId: context.ids };
  await transactionsOf(db)((trx) => recordImport(trx, act, plan, new URL(baseUrl).origin));
  const { deviceDayReadings: dayReadings } = context.config();
  const ingest = createIngest({ db, clock, series, dayReadings });
  const result = await importHistory({ account, db, series, ingest, clock, doubts }, devices, {
    energiesOnly: withoutCurves,
    onProgress: progressNotes(context.note),
  });
  report(context, plan, result, doubts);
}

/**
 * Whose devices are looked for. Who has the account there says which serial numbers it has: it must not write the past of anybody else’s. Throws
 * CliUsageFault, accountUnknown.
 */
async function whoseDevices(
  db: Db,
  plantId: string | undefined,
  owner: string | undefined,
): Promise<string | undefined> {
  if (owner !== undefined) return (await getAccountByEmail(db, owner)).id;
  if (plantId !== undefined) return undefined;
  if (await haveSeveralOwners(db))
    throw new CliUsageFault(
      'there are plants of several accounts here: say whose past this is with --owner EMAIL, or --plant ID',
    );
  return undefined;
}

const estimate = (requests: number, rate: number): string =>
  `some ${requests} requests, which take ${spanOf(requests / rate)} if the service does not limit them by day`;

/** The key pair. The secret is never an argument: other users of the machine could see it. Throws CliUsageFault. */
function keyOf(context: CliContext, options: Options): Key {
  const keyId = options.keyId ?? setting(context, 'HELIOPORT_KEY_ID');
  const keySecret = secretOf(options, context.path) ?? setting(context, 'HELIOPORT_KEY_SECRET');
  if (!keyId) throw new CliUsageFault('say which key with --key-id or HELIOPORT_KEY_ID');
  if (!keySecret)
    throw new CliUsageFault('give the KeySecret with --key-secret-file or HELIOPORT_KEY_SECRET');
  return { keyId, keySecret };
}

function secretOf({ keySecretFile: file }: Options, path: CliContext['path']): string | undefined {
  if (file === undefined) return undefined;
  try {
    return (file === '-' ? readFileSync(0, 'utf8') : readNamedText(path(file))).trim();
  } catch (error) {
    throw new CliCommandFault(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function progressNotes(note: (text: string) => void): (progress: HistoryProgress) => void {
  const noteSparsely = sparseNotes(note);
  return (progress) => {
    if (progress.left > 0) noteSparsely(() => progressText(progress));
  };
}

function progressText({ what, left, leftMs }: HistoryProgress): string {
  const rest = leftMs === undefined ? '' : `, about ${spanOf(leftMs / 1000)}`;
  return what === 'energies'
    ? `energies of days: ${left} months of this device left${rest}`
    : `curves: ${left} days left${rest}`;
}

function report(
  context: CliContext,
  plan: HistoryPlan,
  result: HistoryResult,
  doubts: HistoryDoubts,
): void {
  const { devices, days, curves, refused } = result;
  for (const { sn, reason } of refused)
    context.note(`${sn} was not imported to its end: ${reason}`);
  const doubted = doubts.list();
  for (const { text, count } of doubted)
    context.note(count === 1 ? text : `${text} (${count} times)`);
  if (refused.length > 0) context.fail();
  context.print(
    { ...planValue(plan), imported: result, doubts: doubted },
    `${devices} devices: ${days} days imported, ${curves} of them with curves`,
  );
}
