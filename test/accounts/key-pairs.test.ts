import { describe, expect, test } from 'vitest';
import { insertAccount } from '../../packages/server/src/identity/accounts/accounts.ts';
import { makeVerifiers } from '../../packages/server/src/identity/accounts/passwords.ts';
import { listAudit } from '../../packages/server/src/identity/accounts/audit.ts';
import {
  disableKeyPair,
  insertKeyPair,
  insertWaitingKeyPair,
  listKeyPairs,
  type KeyTerms,
} from '../../packages/server/src/identity/accounts/key-pairs.ts';
import { logIn } from '../../packages/server/src/identity/accounts/log-in.ts';
import {
  isAllowed,
  parseNetwork,
} from '../../packages/server/src/platform/kernel/addresses/networks.ts';
import {
  callerOfKey,
  findNearestSigningKey,
  touchKey,
} from '../../packages/server/src/identity/accounts/signing-key.ts';
import { legacyDigest } from '../../packages/server/src/platform/kernel/passwords/password.ts';
import { createSecretBox } from '../../packages/server/src/platform/kernel/secrets.ts';
import { describeEngines } from '../support/engines.ts';
import { createWorld, settableClock } from '../support/world.ts';

const box = createSecretBox(Buffer.alloc(32, 7));
const terms: KeyTerms = {
  label: 'home',
  canControl: false,
  plantIds: null,
  cidrs: null,
  expiresAt: null,
};

describeEngines('key pairs', (database) => {
  const clock = settableClock('2026-06-01T00:00:00Z');
  const world = createWorld(database, clock);
  const { act, write } = world;
  const add = (accountId: string, change: Partial<KeyTerms> = {}) =>
    write((trx) => insertKeyPair(trx, act(), box, accountId, { ...terms, ...change }));

  test('an operator’s key pair is active at once and looks as the interface says (S27)', async () => {
    const owner = await world.person();
    const { keyId, keySecret } = await add(owner.id, {
      plantIds: ['1', '2'],
      cidrs: ['10.0.0.7/8', '2001:db8::1'],
      expiresAt: clock.at + 1000,
      canControl: true,
    });
    expect(keyId).toMatch(/^\d{19}$/);
    expect(keySecret).toMatch(/^[0-9a-f]{32}$/);
    const key = await findNearestSigningKey(database().db, keyId);
    expect(key).toMatchObject({
      id: keyId,
      accountId: owner.id,
      canControl: true,
      plantIds: ['1', '2'],
      cidrs: ['10.0.0.0/8', '2001:db8::1/128'],
      pending: false,
      expiresAt: clock.at + 1000,
      disabledAt: null,
      accountDisabledAt: null,
      role: 'owner',
      lastUsedAt: null,
    });
    expect(callerOfKey(key!)).toEqual({
      kind: 'user',
      accountId: owner.id,
      keyId,
      canControl: true,
      plantIds: ['1', '2'],
    });
    expect(box.open(key!.secret, keyId)).toBe(keySecret);
  });

  test('the secret is stored sealed, bound to its KeyID, and listed nowhere', async () => {
    const owner = await world.person();
    const [first, second] = [await add(owner.id), await add(owner.id)];
    const { secret } = (await findNearestSigningKey(database().db, first.keyId))!;
    expect(() => box.open(secret, second.keyId)).toThrow(/authenticate/);
    const listed = JSON.stringify([
      await listKeyPairs(database().db, owner.id),
      await listAudit(database().db, owner.id, { limit: 100 }),
    ]);
    expect(listed).toContain(first.keyId);
    expect(listed).not.toContain(first.keySecret);
    expect(Buffer.from(secret).includes(Buffer.from(first.keySecret))).toBe(false);
  });

  test('an unknown KeyID, older or newer than all, is some other key, so that it takes as long', async () => {
    const { db } = database();
    const keyIds = (await listKeyPairs(db)).map((pair) => pair.keyId);
    for (const unknown of ['1300000000000000000', '9300000000000000000', '0', 'z'])
      expect(keyIds).toContain((await findNearestSigningKey(db, unknown))!.id);
  });

  test('several keys of an account work beside each other until one is disabled', async () => {
    const { db } = database();
    const owner = await world.person();
    const [old, next] = [
      await add(owner.id, { label: 'old' }),
      await add(owner.id, { label: 'next' }),
    ];
    await write((trx) => disableKeyPair(trx, act(), old.keyId));
    expect((await findNearestSigningKey(db, old.keyId))!.disabledAt).toBe(clock.at);
    expect((await findNearestSigningKey(db, next.keyId))!.disabledAt).toBeNull();
    expect((await listKeyPairs(db, owner.id)).map(({ label }) => label)).toEqual(['old', 'next']);
  });

  test('an owner disables only keys of the own account', async () => {
    const [owner, stranger] = [await world.person(), await world.person()];
    const { keyId } = await add(owner.id);
    await expect(
      write((trx) => disableKeyPair(trx, act(), keyId, stranger.id)),
    ).rejects.toMatchObject({ code: 'noPermission' });
    expect((await findNearestSigningKey(database().db, keyId))!.disabledAt).toBeNull();
    await write((trx) => disableKeyPair(trx, act(), keyId, owner.id));
  });

  test('a key that its owner created waits for the next log-in by password', async () => {
    const { db } = database();
    const email = 'activates@example.com';
    const verifiers = await makeVerifiers('correct horse', true);
    const { id: accountId } = await write((trx) =>
      insertAccount(trx, act(), { email, role: 'owner', timeZone: 'UTC', ...verifiers }),
    );
    const { keyId } = await write((trx) =>
      insertWaitingKeyPair(trx, act({ actor: `account:${accountId}` }), box, accountId, terms),
    );
    expect((await findNearestSigningKey(db, keyId))!.pending).toBe(true);
    await expect(logIn(db, act(), { email, password: 'guess' })).rejects.toMatchObject({
      code: 'wrongLogin',
    });
    await logIn(db, act(), { email, digest: legacyDigest('correct horse') });
    expect((await findNearestSigningKey(db, keyId))!.pending).toBe(true);
    await logIn(db, act(), { email, password: 'correct horse' });
    expect((await findNearestSigningKey(db, keyId))!.pending).toBe(false);
    expect(
      (await listAudit(db, accountId, { limit: 2 })).map(({ kind, data }) => [kind, data]),
    ).toEqual([
      ['key.activated', { keyId }],
      ['logIn.succeeded', {}],
    ]);
  });

  test('a key says whether its account is disabled', async () => {
    const { db } = database();
    const owner = await world.person();
    const { keyId } = await add(owner.id);
    await db.updateTable('account').set({ disabledAt: 5 }).where('id', '=', owner.id).execute();
    expect((await findNearestSigningKey(db, keyId))!.accountDisabledAt).toBe(5);
  });

  test('the use of a key is noted at most once a minute', async () => {
    const { db } = database();
    const owner = await world.person();
    const { keyId } = await add(owner.id);
    const use = async (at: number, path: string) =>
      touchKey(db, (await findNearestSigningKey(db, keyId))!, { at, address: '203.0.113.5', path });
    const used = async () => (await listKeyPairs(db, owner.id))[0]!;
    await use(1_000_000, '/v1/api/first');
    expect(await used()).toMatchObject({
      lastUsedAt: 1_000_000,
      lastUsedAddress: '203.0.113.5',
      lastUsedPath: '/v1/api/first',
    });
    await use(1_059_999, '/v1/api/second');
    expect(await used()).toMatchObject({ lastUsedAt: 1_000_000 });
    await use(1_060_000, '/v1/api/third');
    expect(await used()).toMatchObject({ lastUsedAt: 1_060_000, lastUsedPath: '/v1/api/third' });
    // Of two requests that read the key at once, the slower one does not set it back.
    await touchKey(
      db,
      { ...(await findNearestSigningKey(db, keyId))!, lastUsedAt: null },
      { at: 1_000_500, address: '203.0.113.5', path: '/late' },
    );
    expect(await used()).toMatchObject({ lastUsedAt: 1_060_000 });
  });

  test.each([
    ['label', { label: 'x'.repeat(101) }],
    ['label', { label: 'a\u0000' }],
    ['plantIds', { plantIds: ['1; drop'] }],
    ['cidrs', { cidrs: ['10.0.0.0/33'] }],
    ['expiresAt', { expiresAt: Date.parse('2026-06-01T00:00:00Z') }],
  ])('a wrong %s is refused', async (field, change) => {
    const owner = await world.person();
    await expect(add(owner.id, change)).rejects.toMatchObject({
      code: 'invalidValue',
      data: { field },
    });
  });
});

describe('networks', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7/32'],
    ['192.0.2.7/24', '192.0.2.0/24'],
    ['::1', '::1/128'],
    [' 2001:DB8::5/32 ', '2001:db8::/32'],
  ])('%j is read as %s', (text, network) => expect(parseNetwork(text)).toBe(network));

  test.each([
    '',
    '10',
    '10.1/8',
    '0x7f.0.0.1',
    '192.0.2.7/',
    '192.0.2.7/33',
    '::1/129',
    'example.com',
    '1.2.3.4/8/8',
    '1.2.3.4/+8',
  ])('%j is none', (text) => {
    expect(() => parseNetwork(text)).toThrow(expect.objectContaining({ code: 'invalidValue' }));
  });

  test('an address counts when one network holds it, also mapped into IPv6', () => {
    const networks = ['192.0.2.0/24', '2001:db8::/32'];
    expect(
      ['192.0.2.200', '::ffff:192.0.2.1', '2001:db8:1::1'].every((address) =>
        isAllowed(networks, address),
      ),
    ).toBe(true);
    expect(
      ['192.0.3.1', '::ffff:192.0.3.1', '2001:db9::1', '', 'unix'].some((address) =>
        isAllowed(networks, address),
      ),
    ).toBe(false);
    expect(isAllowed(null, 'anything')).toBe(true);
  });
});
