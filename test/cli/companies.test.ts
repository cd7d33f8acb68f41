import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAccountByEmail } from '../../packages/server/src/identity/accounts/accounts.ts';
import { createIdSource } from '../../packages/server/src/platform/kernel/ids.ts';
import { foundCompany } from '../../packages/server/src/fleet/plants/companies/companies.ts';
import { joinCompany } from '../../packages/server/src/fleet/plants/companies/members.ts';
import { openStorage } from '../../packages/server/src/platform/storage/open.ts';
import { createInstallation, type Installation } from '../support/command.ts';
import { settableClock } from '../support/world.ts';

let home: Installation;
beforeAll(async () => {
  home = createInstallation();
  for (const name of ['boss', 'colleague', 'stranger'])
    await home.ok('user', 'add', '--email', `${name}@example.com`, '--role', 'installer');
  const clock = settableClock('2026-06-01T12:00:00Z');
  const { db, close } = openStorage(join(home.folder, 'data', 'helioport.db'));
  const act = {
    at: clock.at,
    actor: 'operator',
    address: null,
    newId: createIdSource(clock),
  } as const;
  const [boss, colleague] = [
    (await findAccountByEmail(db, 'boss@example.com'))!.id,
    (await findAccountByEmail(db, 'colleague@example.com'))!.id,
  ];
  await db.transaction().execute(async (trx) => {
    const companyId = await foundCompany(trx, act, boss, 'Sun & Sons');
    await joinCompany(trx, act, { accountId: colleague, companyId, role: 'member' }, boss);
  });
  await close();
});
afterAll(() => home.remove());

test('companies are listed and shown; the operator gives roles, removes and dissolves', async () => {
  expect(await home.ok('company', 'list')).toMatchObject([
    { name: 'Sun & Sons', people: 2, plants: 0, manager: 'boss@example.com' },
  ]);
  expect((await home.helioport('company', 'list')).stdout).toMatch(
    /Sun & Sons +2 +0 +boss@example.com +2026-06-01/,
  );
  expect((await home.helioport('company', 'show', 'colleague@example.com')).stdout).toMatch(
    /^Sun & Sons \(\d{19}\), plants: 0\n[^]*colleague@example.com +colleague +member/,
  );
  expect((await home.helioport('company', 'show', 'stranger@example.com')).stdout).toBe(
    'stranger@example.com belongs to no company',
  );
  const refusal = async (...args: string[]): Promise<[number, string]> => {
    const { exitCode, stderr } = await home.helioport(...args);
    return [exitCode, stderr];
  };
  expect(await refusal('company', 'remove', 'boss@example.com')).toEqual([
    1,
    expect.stringContaining('make another member a manager first'),
  ]);
  expect(await refusal('company', 'remove', 'stranger@example.com')).toEqual([
    1,
    expect.stringContaining('no company'),
  ]);
  expect(await refusal('company', 'remove', 'nobody@example.com')).toEqual([
    1,
    expect.stringContaining('the user does not exist'),
  ]);
  expect((await refusal('company', 'role', 'boss@example.com', 'king'))[0]).toBe(2);
  expect(await home.ok('company', 'role', 'colleague@example.com', 'manager')).toEqual({
    email: 'colleague@example.com',
    role: 'manager',
  });
  await home.ok('company', 'remove', 'boss@example.com');
  expect((await home.ok('company', 'show', 'colleague@example.com')).members).toMatchObject([
    { role: 'manager' },
  ]);
  expect((await home.helioport('company', 'dissolve', 'colleague@example.com')).stdout).toBe(
    'Sun & Sons is dissolved',
  );
  expect(await home.ok('company', 'list')).toEqual([]);
});
