import type { RequestValues } from '@helioport/reference';
import process from 'node:process';
import { createApp, type AppOptions } from '../../../app.ts';
import { exposures } from '../../../platform/config/exposure.ts';
import type { Config } from '../../../platform/config/load.ts';
import { createLogger } from '../../../platform/kernel/logger.ts';
import { hasPrimary, joinPrimary } from '../../../processes/member.ts';
import type { CliContext, RegisterCommand } from '../context.ts';
import type { DemoCredentials } from '../demo/demo-file.ts';
import { explain } from '../signing/explain.ts';
import { findServiceManager, isManaged } from './systemd.ts';
import { stopSignal } from './stop-signal.ts';
import { isStorageAway } from '../../../platform/storage/away.ts';

/** How long the process may take to exit after everything has been closed. */
const EXIT_LIMIT_MS = 1_000;

/** The demo's application gets its events on this machine. */
const allowingLoopback = (config: Config): Config => ({
  ...config,
  egressAllow: [...config.egressAllow, '127.0.0.1/32'],
});

/** `helioport serve`: runs the parts that HELIOPORT_ROLES names until it is stopped. */
export const registerServe: RegisterCommand = (program, context) => {
  program
    .command('serve')
    .description('run the server')
    .option('--demo', 'fill an empty database with a simulated fleet, and show how to call it')
    .action(({ demo }: { demo?: true }) =>
      hasPrimary() ? serveAsMember(context, demo) : serve(context, demo),
    );
};

async function serve(context: CliContext, demo: true | undefined): Promise<void> {
  const config = configFor(context, demo);
  const logger = loggerFor(context, demo);
  const filled = Promise.withResolvers<DemoCredentials | undefined>();
  const options = {
    config,
    clock: context.clock,
    logger,
    ...(demo && demoFacts(context, filled.promise)),
  };
  const processes =
    config.processes > 1
      ? (await import('../../../processes/primary.ts')).createProcesses(options)
      : undefined;
  if (processes) void filled.promise.then((credentials) => processes.announce(credentials ?? null));
  const app = processes ?? createApp(options);
  const manager = findServiceManager(context.environment, logger);
  const reload = async (): Promise<void> => {
    await manager?.tell('RELOADING=1');
    app.reload();
    await manager?.tell('READY=1');
    logger.info('certificates were read again');
  };
  const stopping = stopSignal(manager && (() => void reload()));
  const addresses = await app.start();
  logger.info({ addresses }, 'started');
  await manager?.tell('READY=1');
  for (const exposure of exposures(config)) logger.warn(exposure);
  const endDemo =
    demo &&
    (await (
      await import('../demo/serve-demo.ts')
    ).serveDemo(context, addresses, stopping, filled.resolve));
  const signal = await stopping;
  logger.info({ signal }, 'stopping');
  await manager?.tell('STOPPING=1');
  await endDemo?.();
  await app.stop();
  logger.info('stopped');
  exitSoon();
}

/** One of several processes: it starts and stops for its primary. */
async function serveAsMember(context: CliContext, demo: true | undefined): Promise<void> {
  const primary = joinPrimary();
  try {
    // Its primary hears of renewed certificates.
    const stopping = stopSignal(isManaged(context.environment) ? () => {} : undefined);
    const filled = primary.announced.then(
      (credentials) => (credentials as DemoCredentials | null) ?? undefined,
    );
    const options = {
      config: configFor(context, demo),
      clock: context.clock,
      logger: loggerFor(context, demo),
      ...(demo && demoFacts(context, filled)),
    };
    const app = createApp({ ...options, siblings: primary });
    primary.onReload(app.reload);
    primary.started(await app.start());
    await Promise.race([stopping, primary.stopping]);
    await app.stop();
  } catch (error) {
    primary.failed(explain(error).message);
    throw error;
  } finally {
    primary.leave();
    exitSoon();
  }
}

const configFor = (context: CliContext, demo: true | undefined): Config =>
  demo ? allowingLoopback(context.config()) : context.config();

/** With the demo, only warnings are logged unless a level was set, so that the log does not clutter the start screen. */
const loggerFor = (context: CliContext, demo: true | undefined) =>
  createLogger(
    demo && !context.given().logLevel ? 'warn' : context.config().logLevel,
    isStorageAway,
  );

/** What the server shows of the demo, once it has been filled. */
const demoFacts = (
  context: CliContext,
  filled: Promise<DemoCredentials | undefined>,
): Pick<AppOptions, 'requestValues' | 'demoOwner'> => ({
  async requestValues(): Promise<RequestValues | undefined> {
    const { demoValues } = await import('../demo/demo-values.ts');
    const credentials = await filled;
    return credentials && demoValues(credentials, context.clock.now());
  },
  demoOwner: async () => (await filled)?.people.find(({ role }) => role === 'owner')?.email,
});

/** The process exits even if connections to a database that hangs would keep it alive. */
const exitSoon = (): void => void setTimeout(() => process.exit(), EXIT_LIMIT_MS).unref();
