import type { RequestValues } from '@helioport/reference';
import process from 'node:process';
import { createApp } from '../../app.ts';
import type { Config } from '../../config/load.ts';
import { createLogger } from '../../kernel/logger.ts';
import type { Register } from '../context.ts';
import type { DemoCredentials } from '../demo/demo-file.ts';
import { stopSignal } from './stop-signal.ts';

/** How long the process may take to exit after everything has been closed. */
const EXIT_LIMIT_MS = 1_000;

/** The demo's application gets its events on this machine. */
const allowingLoopback = (config: Config): Config => ({ ...config, egressAllow: [...config.egressAllow, '127.0.0.1/32'] });

/** `helioport serve`: runs the parts that HELIOPORT_ROLES names until it is told to stop. */
export const registerServe: Register = (program, context) => {
  program
    .command('serve')
    .description('run the server')
    .option('--demo', 'fill an empty database with a simulated fleet, and show how to call it')
    .action(async ({ demo }: { demo?: true }) => {
      const config = demo ? allowingLoopback(context.config()) : context.config();
      const stopping = stopSignal();
      // With the demo, only warnings are logged unless a level was set, so that the log does not clutter the start screen.
      const logger = createLogger(demo && !context.given().logLevel ? 'warn' : config.logLevel);
      const filled = Promise.withResolvers<DemoCredentials | undefined>();
      const requestValues = async (): Promise<RequestValues | undefined> => {
        const { demoValues } = await import('../demo/demo-values.ts');
        const credentials = await filled.promise;
        return credentials && demoValues(credentials, context.clock.now());
      };
      const demoOwner = async (): Promise<string | undefined> => (await filled.promise)?.people.find(({ role }) => role === 'owner')?.email;
      const app = createApp({ config, clock: context.clock, logger, requestValues: demo && requestValues, demoOwner: demo && demoOwner });
      const addresses = await app.start();
      logger.info({ addresses }, 'started');
      const endDemo = demo && (await (await import('../demo/serve-demo.ts')).serveDemo(context, addresses, stopping, filled.resolve));
      const signal = await stopping;
      logger.info({ signal }, 'stopping');
      await endDemo?.();
      await app.stop();
      logger.info('stopped');
      // The process exits even if connections to a database that hangs would keep it alive.
      setTimeout(() => process.exit(), EXIT_LIMIT_MS).unref();
    });
};
