import { createCollector, openLink } from '@helioport/collector';
import { createPlant, readingsOf } from '@helioport/simulator';
import { seedDemo } from '../../packages/server/src/interfaces/cli/demo/demo.ts';
import type { DemoCredentials } from '../../packages/server/src/interfaces/cli/demo/demo-file.ts';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { createIdSource } from '../../packages/server/src/platform/kernel/ids.ts';
import type { TestDatabase } from '../support/engines.ts';
import { startApp } from '../support/running-app.ts';
import { createOperatorDoor } from '../../packages/server/src/interfaces/operations/operator-door.ts';
import { operationSources } from '../support/operations.ts';

/** The whole product on free ports, with the demo's people and plants; they have reported the last hour. */
export interface RunningServer {
  readonly baseUrl: string;
  readonly oauthUrl: string;
  readonly gatewayUrl: string;
  readonly brokerUrl: string;
  readonly demo: DemoCredentials;
  stop(): Promise<void>;
}

const HOUR_MS = 3_600_000;

export async function startServer(
  database: TestDatabase,
  settings: Record<string, string> = {},
): Promise<RunningServer> {
  const app = await startApp(database, settings);
  const { addresses, config, secretBox } = app;
  const { db } = database;
  const credentials = {
    secretBox: async () => secretBox,
    legacyLogin: config.legacyLogin,
    defaultTimeZone: 'UTC',
  };
  const operator = createOperatorDoor(
    operationSources(db, systemClock, createIdSource(systemClock), { credentials }),
  );
  const demo = await seedDemo(operator, systemClock.now());
  const gatewayUrl = addresses.gateway!;
  for (const { specification, token } of demo.plants) {
    const now = systemClock.now();
    const states = [...createPlant(specification, now - HOUR_MS).advance(now)];
    const collector = createCollector({ link: openLink({ url: gatewayUrl, token }) });
    await collector.deliver({
      readings: states.flatMap((state) => readingsOf(specification, state)),
    });
    await collector.close();
  }
  return {
    baseUrl: addresses['user-api']!,
    oauthUrl: addresses.oauth!,
    gatewayUrl,
    brokerUrl: addresses.mqtt!,
    demo,
    stop: app.stop,
  };
}
