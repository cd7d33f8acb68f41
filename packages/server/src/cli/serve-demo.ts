import { configFrom } from '../config/load.ts';
import type { Addresses } from '../app.ts';
import type { CliContext } from './context.ts';
import { findDemo, saveDemo, type DemoCredentials } from './demo-file.ts';
import { startScreen } from './start-screen.ts';

/**
 * Fills an empty database, shows the start screen, and lets the demo's plants report.
 * @returns ends the reporting
 */
export async function serveDemo(context: CliContext, addresses: Addresses): Promise<() => Promise<void>> {
  const demo = await demoOf(context);
  const { dataDir } = context.config();
  const screen = startScreen({ addresses, dataDir, demo, usual: usualSettings(context) });
  context.print({ addresses, keyId: demo?.keyId, keySecret: demo?.keySecret }, `\n${screen}\n`);
  if (!demo || addresses.gateway === undefined) return async () => {};

  const { runDemo } = await import('./demo-run.ts');
  const stop = new AbortController();
  const ended = runDemo({ config: context.config(), gatewayUrl: addresses.gateway, credentials: demo, signal: stop.signal, note: context.note });
  return () => {
    stop.abort();
    return ended;
  };
}

/** The demo of this installation; undefined when its database was filled by somebody else. */
async function demoOf(context: CliContext): Promise<DemoCredentials | undefined> {
  const { db } = await context.storage();
  const account = await db.selectFrom('account').select('id').limit(1).executeTakeFirst();
  if (account) return findDemo(context.config());
  const { seedDemo } = await import('./demo.ts');
  const { clock, ids } = context;
  const demo = await seedDemo({ db, clock, ids, secretBox: await context.secretBox(), config: context.config() });
  saveDemo(context.config(), demo);
  return demo;
}

/** What a command in another terminal finds without being told: only what files say, not this process's environment. */
function usualSettings(context: CliContext): { dataDir: string; userApiUrl: string } {
  const given = Object.fromEntries(Object.entries(context.given()).filter(([, { source }]) => source === '.env'));
  return configFrom(given, context.path('.'));
}
