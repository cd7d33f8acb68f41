import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertSession } from '../../packages/server/src/identity/accounts/sessions.ts';
import { createExports } from '../../packages/server/src/data-rights/exports/job.ts';
import { EXPORT, EXPORT_KEPT_MS } from '../../packages/server/src/data-rights/exports/rows.ts';
import { askAs } from '../../packages/server/src/interfaces/operations/as-account.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { createTelemetry } from '../../packages/server/src/measurements/telemetry/create-telemetry.ts';
import { settledReads } from '../../packages/server/src/measurements/ingest/settled-reads.ts';
import { createRunner } from '../../packages/server/src/platform/work/runner.ts';
import { createFleet } from '../operations/fleet.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import {
  createPortalVisitor,
  startPortal,
  type PortalVisitor,
  type TestPortal,
} from '../support/portal.ts';
import { settableClock, userCaller } from '../support/world.ts';

const clock = settableClock('2026-11-06T05:01:09Z');
let database: TestDatabase;
let portal: TestPortal;
const fleet = createFleet(() => database, clock);

beforeAll(async () => {
  database = await createSqliteDatabase();
  portal = await startPortal(database, clock);
});
afterAll(async () => {
  await portal.close();
  await database.drop();
});

async function loggedIn(accountId: string): Promise<PortalVisitor> {
  const id = await fleet.write((trx) =>
    insertSession(trx, fleet.act(), {
      accountId,
      entrance: 'portal',
      freshFor: null,
      userAgent: 'Browser/1.0',
    }),
  );
  const visitor = createPortalVisitor(portal.url);
  visitor.cookies.set('helioport_portal_session', id);
  return visitor;
}

const get = (visitor: PortalVisitor | undefined, path: string, more: Record<string, string> = {}) =>
  fetch(`${portal.url}${path}`, {
    headers: {
      ...(visitor && {
        Cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      }),
      ...more,
    },
  });

test('an export is downloaded by its account alone, once it is ready and while it is kept', async () => {
  const { db } = database;
  const [owner, other] = [await fleet.person(), await fleet.person()];
  await fleet.plant(owner.id, { name: 'Meadow Lane 4' });
  const [mine, foreign] = [await loggedIn(owner.id), await loggedIn(other.id)];
  const { id } = await fleet.ask('export/start', userCaller(owner.id));
  const path = `/portal/exports/${id}`;
  expect((await get(mine, path)).status).toBe(404);
  const telemetry = createTelemetry(settledReads(db, createSqlSeries(db)));
  const lane = createExports({
    db,
    clock,
    ids: fleet.newId,
    telemetry,
    askAs: askAs(fleet.handlers()),
  });
  await createRunner({
    db,
    clock,
    logger: { error: () => {}, warn: () => {} },
    lanes: { [EXPORT]: { runsAtOnce: 1, limitSeconds: 60, ...lane } },
  }).runDue();

  const answer = await get(mine, path);
  expect([
    answer.status,
    answer.headers.get('content-type'),
    answer.headers.get('content-disposition'),
    answer.headers.get('cache-control'),
  ]).toEqual([
    200,
    'application/zip',
    'attachment; filename="helioport-2026-11-06.zip"',
    'no-store',
  ]);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.length).toBe(Number(answer.headers.get('content-length')));
  expect([bytes.subarray(0, 2).toString(), bytes.includes('plants.json')]).toEqual(['PK', true]);
  expect(
    await db
      .selectFrom('auditEvent')
      .select(['actor', 'address'])
      .where('kind', '=', 'export.downloaded')
      .execute(),
  ).toEqual([{ actor: `account:${owner.id}`, address: '127.0.0.1' }]);

  // Downloads that are broken off at any moment keep no place: there are four at once.
  const cookie = [...mine.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const request = [`GET ${path} HTTP/1.1`, 'Host: localhost', `Cookie: ${cookie}`, '\r\n'];
  for (let i = 0; i < 60; i++) {
    const socket = connect(Number(new URL(portal.url).port), '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    await new Promise<void>((resolve) => void socket.write(request.join('\r\n'), () => resolve()));
    if (i % 2 === 0) await once(socket, 'data');
    socket.destroy();
  }
  await expect.poll(async () => (await get(mine, path)).status).toBe(200);
  const together = await Promise.all(Array.from({ length: 4 }, () => get(mine, path)));
  expect(together.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  for (const one of together) await one.arrayBuffer();

  expect((await get(foreign, path)).status).toBe(404);
  expect((await get(undefined, path)).status).toBe(401);
  expect(
    (await get(mine, path, { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors' })).status,
  ).toBe(403);
  for (const odd of [
    '/portal/exports/',
    '/portal/exports/0',
    '/portal/exports/..%2f',
    `/portal/exports/${id}/x`,
  ])
    expect([odd, (await get(mine, odd)).status]).toEqual([odd, 404]);
  clock.at += EXPORT_KEPT_MS;
  const later = await loggedIn(owner.id);
  expect((await get(later, path)).status).toBe(404);
});
