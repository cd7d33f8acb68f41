import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp, type Addresses } from '../../packages/server/src/app.ts';
import {
  configFrom,
  readSources,
  type Config,
} from '../../packages/server/src/platform/config/load.ts';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { createLogger } from '../../packages/server/src/platform/kernel/logger.ts';
import {
  createSecretBox,
  type SecretBox,
} from '../../packages/server/src/platform/kernel/secrets.ts';
import type { SeriesOf, TestDatabase } from './engines.ts';
import { FREE_PORTS } from './server-process.ts';
import { isStorageAway } from '../../packages/server/src/platform/storage/away.ts';

/** The whole product in this process, on free ports. */
export interface RunningApp {
  readonly config: Config;
  readonly addresses: Addresses;
  readonly secretBox: SecretBox;
  stop(): Promise<void>;
}

/** Without the worker, unless HELIOPORT_ROLES in `settings` says otherwise; `series`: another engine than the main database. */
export async function startApp(
  database: TestDatabase,
  settings: Record<string, string> = {},
  series?: SeriesOf,
): Promise<RunningApp> {
  const folder = mkdtempSync(join(tmpdir(), 'helioport-server-'));
  const environment = {
    HELIOPORT_DATA_DIR: folder,
    HELIOPORT_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    HELIOPORT_ROLES: 'user-api,oauth,portal,gateway',
    ...FREE_PORTS,
    ...settings,
  };
  const config = configFrom(readSources({ environment, folder }), folder);
  const app = createApp({
    config,
    clock: systemClock,
    logger: createLogger('silent', isStorageAway),
    storage: database,
    ...(series && { series }),
  });
  return {
    config,
    addresses: await app.start(),
    secretBox: createSecretBox(config.masterKey!),
    stop: async () => {
      await app.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
