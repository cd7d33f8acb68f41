import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { createReportingWorld } from '../telemetry/installation.ts';
import { openGateway } from './gateway-fixture.ts';

describe('a full disk', () => {
  let database: TestDatabase;
  const world = createReportingWorld(() => database);

  beforeAll(async () => {
    database = await createSqliteDatabase();
  });
  afterAll(() => database.drop());

  const limitPages = (pages: number) =>
    sql.raw(`pragma max_page_count = ${pages}`).execute(database.db);

  test('answers 503 with nothing half stored, and works again when there is room', async () => {
    const device = await world.install();
    const { server } = await openGateway(database.db, world.parts().ingest);
    const at = Date.parse('2026-06-01T00:00:00Z');
    const report = (from: number, count: number) =>
      server.inject({
        method: 'POST',
        url: '/v1/readings',
        headers: { authorization: `Bearer ${device.token}`, 'content-type': 'application/json' },
        payload: JSON.stringify({
          readings: Array.from({ length: count }, (_, i) => ({
            sn: device.sn,
            at: at + (from + i) * 60_000,
            values: { acPowerW: i, dcPowerW: i },
          })),
        }),
      });
    expect((await report(0, 10)).json()).toMatchObject({ accepted: 10 });
    const before = await world.rollups(device.binding);
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(database.db);
    await limitPages(rows[0]!.page_count + 2);

    const refused = await report(10, 5_000);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '5']);
    expect(await world.rollups(device.binding)).toEqual(before);

    await limitPages(1_000_000);
    expect((await report(10, 5_000)).json()).toEqual({
      accepted: 5_000,
      duplicate: 0,
      refused: [],
    });
    expect(await world.rollups(device.binding)).toEqual(await world.recalculated(device.binding));
    await server.close();
  });
});
