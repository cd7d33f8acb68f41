import { LOGO_BYTES, LOGO_PIXELS, type OperationId } from '@helioport/contract';
import { expect, test } from 'vitest';
import type { Account } from '../../packages/server/src/identity/accounts/accounts.ts';
import { listAudit } from '../../packages/server/src/identity/accounts/audit.ts';
import {
  letterheadOf,
  type Letterhead,
} from '../../packages/server/src/fleet/plants/companies/logo.ts';
import { lockPlant } from '../../packages/server/src/fleet/plants/lock.ts';
import { shareWithCompany } from '../../packages/server/src/fleet/plants/companies/plants.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { png } from '../reports/pictures.ts';
import { settableClock, userCaller } from '../support/world.ts';

const logo = png({ width: 20, height: 10 }).toString('base64');
const uri = `data:image/png;base64,${logo}`;

describeEngines('the logo of a company', (database) => {
  const clock = settableClock('2026-06-01T12:00:00Z');
  const fleet = createFleet(database, clock);
  const as = (
    { id }: Account,
    operation: OperationId,
    body: Record<string, unknown> = {},
  ): Promise<any> => {
    clock.at += 1;
    return fleet.wire(operation, userCaller(id), body);
  };
  const found = async (name: string) => {
    const boss = await fleet.person({ role: 'installer' });
    const { id } = await as(boss, 'company/found', { name });
    return { boss, id: id as string };
  };
  const headOf = (plantId: string, { id }: Account): Promise<Letterhead | undefined> =>
    letterheadOf(database().db, plantId, id);
  const share = (plantId: string, boss: Account, companyId: string, isInstaller: boolean) =>
    fleet.write(async (trx) =>
      shareWithCompany(trx, fleet.act(), await lockPlant(trx, plantId), {
        companyId,
        accountId: boss.id,
        level: 'read',
        isInstaller,
      }),
    );

  test('a manager gives it and takes it back; members see it, and the trail says so', async () => {
    const { boss } = await found('Sun & Sons');
    expect((await as(boss, 'company/show')).logo).toBeUndefined();
    await as(boss, 'company/logo', { image: logo });
    expect((await as(boss, 'company/show')).logo).toBe(uri);
    await as(boss, 'company/logo');
    expect((await as(boss, 'company/show')).logo).toBeUndefined();
    const kinds = (await listAudit(database().db, boss.id, { limit: 10 })).map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['company.logoSet', 'company.logoRemoved']));
  });

  test('members may not set it, and what is no picture changes nothing', async () => {
    const { boss } = await found('Sun & Sons');
    const member = await fleet.person({ role: 'installer' });
    const { invitationId } = await as(boss, 'company/invite', { email: member.email });
    await as(member, 'company/accept', { id: invitationId });
    await expect(as(member, 'company/logo', { image: logo })).rejects.toMatchObject({
      code: 'noPermission',
    });
    await as(boss, 'company/logo', { image: logo });
    const bad = [
      'not base64!',
      logo.slice(0, -4),
      Buffer.from('<svg/>').toString('base64'),
      png({ width: LOGO_PIXELS + 1, height: 1 }).toString('base64'),
      Buffer.concat([png({ width: 1, height: 1 }), Buffer.alloc(LOGO_BYTES)])
        .subarray(0, LOGO_BYTES + 1)
        .toString('base64'),
    ];
    for (const image of bad)
      await expect(as(boss, 'company/logo', { image })).rejects.toMatchObject({
        code: 'invalidValue',
        data: { field: 'image' },
      });
    expect((await as(member, 'company/show')).logo).toBe(uri);
  });

  test('a letter about a plant has that of its installer’s company, else of the reader’s own', async () => {
    const { boss, id } = await found('Sun & Sons');
    const other = await found('Watt & Daughters');
    await as(boss, 'company/logo', { image: logo });
    const owner = await fleet.person();
    const plantId = await fleet.plant(owner.id);
    expect(await headOf(plantId, owner)).toBeUndefined();
    await share(plantId, other.boss, other.id, false);
    expect(await headOf(plantId, owner)).toBeUndefined();
    expect(await headOf(plantId, other.boss)).toEqual({ name: 'Watt & Daughters', logo: null });
    await share(plantId, boss, id, true);
    for (const reader of [owner, boss, other.boss])
      expect(await headOf(plantId, reader)).toEqual({ name: 'Sun & Sons', logo: uri });
    await as(boss, 'company/dissolve');
    expect(await headOf(plantId, owner)).toBeUndefined();
  });
});
