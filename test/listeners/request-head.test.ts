import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { startApp, type RunningApp } from '../support/running-app.ts';
import { exchange } from '../user-api/fixture.ts';

/** A request to each door, and one to a path that no listener has. */
const doors = [
  ['user-api', 'POST /v1/api/userStationList'],
  ['oauth', 'GET /oauth/authorize?client_id=x'],
  ['oauth', 'POST /oauth/token'],
  ['oauth', 'POST /api/access_data/userStationList'],
  ['gateway', 'POST /v1/readings'],
  ['gateway', 'GET /nowhere'],
  ['ops', 'GET /metrics'],
] as const;

describe.each(doors)('on the listener %s, %s', (name, line) => {
  let database: TestDatabase;
  let app: RunningApp;
  beforeAll(async () => {
    database = await createSqliteDatabase();
    app = await startApp(database);
  });
  afterAll(async () => {
    await app.stop();
    await database.drop();
  });
  const ask = (...headers: string[]): Promise<string> =>
    exchange(
      Number(new URL(app.addresses[name]!).port),
      [`${line} HTTP/1.1`, 'Connection: close', ...headers, 'Content-Length: 0', '', ''].join(
        '\r\n',
      ),
    );

  test('with two Host headers is refused, the same or another', async () => {
    for (const second of ['localhost', 'elsewhere.example']) {
      const answer = await ask('Host: localhost', `HOST: ${second}`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer.split('\r\n\r\n')[1]).toMatch(
        name === 'oauth' && line.includes('/oauth/')
          ? /invalid_request/
          : /Host was sent more than once/,
      );
    }
  });

  test('with an Expect that nobody meets is refused in words', async () => {
    const answer = await ask('Host: localhost', 'Expect: foo');
    expect(answer).toMatch(/^HTTP\/1\.1 417 /);
    expect(answer.split('\r\n\r\n')[1]).toContain('Expect');
    // What clients with a large body send is understood.
    expect(await ask('Host: localhost', 'Expect: 100-continue')).not.toMatch(/HTTP\/1\.1 417 /);
  });
});

test('a report with two Authorization headers is refused', async () => {
  const database = await createSqliteDatabase();
  const app = await startApp(database);
  const wire = [
    'POST /v1/readings HTTP/1.1',
    'Host: a',
    'Connection: close',
    'Authorization: Bearer a',
    'authorization: Bearer b',
    'Content-Length: 0',
    '',
    '',
  ];
  const answer = await exchange(Number(new URL(app.addresses.gateway!).port), wire.join('\r\n'));
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('Authorization was sent more than once');
  await app.stop();
  await database.drop();
});
