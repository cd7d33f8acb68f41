import type { OperationId } from '@helioport/contract';
import { expect, test } from 'vitest';
import type { Account } from '../../packages/server/src/identity/accounts/accounts.ts';
import type { Caller } from '../../packages/server/src/identity/accounts/caller.ts';
import { changeAlarms } from '../../packages/server/src/outbound/alarms/alarm-rows.ts';
import { sharePlant, unsharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { applicationCaller, settableClock, userCaller } from '../support/world.ts';
import { addKey } from '../user-api/fixture.ts';

describeEngines('who may know by name who did something', (database) => {
  const clock = settableClock('2026-06-01T12:00:00Z');
  const fleet = createFleet(database, clock);

  const by = (
    caller: Caller,
    operation: OperationId,
    body: Record<string, unknown> = {},
  ): Promise<any> => {
    clock.at += 60_000;
    return fleet.wire(operation, caller, body);
  };
  const as = ({ id }: Account, operation: OperationId, body?: Record<string, unknown>) =>
    by(userCaller(id), operation, body);
  const person = (role: Account['role'] = 'installer') => fleet.person({ role });
  const join = async (manager: Account, newcomer: Account): Promise<void> => {
    const { invitationId: id } = await as(manager, 'company/invite', {
      email: newcomer.email,
      role: 'member',
    });
    await as(newcomer, 'company/accept', { id });
  };

  const scene = async () => {
    const [owner, boss, member, stranger] = [
      await person('owner'),
      await person(),
      await person(),
      await person(),
    ];
    const plantId = await fleet.plant(owner.id);
    const { sn, id: deviceId } = await fleet.device(plantId, { model: 'SIM-8K-ES' });
    await as(boss, 'company/found', { name: 'Sun & Sons' });
    await join(boss, member);
    const { invitationId: id } = await as(owner, 'share/give', {
      plantId,
      email: boss.email,
      level: 'control',
    });
    await as(boss, 'invitation/accept', { id, forCompany: 1 });
    await fleet.write((trx) => sharePlant(trx, fleet.act(), plantId, stranger.email, 'control'));
    const deed = (doer: Caller, value: string): Promise<unknown> =>
      by(doer, 'command/send', { sn, cid: '158', value });
    /** Whom a reader knows, of the deeds from the first on. */
    const known = async (reader: Caller): Promise<unknown[]> =>
      (await by(reader, 'command/list', { sn })).map((one: any) => one.byEmail).toReversed();
    return { owner, boss, member, stranger, plantId, deviceId, sn, deed, known };
  };

  test('owners know everybody, colleagues each other, strangers themselves alone', async () => {
    const { owner, boss, member, stranger, plantId, deed, known } = await scene();
    const doers = [owner, boss, member, stranger];
    for (const [i, doer] of doers.entries()) await deed(userCaller(doer.id), String(20 + i));
    const { keyId } = await addKey(fleet, { accountId: member.id });
    await deed(userCaller(member.id, { keyId }), '30');
    const emails = [...doers, member].map(({ email }) => email);
    const seen = (...who: Account[]) =>
      emails.map((email) => (who.some((one) => one.email === email) ? email : undefined));
    expect(await known(userCaller(owner.id))).toEqual(emails);
    for (const colleague of [boss, member])
      expect(await known(userCaller(colleague.id))).toEqual(seen(boss, member));
    expect(await known(userCaller(stranger.id))).toEqual(seen(stranger));
    // What was done stays known to the owner when access has ended.
    await fleet.write((trx) => unsharePlant(trx, fleet.act(), plantId, stranger.email));
    expect(await known(userCaller(owner.id))).toEqual(emails);
    const others = (await by(userCaller(owner.id), 'command/byOthers', { plantId })).map(
      ({ byEmail }: any) => byEmail,
    );
    expect(others.toReversed()).toEqual(emails.slice(1));
  });

  test('colleagues go on knowing what somebody did before leaving them, and not what was done afterwards', async () => {
    const { owner, boss, member, plantId, deed, known } = await scene();
    await deed(userCaller(member.id), '20');
    await as(member, 'company/remove', { email: member.email });
    await fleet.write((trx) => sharePlant(trx, fleet.act(), plantId, member.email, 'control'));
    await deed(userCaller(member.id), '21');
    expect(await known(userCaller(boss.id))).toEqual([member.email, undefined]);
    expect(await known(userCaller(owner.id))).toEqual([member.email, member.email]);
    expect(await known(userCaller(member.id))).toEqual([member.email, member.email]);
    // Back, they are known again.
    await join(boss, member);
    expect(await known(userCaller(boss.id))).toEqual([member.email, member.email]);
    await as(boss, 'company/dissolve');
    const left = await database()
      .db.selectFrom('companyFormer')
      .selectAll()
      .where('accountId', '=', member.id)
      .execute();
    expect(left).toEqual([]);
  });

  test('the same goes for who took an alarm on; applications see nobody', async () => {
    const { owner, boss, member, stranger, plantId, deviceId } = await scene();
    const raise = { code: 'TEST1', level: 2, message: 'test', beginAt: clock.now() } as const;
    await fleet.write((trx) =>
      changeAlarms(trx, { now: clock.now(), newId: fleet.newId }, deviceId, [{ raise }]),
    );
    const taker = async (reader: Caller) =>
      (await by(reader, 'alarmList', { stationId: plantId })).records[0];
    const { id } = await taker(userCaller(owner.id));
    await as(member, 'alarm/process', { id });
    for (const reader of [owner, boss, member])
      expect((await taker(userCaller(reader.id))).processedByEmail).toBe(member.email);
    const processedBy = `account:${member.id}`;
    expect(await taker(userCaller(stranger.id))).toMatchObject({ processedBy });
    expect((await taker(userCaller(stranger.id))).processedByEmail).toBeUndefined();
    const alarm = await taker(applicationCaller(owner.id));
    expect([alarm.processedBy, alarm.processedByEmail]).toEqual([undefined, undefined]);
  });
});
