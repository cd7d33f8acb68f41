import type { OperationId } from '@helioport/contract';
import { expect, test } from 'vitest';
import type { Account } from '../../packages/server/src/identity/accounts/accounts.ts';
import type { Caller } from '../../packages/server/src/identity/accounts/caller.ts';
import { countByOthers } from '../../packages/server/src/control/commands/by-others.ts';
import { reachOf } from '../../packages/server/src/fleet/plants/access.ts';
import { sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { addKey } from '../user-api/fixture.ts';
import { createRightsScene, type Scene } from './scene.ts';

const ADDRESSES = { owner: '192.0.2.10', guest: '192.0.2.20', operator: '192.0.2.30' } as const;

describeEngines('people are shown', (database) => {
  const clock = settableClock('2026-06-01T12:00:00Z');
  const fleet = createFleet(database, clock);
  const ask = (
    caller: Caller,
    id: OperationId,
    body: Record<string, unknown> = {},
  ): Promise<any> => {
    clock.at += 1000;
    return fleet.wire(id, caller, body);
  };
  const as = ({ id }: Pick<Account, 'id'>): Caller => userCaller(id);
  const guestOf = async ({ plantId }: Scene): Promise<Account> => {
    const guest = await fleet.person();
    await fleet.write((trx) => sharePlant(trx, fleet.act(), plantId, guest.email, 'control'));
    return guest;
  };
  const sell = async ({ owner, buyer, plantId }: Scene): Promise<void> => {
    const offer = await ask(as(owner), 'plant/offer', { plantId, email: buyer.email });
    await ask(as(buyer), 'invitation/accept', { id: offer.invitationId });
  };
  const rename = (who: Account, plantId: string, name: string): Promise<unknown> =>
    ask(as(who), 'plant/edit', { plantId, name });
  const nameIn = async (who: Account, id: string): Promise<string> =>
    (await ask(as(who), 'invitation/list', { pageSize: 50 })).records.find(
      (one: { id: string }) => one.id === id,
    ).plantName;

  test('the name that a plant has, while an invitation is open or in force, and that it had, once it is over', async () => {
    const scene = await createRightsScene(fleet);
    const { owner, plantId, buyer } = scene;
    const people = await Promise.all(Array.from({ length: 4 }, () => fleet.person()));
    const [open, declining, withdrawn, leaving] = people as [Account, Account, Account, Account];
    const ids = new Map<Account, string>();
    await rename(owner, plantId, 'First');
    for (const one of people) {
      const sent = await ask(as(owner), 'share/give', { plantId, email: one.email });
      ids.set(one, sent.invitationId);
    }
    const idOf = (one: Account): string => ids.get(one)!;
    await rename(owner, plantId, 'Second');
    await ask(as(declining), 'invitation/decline', { id: idOf(declining) });
    await ask(as(owner), 'invitation/withdraw', { id: idOf(withdrawn) });
    await ask(as(leaving), 'invitation/accept', { id: idOf(leaving) });
    await rename(owner, plantId, 'Third');
    for (const one of [open, leaving]) expect(await nameIn(one, idOf(one))).toBe('Third');
    for (const one of [declining, withdrawn]) expect(await nameIn(one, idOf(one))).toBe('Second');
    // The sender, whose plant it is, sees what it is called.
    for (const one of people) expect(await nameIn(owner, idOf(one))).toBe('Third');
    await ask(as(leaving), 'share/withdraw', { plantId, email: leaving.email });
    expect(await nameIn(leaving, idOf(leaving))).toBe('Second');
    await sell(scene);
    await rename(buyer, plantId, 'The buyer’s');
    for (const who of [owner, ...people])
      expect(JSON.stringify(await ask(as(who), 'invitation/list', { pageSize: 50 }))).not.toContain(
        'The buyer’s',
      );
    expect(await nameIn(owner, idOf(open))).toBe('Third');
  });

  test('where they themselves were when they did something, and of nobody else', async () => {
    const scene = await createRightsScene(fleet);
    const { owner, sn, plantId } = scene;
    const guest = await guestOf(scene);
    const { keyId } = await addKey(fleet, { accountId: owner.id });
    const at = (account: Account, address: string, change = {}): Caller =>
      userCaller(account.id, { address, ...change });
    const write = (value: string) => ({ sn, cid: '157', value });
    await ask(at(owner, ADDRESSES.owner), 'command/send', write('20'));
    await ask(at(owner, ADDRESSES.owner, { keyId }), 'command/send', write('21'));
    await ask(at(guest, ADDRESSES.guest), 'command/send', write('22'));
    const service: Caller = { ...scene.console, address: ADDRESSES.operator };
    for (const id of ['user/disable', 'user/enable'] as const)
      await ask(service, id, { email: owner.email });
    await ask(at(guest, ADDRESSES.guest), 'share/withdraw', { plantId, email: guest.email });
    const trail = await ask(as(owner), 'user/events', { limit: 100 });
    const text = JSON.stringify(trail);
    for (const [who, address] of Object.entries(ADDRESSES))
      expect([who, text.includes(address)]).toEqual([who, who === 'owner']);
    const own = trail.filter(({ address }: { address?: string }) => address !== undefined);
    expect(new Set(own.map(({ actor }: { actor: string }) => actor))).toEqual(
      new Set([`account:${owner.id}`, `key:${keyId}`]),
    );
    // The person who runs the service sees all of it.
    const all = await ask({ kind: 'operator', accountId: null, plantIds: null }, 'user/events', {
      email: owner.email,
      limit: 100,
    });
    for (const address of Object.values(ADDRESSES)) expect(JSON.stringify(all)).toContain(address);
  });

  test('neither names nor notes of people who were there before them', async () => {
    const scene = await createRightsScene(fleet);
    const { owner, buyer, plantId, sn, alarm } = scene;
    const guest = await guestOf(scene);
    await ask(as(guest), 'command/send', { sn, cid: '157', value: '20' });
    await ask(as(guest), 'alarm/process', { id: alarm });
    await ask(as(guest), 'alarm/note', { id: alarm, note: 'The key lies under the mat' });
    const shown = async (who: Account): Promise<string> =>
      JSON.stringify([
        await ask(as(who), 'command/list', { sn }),
        await ask(as(who), 'command/byOthers', { plantId }),
        await ask(as(who), 'alarmList', { stationId: plantId }),
        await ask(as(who), 'share/list', { plantId }),
        await ask(as(who), 'user/events', { limit: 100 }),
        await ask(as(who), 'strategy/list', { plantId }),
      ]);
    const before = await shown(owner);
    for (const secret of [guest.email, 'under the mat', owner.email, 'Evening'])
      expect([secret, before.includes(secret)]).toEqual([secret, true]);
    await sell(scene);
    const since = await shown(buyer);
    for (const secret of [guest.email, 'under the mat', owner.email, 'Evening'])
      expect([secret, since.includes(secret)]).toEqual([secret, false]);
    // Nor the e-mail that tells what others have changed.
    const reach = reachOf(as(buyer), 'manage');
    await database().db.updateTable('command').set({ sentAt: 1, endedAt: clock.at }).execute();
    const changes = await countByOthers(database().db, reach, { after: 0, until: clock.at });
    expect(changes.filter(({ actor }) => actor === `account:${guest.id}`)).toEqual([]);
  });

  test('the name of somebody who is there still, whatever they did before', async () => {
    const scene = await createRightsScene(fleet);
    const { buyer, plantId, sn, alarm } = scene;
    const guest = await guestOf(scene);
    await ask(as(guest), 'command/send', { sn, cid: '157', value: '20' });
    await ask(as(guest), 'alarm/process', { id: alarm });
    await ask(as(guest), 'alarm/note', { id: alarm, note: 'A fuse is ordered' });
    await sell(scene);
    await fleet.write((trx) => sharePlant(trx, fleet.act(), plantId, guest.email, 'control'));
    const [command] = await ask(as(buyer), 'command/list', { sn });
    expect(command.byEmail).toBe(guest.email);
    const { records } = await ask(as(buyer), 'alarmList', { stationId: plantId });
    expect(records[0]).toMatchObject({
      processedByEmail: guest.email,
      note: 'A fuse is ordered',
    });
  });
});
