import { expect, test } from 'vitest';
import type { Account } from '../../../packages/server/src/identity/accounts/accounts.ts';
import {
  addPasskey,
  askForPasskey,
  beginPasskey,
  consumePasskey,
} from '../../../packages/server/src/identity/accounts/factors/passkeys.ts';
import { factorSources } from '../../support/credentials.ts';
import { describeEngines } from '../../support/engines.ts';
import { createWorld, settableClock } from '../../support/world.ts';
import { createSoftwareAuthenticator, type Lies } from './software-authenticator.ts';

const ORIGIN = 'https://portal.localhost';
const MINUTE = 60_000;

describeEngines('passkeys under attack', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const world = createWorld(database, clock);
  const sources = factorSources(ORIGIN);
  type Authenticator = ReturnType<typeof createSoftwareAuthenticator>;
  type Asked = { challenge: string };
  const outcome = (done: Promise<unknown>): Promise<string> =>
    done.then(
      () => 'done',
      ({ code, data, message }) => data?.field ?? code ?? message,
    );
  const begin = async (account: Account): Promise<Asked> =>
    (await beginPasskey(database().db, sources, clock.at, account)) as Asked;
  const add = (account: Account, response: string): Promise<string> =>
    outcome(
      world.write((trx) => addPasskey(trx, sources, world.act(), account.id, 'Key', response)),
    );
  const equipped = async (): Promise<{ account: Account; own: Authenticator }> => {
    const account = await world.person();
    const own = createSoftwareAuthenticator(ORIGIN, 'localhost');
    expect(await add(account, own.make(await begin(account)))).toBe('done');
    return { account, own };
  };
  const asSecond = async ({ id: accountId }: Account): Promise<Asked> =>
    (await askForPasskey(database().db, sources, clock.at, { accountId })) as Asked;
  const asFirst = async (browser: string): Promise<Asked> =>
    (await askForPasskey(database().db, sources, clock.at, { browser })) as Asked;
  const use = ({ id: accountId }: Account, response: string, browser?: string): Promise<string> =>
    outcome(
      world.write((trx) =>
        consumePasskey(
          trx,
          sources,
          clock.at,
          { accountId, ...(browser !== undefined && { browser }) },
          response,
        ),
      ),
    );

  test('log in and are a second factor, with the right answers', async () => {
    const { account, own } = await equipped();
    expect(await use(account, own.show(await asSecond(account), { flags: 1 }))).toBe('done');
    const shown = own.show(await asFirst('b1'), { userHandle: account.id });
    expect(await use(account, shown, 'b1')).toBe('done');
  });

  const lies: readonly (readonly [string, Lies])[] = [
    ['another site', { origin: 'https://evil.example' }],
    ['our host over another scheme', { origin: ORIGIN.replace('https', 'http') }],
    ['another port', { origin: `${ORIGIN}:8443` }],
    ['our host in another case', { origin: ORIGIN.toUpperCase() }],
    ['a host that ends as ours', { origin: 'https://evilportal.localhost' }],
    ['no origin', { origin: 'null' }],
    ['a page within another site’s', { crossOrigin: true }],
    ['another domain', { domain: 'evil.example' }],
    ['a parent domain', { domain: 'portal.localhost' }],
    ['a registration', { type: 'webauthn.create' }],
    ['nobody present', { flags: 0 }],
    ['a counter that stands', { counter: 1 }],
    ['a counter that fell', { counter: 0 }],
    ['another key', { key: createSoftwareAuthenticator(ORIGIN, 'localhost').privateKey }],
    ['an empty signature', { signature: Buffer.alloc(0) }],
    ['a credential that nobody has', { id: 'AAAA' }],
    ['a challenge of its own', { challenge: 'AAAA' }],
    ['an empty challenge', { challenge: '' }],
  ];

  test.each(lies)('accept nothing of %s, first or second factor', async (_, said) => {
    const { account, own } = await equipped();
    const counter = () =>
      database()
        .db.selectFrom('passkey')
        .select(['counter', 'lastUsedAt'])
        .where('accountId', '=', account.id)
        .executeTakeFirstOrThrow();
    const before = await counter();
    expect(await use(account, own.show(await asSecond(account), said))).toBe('wrongFactor');
    expect(await use(account, own.show(await asFirst('b'), said), 'b')).toBe('wrongFactor');
    expect(await counter()).toEqual(before);
  });

  test.each(lies.filter(([what]) => !/key|signature|counter|credential|registration/.test(what)))(
    'are not made with %s',
    async (_, said) => {
      const account = await world.person();
      const own = createSoftwareAuthenticator(ORIGIN, 'localhost');
      expect(await add(account, own.make(await begin(account), said))).toBe('response');
      expect(
        await database()
          .db.selectFrom('passkey')
          .select('id')
          .where('accountId', '=', account.id)
          .execute(),
      ).toEqual([]);
    },
  );

  test('open no other account: neither with its challenge nor with its credential', async () => {
    const [victim, thief] = [await equipped(), await equipped()];
    // The thief's key, and what the victim is asked.
    expect(await use(victim.account, thief.own.show(await asSecond(victim.account)))).toBe(
      'wrongFactor',
    );
    // The victim's credential id under the thief's key.
    expect(
      await use(
        victim.account,
        thief.own.show(await asSecond(victim.account), { id: victim.own.id }),
      ),
    ).toBe('wrongFactor');
    // The thief's own challenge for the victim's account, and the other way round.
    expect(await use(victim.account, victim.own.show(await asSecond(thief.account)))).toBe(
      'wrongFactor',
    );
    // A key that says it was made for somebody else.
    for (const userHandle of [victim.account.id, `${thief.account.id}0`, 'x'])
      expect(
        await use(thief.account, thief.own.show(await asFirst('b'), { userHandle }), 'b'),
      ).toBe('wrongFactor');
    // A passkey that another account has already.
    const again = victim.own.make(await begin(thief.account));
    expect(await add(thief.account, again)).toBe('response');
    // A challenge that was another account's to add a passkey with.
    const own = createSoftwareAuthenticator(ORIGIN, 'localhost');
    expect(await add(victim.account, own.make(await begin(thief.account)))).toBe('response');
  });

  test('do not take a challenge for one purpose for another, nor in another browser, nor late', async () => {
    const { account, own } = await equipped();
    // Without user verification, the second factor's answer may not become a log-in.
    expect(await use(account, own.show(await asSecond(account)), 'b')).toBe('wrongFactor');
    expect(await use(account, own.show(await asFirst('b')))).toBe('wrongFactor');
    expect(await use(account, own.show(await begin(account)))).toBe('wrongFactor');
    expect(await use(account, own.show(await asFirst('b')), 'c')).toBe('wrongFactor');
    expect(await use(account, own.show(await asFirst('b'), { flags: 1 }), 'b')).toBe('wrongFactor');
    const late = own.show(await asFirst('b'));
    clock.at += 5 * MINUTE;
    expect(await use(account, late, 'b')).toBe('wrongFactor');
    const lateAdding = createSoftwareAuthenticator(ORIGIN, 'localhost').make(await begin(account));
    clock.at += 5 * MINUTE;
    expect(await add(account, lateAdding)).toBe('response');
  });

  test('are answered once, though sixteen come at the same moment', async () => {
    const { account, own } = await equipped();
    for (const ask of [() => asSecond(account), () => asFirst('b')]) {
      const asked = await ask();
      // The same answer again and again, and new signatures for one challenge.
      const answers = Array.from({ length: 8 }, () => own.show(asked));
      const browser = ask.toString().includes('asFirst') ? 'b' : undefined;
      const outcomes = await Promise.all(
        [...answers, ...answers].map((answer) => use(account, answer, browser)),
      );
      expect(outcomes.filter((one) => one === 'done')).toHaveLength(1);
    }
    const asked = await begin(account);
    const made = createSoftwareAuthenticator(ORIGIN, 'localhost').make(asked);
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => add(account, made)));
    expect(outcomes.filter((one) => one === 'done')).toHaveLength(1);
  });

  test('make no fault of ours out of answers that are none', async () => {
    const { account, own } = await equipped();
    const shown = JSON.parse(own.show(await asSecond(account)));
    const answers = [
      '',
      'null',
      '[]',
      '1',
      '{"id":1}',
      '{"id":{}}',
      JSON.stringify({ ...shown, response: null }),
      JSON.stringify({ ...shown, response: {} }),
      JSON.stringify({ ...shown, type: 'x' }),
      JSON.stringify({ ...shown, rawId: 'x' }),
      ...['clientDataJSON', 'authenticatorData', 'signature'].flatMap((name) =>
        ['', 'AA', '%', 1, null, [], 'A'.repeat(100_000)].map((value) =>
          JSON.stringify({ ...shown, response: { ...shown.response, [name]: value } }),
        ),
      ),
    ];
    for (const answer of answers) {
      expect([answer.slice(0, 40), await use(account, answer)]).toEqual([
        answer.slice(0, 40),
        'wrongFactor',
      ]);
      expect(await add(account, answer)).toBe('response');
    }
  });
});
