import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { startApp, type RunningApp } from '../support/running-app.ts';

let database: TestDatabase;
let app: RunningApp;
beforeAll(async () => {
  database = await createSqliteDatabase();
  app = await startApp(database, { HELIOPORT_ROLES: 'user-api,oauth,portal,gateway,worker' });
});
afterAll(async () => {
  await app.stop();
  await database.drop();
});

test('what only grows is a counter and ends in _total; nothing else does', async () => {
  const text = await (await fetch(`${app.addresses['ops']}/metrics`)).text();
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [
    name!,
    type!,
  ]);
  expect(types.length).toBeGreaterThan(20);
  expect(types).toContainEqual(['process_cpu_seconds_total', 'counter']);
  for (const [name, type] of types)
    expect([name, type === 'counter']).toEqual([name, name!.endsWith('_total')]);
  // Once read, it only grows.
  const cpu = (of: string): number => Number(/^process_cpu_seconds_total (\S+)$/m.exec(of)![1]);
  const later = await (await fetch(`${app.addresses['ops']}/metrics`)).text();
  expect(cpu(later)).toBeGreaterThanOrEqual(cpu(text));
});
