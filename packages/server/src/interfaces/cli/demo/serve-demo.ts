import { configFrom } from '../../../platform/config/load.ts';
import type { Addresses } from '../../../app.ts';
import { appointFleet } from '../../../outbound/alarms/due-devices.ts';
import type { CliContext } from '../context.ts';
import { findDemo, saveDemo, type DemoCredentials } from './demo-file.ts';
import type { DemoReceiver } from './demo-receiver.ts';
import type { DemoAddresses } from './demo-report.ts';
import { startScreen } from './start-screen.ts';

/** The longest time that the start screen waits for the history. */
const HISTORY_LIMIT_MS = 60_000;

/**
 * Fills an empty database, starts the reports of the demo's plants, and shows the start screen when their history is complete. Then the demo's
 * application begins its work.
 * @param stopping resolves when the server is stopping, so that there is no need to wait for the history
 * @param onFilled is called with the demo as soon as its plants exist; with undefined if the database has other users
 * @returns a function that ends the reports and the application
 */
export async function serveDemo(
  context: CliContext,
  addresses: Addresses,
  stopping: Promise<unknown>,
  onFilled: (demo: DemoCredentials | undefined) => void,
): Promise<() => Promise<void>> {
  const demo = await demoOf(context);
  onFilled(demo);
  const endReports =
    demo && addresses.gateway !== undefined
      ? await report(context, demo, reportedTo(addresses, addresses.gateway), stopping)
      : async () => {};
  const { receiver, end: endApplication } = await beginApplication(context, demo, addresses.oauth);
  const { dataDir } = context.config();
  const screen = startScreen({
    addresses,
    eventsUrl: receiver?.url,
    dataDir,
    demo,
    usual: usualSettings(context),
  });
  context.print({ addresses, keyId: demo?.keyId, keySecret: demo?.keySecret }, `\n${screen}\n`);
  return async () => void (await Promise.all([endReports(), endApplication()]));
}

const reportedTo = ({ mqtt }: Addresses, gatewayUrl: string): DemoAddresses => ({
  gatewayUrl,
  brokerUrl: mqtt?.startsWith('mqtt:') ? mqtt : undefined,
});

async function report(
  context: CliContext,
  demo: DemoCredentials,
  to: DemoAddresses,
  stopping: Promise<unknown>,
): Promise<() => Promise<void>> {
  const { runDemo } = await import('./demo-run.ts');
  const stop = new AbortController();
  const { promise: history, resolve: onHistory } = Promise.withResolvers<void>();
  const ended = runDemo({
    config: context.config(),
    ...to,
    credentials: demo,
    signal: stop.signal,
    note: context.note,
    onHistory,
  });
  if (demo.reportedUntilAt === null) {
    context.note('demo: reporting the last 30 days of each plant');
    const limit = setTimeout(onHistory, HISTORY_LIMIT_MS);
    await Promise.race([history, stopping]);
    clearTimeout(limit);
    await lookAtHistory(context);
  }
  return () => {
    stop.abort();
    return ended;
  };
}

/** Has alarms raised at once, rather than when the devices should have reported again. */
async function lookAtHistory({ storage, clock }: CliContext): Promise<void> {
  const { db } = await storage();
  await appointFleet(db, clock.now());
}

/** Has the demo's application begin, if there is one. */
async function beginApplication(
  context: CliContext,
  demo: DemoCredentials | undefined,
  oauthUrl: string | undefined,
): Promise<{ receiver?: DemoReceiver; end(): Promise<void> }> {
  const credentials = demo?.application;
  if (!credentials || oauthUrl === undefined) return { end: async () => {} };
  const [{ consentToDemo }, { runDemoApplication }, { startDemoReceiver }] = await Promise.all([
    import('./demo-consent.ts'),
    import('./demo-application.ts'),
    import('./demo-receiver.ts'),
  ]);
  const receiver = await startDemoReceiver();
  const stop = new AbortController();
  const { clock, ids } = context;

  async function act(): Promise<void> {
    const { db } = await context.storage();
    const code = await consentToDemo({ db, clock, ids }, demo!);
    if (code !== undefined)
      await runDemoApplication({
        oauthUrl: oauthUrl!,
        ...credentials!,
        code,
        clock,
        receiver,
        signal: stop.signal,
      });
  }

  const ended = act().catch((error: Error) =>
    context.note(`demo: its application stopped: ${error.message}`),
  );
  return {
    receiver,
    end() {
      stop.abort();
      receiver.close();
      return ended;
    },
  };
}

/** The demo of this installation, created in an empty database; undefined if the database has users but no demo. */
async function demoOf(context: CliContext): Promise<DemoCredentials | undefined> {
  const operator = await context.operator();
  const isEmpty = (await operator.call('user/list', {})).length === 0;
  const known = isEmpty ? undefined : findDemo(context.config());
  if (!isEmpty && (!known || known.application)) return known;
  const { seedDemo, registerApplication } = await import('./demo.ts');
  const demo = known
    ? { ...known, application: await registerApplication(operator) }
    : await seedDemo(operator, context.clock.now());
  saveDemo(context.config(), demo);
  return demo;
}

/** The settings that a command in another terminal uses by default: those from `.env`, not from this process's environment. */
function usualSettings(context: CliContext): { dataDir: string; userApiUrl: string } {
  const given = Object.fromEntries(
    Object.entries(context.given()).filter(([, { source }]) => source === '.env'),
  );
  return configFrom({ given, files: { settings: [], secrets: [] }, faults: [] }, context.path('.'));
}
