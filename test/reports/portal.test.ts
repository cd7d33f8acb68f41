import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertSession } from '../../packages/server/src/identity/accounts/sessions.ts';
import { createFleet } from '../operations/fleet.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { startPortal, type TestPortal } from '../support/portal.ts';
import { settableClock } from '../support/world.ts';

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

async function sessionOf(accountId: string): Promise<string> {
  return fleet.write((trx) =>
    insertSession(trx, fleet.act(), {
      accountId,
      entrance: 'portal',
      freshFor: null,
      userAgent: 'Browser/1.0',
    }),
  );
}

const get = (session: string | undefined, path: string): Promise<Response> =>
  fetch(`${portal.url}/portal/reports/${path}`, {
    headers: session === undefined ? {} : { Cookie: `helioport_portal_session=${session}` },
  });

test('a report is a PDF for those who may see the plant; for others, the plant does not exist', async () => {
  const [owner, other] = [await fleet.person(), await fleet.person()];
  const plantId = await fleet.plant(owner.id, { name: 'Meadow Lane 4' });
  const [mine, foreign] = [await sessionOf(owner.id), await sessionOf(other.id)];
  const report = await get(mine, `${plantId}?month=2026-10&language=de`);
  expect(report.status).toBe(200);
  expect(report.headers.get('content-type')).toBe('application/pdf');
  expect(report.headers.get('cache-control')).toBe('no-store');
  expect(report.headers.get('content-disposition')).toBe(
    `inline; filename="helioport-${plantId}-2026-10.pdf"`,
  );
  const file = Buffer.from(await report.arrayBuffer());
  expect(file.subarray(0, 5).toString()).toBe('%PDF-');
  expect(file.toString('latin1')).toContain('/Lang (de)');
  const chinese = await get(mine, `${plantId}?language=zh`);
  expect(Buffer.from(await chinese.arrayBuffer()).toString('latin1')).toContain('/Lang (en)');

  const [theirs, nobodys, without] = [
    await get(foreign, plantId),
    await get(foreign, '1'),
    await get(undefined, plantId),
  ];
  expect(theirs.status).toBe(nobodys.status);
  expect(await theirs.text()).toBe(await nobodys.text());
  expect(without.headers.get('content-type')).toContain('json');
  expect(await without.text()).not.toContain('Meadow');
});

test.each(['month=2026-13', 'month=2027-01', 'language=fr', 'region=<script>'])(
  'a report asked for with %s is refused',
  async (query) => {
    const owner = await fleet.person();
    const plantId = await fleet.plant(owner.id);
    const answer = await get(await sessionOf(owner.id), `${plantId}?${query}`);
    expect(answer.headers.get('content-type')).toContain('json');
    expect(await answer.text()).toContain(query.split('=')[0]);
  },
);
