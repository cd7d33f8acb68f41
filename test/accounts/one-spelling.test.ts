import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  findAccount,
  findAccountByEmail,
  type Account,
} from '../../packages/server/src/identity/accounts/accounts.ts';
import {
  findMembership,
  foundCompany,
} from '../../packages/server/src/fleet/plants/companies/companies.ts';
import {
  inviteToCompany,
  listOffers,
} from '../../packages/server/src/fleet/plants/companies/invitations.ts';
import { acceptInvitation } from '../../packages/server/src/fleet/plants/invitations/answers.ts';
import { invite } from '../../packages/server/src/fleet/plants/invitations/invite.ts';
import { listInvitees } from '../../packages/server/src/fleet/plants/invitations/invitees.ts';
import {
  countOpen,
  listInvitations,
} from '../../packages/server/src/fleet/plants/invitations/list.ts';
import { migrate } from '../../packages/server/src/platform/storage/migrate.ts';
import { describeEngines } from '../support/engines.ts';
import { createWorld, settableClock } from '../support/world.ts';

const PAGE = { pageNo: 1, pageSize: 10 };

describeEngines('addresses whose domain may be written in two ways', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const world = createWorld(database, clock);
  let people = 0;
  const spellings = (): [unicode: string, ascii: string] => {
    const name = `p${++people}`;
    return [`${name}@exämple.de`, `${name}@xn--exmple-cua.de`];
  };
  /** What an installation from before addresses had one spelling does on its first start. */
  const upgrade = async (): Promise<void> => {
    const { db, engine } = database();
    await sql`delete from schema_migration where name = '0070-one-spelling.sql'`.execute(db);
    expect(await migrate(db, engine, clock.at)).toEqual(['0070-one-spelling.sql']);
  };
  const respell = async (table: 'account' | 'invitation', id: string, email: string) =>
    void (await database().db.updateTable(table).set({ email }).where('id', '=', id).execute());
  const share = async (to: string): Promise<{ id: string; plantId: string; owner: Account }> => {
    const owner = await world.person();
    const plantId = await world.plant(owner.id);
    const id = await world.write((trx) =>
      invite(trx, world.act(), {
        plantId,
        fromAccountId: owner.id,
        to: { email: to },
        kind: 'share',
        level: 'read',
      }),
    );
    return { id, plantId, owner };
  };
  const accept = (id: string, answerer: Account): Promise<{ plantId: string }> =>
    world.write((trx) =>
      acceptInvitation(trx, world.act(), id, answerer, {
        forCompany: false,
        withoutSender: false,
      }),
    );
  const invited = async ({ id }: Account): Promise<Account> =>
    (await findAccount(database().db, id))!;

  test('are one for invitations to accounts from before, and for those from before to accounts', async () => {
    const [unicode, ascii] = spellings();
    const account = await world.person({ email: unicode });
    await respell('account', account.id, ascii);
    await upgrade();
    const now = await invited(account);
    expect(now.email).toBe(unicode);
    for (const written of [unicode, ascii]) {
      const { id, plantId } = await share(written);
      const { db } = database();
      expect(await countOpen(db, clock.at, now)).toBe(1);
      expect((await listInvitations(db, clock.at, now, null, PAGE)).records[0]).toMatchObject({
        id,
        direction: 'received',
        state: 'open',
      });
      expect(await listInvitees(db, [id])).toEqual(new Set([account.id]));
      expect(await accept(id, now)).toMatchObject({ plantId });
    }
    // Sent before.
    const [other, otherAscii] = spellings();
    const { id } = await share(other);
    await respell('invitation', id, otherAscii);
    await upgrade();
    expect(
      await countOpen(database().db, clock.at, await world.person({ email: otherAscii })),
    ).toBe(1);
  });

  test('are one for companies', async () => {
    const [unicode, ascii] = spellings();
    const account = await world.person({ email: unicode });
    await respell('account', account.id, ascii);
    await upgrade();
    const manager = await world.person();
    const { db } = database();
    await world.write(async (trx) => {
      await foundCompany(trx, world.act(), manager.id, 'Solar Ltd');
      const membership = (await findMembership(trx, manager.id))!;
      await inviteToCompany(trx, world.act(), membership, ascii, 'member');
    });
    expect(await listOffers(db, clock.at, (await invited(account)).email)).toHaveLength(1);
  });

  test('leave two accounts of one mailbox as they are, each found under its own', async () => {
    const [unicode, ascii] = spellings();
    const first = await world.person({ email: unicode });
    const second = await world.person();
    await respell('account', second.id, ascii);
    await upgrade();
    const { db } = database();
    expect((await findAccountByEmail(db, unicode))!.id).toBe(first.id);
    expect((await findAccountByEmail(db, ascii))!.id).toBe(second.id);
  });
});
