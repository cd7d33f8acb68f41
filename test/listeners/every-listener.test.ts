import { pino } from 'pino';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import {
  isOutdated,
  outdatedFailure,
} from '../../packages/server/src/interfaces/edges/http/errors.ts';
import { createObservability } from '../../packages/server/src/interfaces/edges/http/observability.ts';
import { isStorageAway } from '../../packages/server/src/platform/storage/away.ts';
import { createSqliteDatabase } from '../support/engines.ts';
import { startApp } from '../support/running-app.ts';

const LISTENERS = ['user-api', 'oauth', 'portal', 'gateway'] as const;

test('every listener with an https address tells browsers to keep to it, whatever it answers', async () => {
  const database = await createSqliteDatabase();
  const https = {
    HELIOPORT_USER_API_URL: 'https://api.example.org',
    HELIOPORT_OAUTH_URL: 'https://login.example.org',
    HELIOPORT_PORTAL_URL: 'https://portal.example.org',
    HELIOPORT_GATEWAY_URL: 'https://gateway.example.org',
  };
  for (const settings of [https, {}]) {
    const app = await startApp(database, settings);
    for (const name of LISTENERS)
      for (const path of ['/', '/reference', '/oauth/authorize', '/nothing', '/v1/commands']) {
        const { headers } = await fetch(app.addresses[name] + path, { redirect: 'manual' });
        expect([name, path, headers.get('strict-transport-security')]).toEqual([
          name,
          path,
          settings === https ? 'max-age=31536000' : null,
        ]);
      }
    await app.stop();
  }
  await database.drop();
});

test('a request that fails while a store is away is logged without a stack, any other with one', () => {
  const lines: string[] = [];
  const { failed } = createObservability({
    logger: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
    registry: new Registry(),
    isOutage: isStorageAway,
  });
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const facts = { requestId: '1', listener: 'gateway', operation: 'readings' };
  failed(away, facts);
  failed(new Error('broken'), facts);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('connect ECONNREFUSED');
  expect(lines[0]).not.toContain('stack');
  expect(lines[0]!.length).toBeLessThan(400);
  expect(lines[1]).toContain('stack');
});

test('an outage, and an instance that is too old, are logged once a minute for each cause, with how often', () => {
  const lines: string[] = [];
  let at = 0;
  const { failed } = createObservability({
    logger: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
    registry: new Registry(),
    isOutage: (error) => isStorageAway(error) || isOutdated(error),
    now: () => at,
  });
  const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const facts = { requestId: '1', listener: 'gateway', operation: 'readings' };
  for (let i = 0; i < 14; i++)
    for (const error of [away(), outdatedFailure()]) failed(error, facts);
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line).not.toMatch(/stack|unsaid/);
  at += 60_000;
  for (const error of [away(), outdatedFailure()]) failed(error, facts);
  expect(lines.slice(2).map((line) => JSON.parse(line).unsaid)).toEqual([13, 13]);
  // Faults of ours are all told.
  for (let i = 0; i < 2; i++) failed(new Error('broken'), facts);
  expect(lines).toHaveLength(6);
});
