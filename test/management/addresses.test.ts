import { operations, type OperationId } from '@helioport/contract';
import { expect, test } from 'vitest';
import { readMailbox } from '../../packages/server/src/platform/kernel/addresses/mailbox.ts';
import type { Account } from '../../packages/server/src/identity/accounts/accounts.ts';
import { sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { minimal } from './fixture.ts';

const ODD = [
  'victim@v.example,1',
  'a,victim@v.example',
  '<victim@v.example>',
  'victim@v.example(c)',
  '"victim"@v.example',
  'victim\uff20v.example',
  'victim@v\uff0eexample',
  'victim\u200b@v.example',
];

describeEngines('e-mail addresses', (database) => {
  const clock = settableClock('2026-06-01T12:00:00Z');
  const fleet = createFleet(database, clock);
  const person = () => fleet.person();
  /** What an operation answers, or its failure. */
  const call = (
    { id }: Account,
    operation: OperationId,
    body: Record<string, unknown> = {},
  ): Promise<any> => {
    clock.at += 1;
    return fleet.wire(operation, userCaller(id), body).catch((error: unknown) => error);
  };
  /** Requests that name somebody new by an e-mail address. */
  const naming = (
    plantId: string,
  ): readonly (readonly [OperationId, (address: string) => Record<string, unknown>])[] => [
    ['share/give', (email) => ({ plantId, email, level: 'read' })],
    ['plant/offer', (email) => ({ plantId, email })],
    ['company/invite', (email) => ({ email })],
    ['addStation', (installerEmail) => ({ ...minimal, installerEmail })],
    ['stationUpdate', (installerEmail) => ({ ...minimal, id: plantId, installerEmail })],
  ];
  const stored = async (): Promise<string[]> => {
    const { db } = database();
    const rows = await Promise.all([
      db.selectFrom('account').select('email').execute(),
      db.selectFrom('invitation').select('email').execute(),
      db.selectFrom('companyInvitation').select('email').execute(),
      db.selectFrom('mailTokenRequest').select('email').execute(),
      db.selectFrom('mail').select('address as email').execute(),
    ]);
    return rows.flat().flatMap(({ email }) => (email === null ? [] : [email]));
  };
  const standing = async (): Promise<{ owner: Account; plantId: string }> => {
    const owner = await person();
    const plantId = (await call(owner, 'addStation', minimal)).id as string;
    await call(owner, 'company/found', { name: 'Sun & Sons' });
    return { owner, plantId };
  };

  test('are one mailbox, wherever somebody new is named; nothing else is stored', async () => {
    const { owner, plantId } = await standing();
    for (const address of ODD)
      for (const [id, request] of naming(plantId)) {
        const { code, data } = await call(owner, id, request(address));
        const field = /station/i.test(id) ? 'installerEmail' : 'email';
        expect([id, address, code, data?.field]).toEqual([id, address, 'invalidValue', field]);
      }
    expect((await stored()).filter((address) => readMailbox(address) !== address)).toEqual([]);
  });

  test('of all operations that take one are stored in one spelling, if at all', async () => {
    const { owner, plantId } = await standing();
    const takers = Object.values(operations).flatMap((operation) =>
      Object.values(operation.request)
        .map(({ names: [name] }) => name)
        .filter((name) => /e-?mail/i.test(name))
        .map((name) => ({ operation, name })),
    );
    expect(takers.length).toBeGreaterThan(15);
    for (const { operation, name } of takers)
      for (const address of ODD)
        await call(owner, operation.id, {
          ...operation.example.request,
          ...('plantId' in operation.example.request && { plantId }),
          [name]: address,
        });
    expect((await stored()).filter((address) => readMailbox(address) !== address)).toEqual([]);
  });

  test('in two spellings are one invitation', async () => {
    const { owner, plantId } = await standing();
    for (const email of ['Ada@exämple.de', 'ada@xn--exmple-cua.de', ' ADA@EXÄMPLE.de ']) {
      for (const invited of [
        await call(owner, 'share/give', { plantId, email, level: 'read' }),
        await call(owner, 'company/invite', { email }),
      ])
        expect(invited).toEqual({ invitationId: expect.any(String) });
    }
    const sent = (await call(owner, 'invitation/list')).records as {
      to: string;
      state: string;
    }[];
    expect(sent.filter(({ state }) => state === 'open').map(({ to }) => to)).toEqual([
      'ada@exämple.de',
    ]);
    expect((await call(owner, 'company/show')).invitations).toMatchObject([
      { email: 'ada@exämple.de' },
    ]);
  });

  test('that people have had for long stay good for what they have', async () => {
    const { owner, plantId } = await standing();
    const guest = await person();
    const odd = `victim-${guest.id}@v.example,1`;
    await database()
      .db.updateTable('account')
      .set({ email: odd })
      .where('id', '=', guest.id)
      .execute();
    await fleet.write((trx) => sharePlant(trx, fleet.act(), plantId, odd, 'read'));
    // Changing the share, naming the installer again and giving the share up name nobody new.
    expect(await call(owner, 'share/give', { plantId, email: odd, level: 'control' })).toEqual({});
    await database()
      .db.updateTable('plant')
      .set({ installerId: guest.id })
      .where('id', '=', plantId)
      .execute();
    expect(
      await call(owner, 'stationUpdate', { ...minimal, id: plantId, installerEmail: odd }),
    ).not.toBeInstanceOf(Error);
    expect(await call(guest, 'stationDetail', { id: plantId })).toMatchObject({ id: plantId });
    expect(
      await call(guest, 'share/withdraw', { plantId, email: odd.toUpperCase() }),
    ).not.toBeInstanceOf(Error);
    expect(await call(guest, 'stationDetail', { id: plantId })).toMatchObject({
      code: 'noPermission',
    });
  });
});
