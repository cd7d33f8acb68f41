import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCollector, createPlant, readingsOf } from '@helioport/simulator';
import { createApp } from '../../packages/server/src/app.ts';
import { seedDemo } from '../../packages/server/src/cli/demo/demo.ts';
import type { DemoCredentials } from '../../packages/server/src/cli/demo/demo-file.ts';
import { configFrom, readSources } from '../../packages/server/src/config/load.ts';
import { systemClock } from '../../packages/server/src/kernel/clock.ts';
import { createIdSource } from '../../packages/server/src/kernel/ids.ts';
import { createLogger } from '../../packages/server/src/kernel/logger.ts';
import { createSecretBox } from '../../packages/server/src/kernel/secrets.ts';
import type { TestDatabase } from '../support/engines.ts';
import { FREE_PORTS } from '../support/server-process.ts';

/** The whole product on free ports, with the demo's people and plants; they have reported the last hour. */
export interface RunningServer {
  readonly baseUrl: string;
  readonly oauthUrl: string;
  readonly gatewayUrl: string;
  readonly demo: DemoCredentials;
  stop(): Promise<void>;
}

const HOUR_MS = 3_600_000;

export async function startServer(database: TestDatabase, settings: Record<string, string> = {}): Promise<RunningServer> {
  const folder = mkdtempSync(join(tmpdir(), 'helioport-server-'));
  const environment = {
    HELIOPORT_DATA_DIR: folder,
    HELIOPORT_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    HELIOPORT_ROLES: 'user-api,oauth,gateway',
    ...FREE_PORTS,
    ...settings,
  };
  const config = configFrom(readSources({ environment, folder }), folder);
  const app = createApp({ config, clock: systemClock, logger: createLogger('silent'), storage: database });
  const addresses = await app.start();
  const secretBox = createSecretBox(config.masterKey!);
  const demo = await seedDemo({ db: database.db, clock: systemClock, ids: createIdSource(systemClock), secretBox, config });
  const gatewayUrl = addresses.gateway!;
  for (const { specification, token } of demo.plants) {
    const now = systemClock.now();
    const states = [...createPlant(specification, now - HOUR_MS).advance(now)];
    await createCollector({ gatewayUrl, token }).report(states.flatMap((state) => readingsOf(specification, state)));
  }
  return {
    baseUrl: addresses['user-api']!,
    oauthUrl: addresses.oauth!,
    gatewayUrl,
    demo,
    stop: async () => {
      await app.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
