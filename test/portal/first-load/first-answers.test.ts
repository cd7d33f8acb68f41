import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createFleet } from '../../operations/fleet.ts';
import { createSqliteDatabase, type TestDatabase } from '../../support/engines.ts';
import { createIdSource } from '../../../packages/server/src/platform/kernel/ids.ts';
import { operationsOn } from '../../support/operations.ts';
import { startPortal, visitAs, type StartPortalOptions } from '../../support/portal.ts';
import { settableClock } from '../../support/world.ts';
import { addOwner } from '../../oauth/fixture.ts';

const clock = settableClock('2026-11-06T05:01:09Z');
const PAGE =
  '<script id="session">"SESSION-OF-THIS-PAGE"</script><script id="answers">"ANSWERS-OF-THIS-PAGE"</script><noscript>end</noscript>';

let database: TestDatabase;
let appFolder: string;
const fleet = createFleet(() => database, clock);

beforeAll(async () => {
  database = await createSqliteDatabase();
  appFolder = mkdtempSync(join(tmpdir(), 'helioport-app-'));
  writeFileSync(
    join(appFolder, 'index.html'),
    PAGE.replace('<script', '<meta nonce="NONCE-OF-THIS-PAGE"><script'),
  );
});
afterAll(async () => {
  await database.drop();
  rmSync(appFolder, { recursive: true });
});

async function begin(options: StartPortalOptions = {}) {
  const portal = await startPortal(database, clock, { appFolder, ...options });
  onTestFinished(portal.close);
  const textAt = async (accountId: string, path = '/'): Promise<string> =>
    (await (await visitAs(fleet, portal.url, accountId)).visitor.get(path)).text();
  const answersAt = async (
    accountId: string,
    path?: string,
  ): Promise<{ operation: string; request: object; data: unknown }[] | null> =>
    JSON.parse(
      /id="answers">([^<]*)<\/script><noscript>end/.exec(await textAt(accountId, path))![1]!,
    );
  return { portal, textAt, answersAt };
}

test('the page of the overview carries what its operations answer, and other pages do not', async () => {
  const { portal, answersAt } = await begin();
  const owner = await addOwner(fleet, 'first@example.com');
  await fleet.plant(owner.id, { name: '</script><b>Barn' });
  const answers = (await answersAt(owner.id))!;
  const { visitor } = await visitAs(fleet, portal.url, owner.id);
  expect(answers.map(({ operation }) => operation)).toEqual(['plant/overview', 'plant/ranking']);
  for (const { operation, request, data } of answers)
    expect(data).toEqual((await visitor.call(operation, request)).body.data);
  expect(JSON.stringify(answers)).toContain('</script><b>Barn');
  for (const path of ['/?sort=power', '/alarms', '/plants/1'])
    expect([path, await answersAt(owner.id, path)]).toEqual([path, null]);
});

test('an operator of the service, who has no plants, gets none', async () => {
  const { answersAt } = await begin();
  const { id } = await fleet.person({ role: 'operator' });
  expect(await answersAt(id)).toBeNull();
});

test('the head of the page is sent before the answers are there, and what takes too long is left to the app', async () => {
  const ids = createIdSource(clock);
  const never = Promise.withResolvers<never>();
  const { portal, answersAt } = await begin({
    handlers: { ...operationsOn(database.db, clock, ids), 'plant/ranking': () => never.promise },
  });
  const owner = await addOwner(fleet, 'patient@example.com');
  const { visitor } = await visitAs(fleet, portal.url, owner.id);
  const pieces = (await visitor.get('/')).body!.pipeThrough(new TextDecoderStream()).getReader();
  const { value: first } = await pieces.read();
  expect(first).toContain('patient@example.com');
  expect(first).not.toContain('<noscript>end');
  expect(await answersAt(owner.id)).toBeNull();
});

test('a person who loads it too often gets the page, which then asks by itself', async () => {
  const { answersAt } = await begin({ rateLimit: 1 });
  const owner = await addOwner(fleet, 'eager@example.com');
  const given = [];
  for (let visit = 0; visit < 7; visit++) given.push((await answersAt(owner.id)) !== null);
  expect(given).toEqual([true, true, true, true, true, false, false]);
});

test('an account may be named like the place of the answers', async () => {
  const { textAt } = await begin();
  const owner = await addOwner(fleet, 'named@example.com');
  await database.db
    .updateTable('account')
    .set({ name: 'ANSWERS-OF-THIS-PAGE' })
    .where('id', '=', owner.id)
    .execute();
  const [, session] = /id="session">([^<]*)</.exec(await textAt(owner.id))!;
  expect(JSON.parse(session!)).toMatchObject({ account: { name: 'ANSWERS-OF-THIS-PAGE' } });
});
