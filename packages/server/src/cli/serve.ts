import { createApp } from '../app.ts';
import { createLogger } from '../kernel/logger.ts';
import type { Register } from './context.ts';
import { stopSignal } from './stop-signal.ts';

/** `helioport serve`: runs the parts that HELIOPORT_ROLES names until it is told to stop. */
export const registerServe: Register = (program, context) => {
  program
    .command('serve')
    .description('run the server')
    .action(async () => {
      const config = context.config();
      const stopping = stopSignal();
      const logger = createLogger(config.logLevel);
      const app = createApp({ config, clock: context.clock, logger });
      const addresses = await app.start();
      logger.info({ addresses }, 'started');
      const signal = await stopping;
      logger.info({ signal }, 'stopping');
      await app.stop();
    });
};
