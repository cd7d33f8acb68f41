import { expect, test } from 'vitest';
import { sweepInvitations } from '../../packages/server/src/fleet/plants/invitations/list.ts';
import { archivePlant, transferPlant } from '../../packages/server/src/fleet/plants/plants.ts';
import { disableOwner } from '../../packages/server/src/fleet/plants/owners.ts';
import { userCaller } from '../support/world.ts';
import { addKey } from '../user-api/fixture.ts';
import { describeManagement, minimal, type Person } from './fixture.ts';

const DAY_MS = 86_400_000;

describeManagement(
  'invitations over the signed interface',
  ({ clock, fleet, database, person, call }) => {
    /** An installer who is invited to a plant, and its owner. */
    const invited = async (): Promise<{
      owner: Person;
      installer: Person;
      plantId: string;
      id: string;
    }> => {
      const [owner, installer] = [await person(), await person({ role: 'installer' })];
      const { data } = await call(owner, 'addStation', {
        ...minimal,
        installerEmail: installer.email,
      });
      const [{ id }] = (await call(installer, 'invitation/list')).data.records;
      return { owner, installer, plantId: data.id, id };
    };
    const sees = async (who: Person, plantId: string): Promise<boolean> =>
      (await call(who, 'stationDetail', { id: plantId })).code === '0';

    test('are answered once, by the person who is invited, and by nobody else', async () => {
      const { owner, installer, plantId, id } = await invited();
      const stranger = await person();
      for (const who of [stranger, owner]) {
        for (const verb of ['accept', 'decline'] as const)
          expect((await call(who, `invitation/${verb}`, { id })).code).toBe('R0000');
      }
      expect((await call(stranger, 'invitation/withdraw', { id })).code).toBe('R0000');
      expect(await sees(installer, plantId)).toBe(false);
      expect((await call(installer, 'invitation/decline', { id })).code).toBe('0');
      expect((await call(installer, 'invitation/accept', { id })).code).toBe('R0000');
      expect(await sees(installer, plantId)).toBe(false);
      for (const who of [owner, installer])
        expect((await call(who, 'invitation/list')).data.records).toMatchObject([
          { id, state: 'declined' },
        ]);
    });

    test('end when they are withdrawn, expire, or their plant is archived or its owner disabled', async () => {
      const [withdrawn, expired, archived, disabled] = [
        await invited(),
        await invited(),
        await invited(),
        await invited(),
      ];
      expect((await call(withdrawn.owner, 'invitation/withdraw', { id: withdrawn.id })).code).toBe(
        '0',
      );
      await fleet.write((trx) => archivePlant(trx, fleet.act(), archived.plantId));
      await fleet.write((trx) => disableOwner(trx, fleet.act(), disabled.owner.id));
      for (const { installer, id } of [withdrawn, archived, disabled])
        expect((await call(installer, 'invitation/accept', { id })).code).toBe('R0000');
      clock.at += 31 * DAY_MS;
      expect((await call(expired.installer, 'invitation/list')).data.records).toMatchObject([
        { state: 'expired' },
      ]);
      expect((await call(expired.installer, 'invitation/accept', { id: expired.id })).code).toBe(
        'R0000',
      );
      expect(await sweepInvitations(database().db, clock.at + 181 * DAY_MS, 2)).toBe(2);
    });

    test('are withdrawn by a transfer and by archiving, and one that outlived its plant’s change of hands opens nothing', async () => {
      const { db } = database();
      const stateOf = async (id: string): Promise<string> =>
        (
          await db
            .selectFrom('invitation')
            .select('state')
            .where('id', '=', id)
            .executeTakeFirstOrThrow()
        ).state;
      const [transferred, archived, beside] = [await invited(), await invited(), await invited()];
      const next = await person();
      await fleet.write((trx) => transferPlant(trx, fleet.act(), transferred.plantId, next.id));
      await fleet.write((trx) => archivePlant(trx, fleet.act(), archived.plantId));
      expect([
        await stateOf(transferred.id),
        await stateOf(archived.id),
        await stateOf(beside.id),
      ]).toEqual(['withdrawn', 'withdrawn', 'open']);
      const answers = async (): Promise<string[]> => [
        (await call(transferred.installer, 'invitation/accept', { id: transferred.id })).code,
        (await call(transferred.installer, 'invitation/decline', { id: transferred.id })).code,
      ];
      expect(await answers()).toEqual(['R0000', 'R0000']);
      // As if it had been written while the plant changed hands.
      await db
        .updateTable('invitation')
        .set({ state: 'open', answeredAt: null })
        .where('id', '=', transferred.id)
        .execute();
      expect(await answers()).toEqual(['R0000', 'R0000']);
      expect([
        await stateOf(transferred.id),
        await sees(transferred.installer, transferred.plantId),
      ]).toEqual(['open', false]);
      expect((await call(beside.installer, 'invitation/accept', { id: beside.id })).code).toBe('0');
    });

    test('are withdrawn and declined one by one, only while they are open, and the trail names them', async () => {
      const { db } = database();
      const [withdrawn, declined, beside] = [await invited(), await invited(), await invited()];
      const state = async ({ id }: { readonly id: string }): Promise<string> =>
        (
          await db
            .selectFrom('invitation')
            .select('state')
            .where('id', '=', id)
            .executeTakeFirstOrThrow()
        ).state;
      const sister = {
        plantId: withdrawn.plantId,
        email: 'sister@example.com',
        level: 'read',
      } as const;
      const { invitationId } = await fleet.ask(
        'share/give',
        userCaller(withdrawn.owner.id),
        sister,
      );
      expect((await call(withdrawn.owner, 'invitation/withdraw', { id: withdrawn.id })).code).toBe(
        '0',
      );
      expect((await call(declined.installer, 'invitation/decline', { id: declined.id })).code).toBe(
        '0',
      );
      for (const { owner, id } of [withdrawn, declined])
        expect((await call(owner, 'invitation/withdraw', { id })).code).toBe('R0000');
      const others = [await state(beside), await state({ id: invitationId! })];
      expect([await state(withdrawn), await state(declined), ...others]).toEqual([
        'withdrawn',
        'declined',
        'open',
        'open',
      ]);
      const trail = await db
        .selectFrom('auditEvent')
        .select(['kind', 'accountId', 'data'])
        .where('accountId', 'in', [withdrawn.owner.id, declined.installer.id])
        .where('kind', 'in', ['invitation.withdrawn', 'invitation.declined'])
        .orderBy('id')
        .execute();
      expect(
        trail.map(({ kind, accountId, data }) => [kind, accountId, JSON.parse(data).invitationId]),
      ).toEqual([
        ['invitation.withdrawn', withdrawn.owner.id, withdrawn.id],
        ['invitation.declined', declined.installer.id, declined.id],
      ]);
    });

    test('say when they were answered, and whether the access that came of them has ended', async () => {
      const [{ owner, installer, plantId, id }, declined] = [await invited(), await invited()];
      const [only, ofOwner] = [
        async (who: Person) => (await call(who, 'invitation/list')).data.records[0],
        userCaller(owner.id),
      ];
      expect(await only(owner)).toMatchObject({ state: 'open', accessEnded: false });
      expect(await only(owner)).not.toHaveProperty('answeredAt');
      await call(declined.installer, 'invitation/decline', { id: declined.id });
      const declinedAt = clock.at;
      expect(await only(declined.owner)).toMatchObject({
        state: 'declined',
        answeredAt: declinedAt,
        accessEnded: false,
      });
      await call(installer, 'invitation/accept', { id });
      const answeredAt = clock.at;
      clock.at += DAY_MS;
      for (const who of [owner, installer])
        expect(await only(who)).toMatchObject({
          state: 'accepted',
          answeredAt,
          accessEnded: false,
        });
      await fleet.ask('share/withdraw', ofOwner, { plantId, email: installer.email });
      for (const who of [owner, installer])
        expect(await only(who)).toMatchObject({ state: 'accepted', answeredAt, accessEnded: true });
      const { invitationId } = await fleet.ask('share/give', ofOwner, {
        plantId,
        email: installer.email,
        level: 'read',
      });
      await fleet.ask('invitation/accept', userCaller(installer.id), { id: invitationId! });
      expect(await only(installer)).toMatchObject({ accessEnded: false });
      // A person who has given the plant away does not learn who sees it.
      const next = await person();
      await fleet.write((trx) => transferPlant(trx, fleet.act(), plantId, next.id));
      expect([(await only(owner)).accessEnded, (await only(installer)).accessEnded]).toEqual([
        false,
        true,
      ]);
    });

    test('are at most a thousand of one sender at a time; those of others and those that are over do not count', async () => {
      const { db } = database();
      const { owner, plantId, id } = await invited();
      const open = await db
        .selectFrom('invitation')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const more = Array.from({ length: 999 }, (_, i) => ({
        ...open,
        id: fleet.newId(),
        kind: 'share' as const,
        level: 'read' as const,
        email: `guest-${i}@example.com`,
      }));
      await db.insertInto('invitation').values(more).execute();
      const share = (from: Person, plant: string) =>
        fleet.ask('share/give', userCaller(from.id), {
          plantId: plant,
          email: 'one-more@example.com',
          level: 'read',
        });
      await expect(share(owner, plantId)).rejects.toThrow(/at most 1000 unanswered invitations/);
      const other = await invited();
      await share(other.owner, other.plantId);
      await db
        .updateTable('invitation')
        .set({ state: 'declined' })
        .where('id', '=', more[0]!.id)
        .execute();
      await share(owner, plantId);
    });

    test('are forgotten half a year after their end, and no sooner', async () => {
      const { db } = database();
      const { id } = await invited();
      const { expiresAt } = await db
        .selectFrom('invitation')
        .select('expiresAt')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const left = async (): Promise<number> =>
        (await db.selectFrom('invitation').select('id').where('id', '=', id).execute()).length;
      await sweepInvitations(db, expiresAt + 180 * DAY_MS, 1000);
      expect(await left()).toBe(1);
      await sweepInvitations(db, expiresAt + 180 * DAY_MS + 1, 1000);
      expect(await left()).toBe(0);
    });

    test('are not accepted with a key for reading, nor with one for some plants', async () => {
      const { installer, id } = await invited();
      for (const terms of [{ canControl: false }, { plantIds: ['1300000000000000009'] }]) {
        const key = await addKey(fleet, { accountId: installer.id, ...terms });
        expect((await call({ key }, 'invitation/accept', { id })).code).toBe('R0000');
      }
      expect((await call(installer, 'invitation/accept', { id })).code).toBe('0');
    });
  },
);
