import { expect, test, describe } from 'vitest';
import { changePassword } from '../../../packages/server/src/accounts/accounts.ts';
import { makeVerifiers } from '../../../packages/server/src/accounts/passwords.ts';
import { listAudit } from '../../../packages/server/src/accounts/audit.ts';
import { activateKeyPair, listKeyPairs } from '../../../packages/server/src/accounts/key-pairs.ts';
import { createSecretBox } from '../../../packages/server/src/kernel/secrets.ts';
import { addClient, addOwner, describeOauth, PASSWORD } from '../fixture.ts';
import { authorizeUrl, createVisitor, signIn, type Page, type Visitor } from '../visitor.ts';

const MINUTE_MS = 60_000;
const WRONG = 'The e-mail address or the password is wrong.';

describeOauth(
  'logging in',
  (t) => {
    const url = async (): Promise<string> => authorizeUrl(t.oauth.url, await addClient(t.world));
    const from = (address: string): Visitor => createVisitor({ 'X-Forwarded-For': address });
    let addresses = 0;
    const newAddress = (): string => `203.0.${Math.floor(++addresses / 250)}.${addresses % 250}`;
    const attempt = async (visitor: Visitor, address: string, email: string, password: string): Promise<Page> =>
      visitor.submit(await visitor.open(address), 'log-in', { email, password });

    test('leads back to the request with a new session (O22)', async () => {
      const owner = await addOwner(t.world);
      const [visitor, address] = [from(newAddress()), await url()];
      const page = await visitor.open(address);
      const before = visitor.cookies.get('helioport_session');
      const back = await visitor.submit(page, 'log-in', { email: owner.email, password: PASSWORD });
      expect(back.status).toBe(303);
      expect(back.location!.href).toBe(address);
      expect(visitor.cookies.get('helioport_session')).not.toBe(before);
      expect(back.headers.getSetCookie()).toEqual([
        expect.stringMatching(/^helioport_session=[A-Za-z0-9]{43}; Path=\/; HttpOnly; SameSite=Lax$/),
        expect.stringMatching(/^helioport_browser=[A-Za-z0-9]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/),
      ]);
    });

    test('an address with a NUL is nobody’s', async () => {
      const page = await attempt(from(newAddress()), await url(), 'ada\0@example.com', PASSWORD);
      expect([page.status, page.text.includes(WRONG)]).toEqual([200, true]);
    });

    test('a session that somebody planted is not taken over (O22)', async () => {
      const owner = await addOwner(t.world);
      const [visitor, address] = [from(newAddress()), await url()];
      visitor.cookies.set('helioport_session', 'A'.repeat(43));
      await visitor.submit(await visitor.open(address), 'log-in', { email: owner.email, password: PASSWORD });
      const stranger = createVisitor();
      stranger.cookies.set('helioport_session', 'A'.repeat(43));
      expect((await stranger.open(address)).text).toContain('Sign in');
    });

    test('leads nowhere else, whatever the query says (O22)', async () => {
      const owner = await addOwner(t.world);
      const address = `${await url()}&return_to=https%3A%2F%2Fevil.example&next=//evil.example`;
      const back = await attempt(from(newAddress()), address, owner.email, PASSWORD);
      expect(back.location!.href).toBe(address);
      expect(back.headers.get('location')).toMatch(/^authorize\?/);
    });

    test.each([
      ['a wrong password', undefined, 'wrong'],
      ['an unknown address', 'nobody@example.com', PASSWORD],
      ['no address', '', PASSWORD],
      ['an address that is none', 'x', PASSWORD],
      ['no password', undefined, ''],
      ['a password of 100,000 characters', undefined, 'x'.repeat(100_000)],
    ])('%s gets one and the same answer', async (_name, email, password) => {
      const owner = await addOwner(t.world);
      const page = await attempt(from(newAddress()), await url(), email ?? owner.email, password);
      expect(page.status).toBe(200);
      expect(page.text).toContain(WRONG);
      expect(page.text).not.toContain('value="wrong"');
    });

    test.each([
      ['without its token', { token: undefined }],
      ['with a token of another form', { token: 'x'.repeat(43) }],
    ])('%s the form is refused (O20)', async (_name, change) => {
      const owner = await addOwner(t.world);
      const visitor = from(newAddress());
      const page = await visitor.submit(await visitor.open(await url()), 'log-in', { email: owner.email, password: PASSWORD, ...change });
      expect(page.status).toBe(200);
      expect(page.text).toContain('Start again');
      expect(visitor.cookies.has('helioport_browser')).toBe(false);
    });

    test('the form of another request or another browser is refused (O20)', async () => {
      const owner = await addOwner(t.world);
      const [visitor, stranger] = [from(newAddress()), from(newAddress())];
      const [one, other] = [await visitor.open(await url()), await visitor.open(await url())];
      const token = one.forms[0]!.fields.find(([name]) => name === 'token')![1];
      expect((await visitor.submit(other, 'log-in', { email: owner.email, password: PASSWORD, token })).text).toContain('sent before');
      expect((await stranger.submit(one, 'log-in', { email: owner.email, password: PASSWORD })).text).toContain('sent before');
    });

    test('sent again after the log-in, the form is refused (O20)', async () => {
      const owner = await addOwner(t.world);
      const visitor = from(newAddress());
      const page = await visitor.open(await url());
      expect((await visitor.submit(page, 'log-in', { email: owner.email, password: PASSWORD })).status).toBe(303);
      expect((await visitor.submit(page, 'log-in', { email: owner.email, password: PASSWORD })).text).toContain('sent before');
    });

    test('activates key pairs that wait for it', async () => {
      const owner = await addOwner(t.world);
      const box = createSecretBox(Buffer.alloc(32, 7));
      const terms = { label: '', canControl: true, plantIds: null, cidrs: null, expiresAt: null };
      await activateKeyPair(t.database().db, t.world.act({ actor: `account:${owner.id}` }), box, { accountId: owner.id, password: PASSWORD }, terms);
      const pending = async (): Promise<boolean[]> => (await listKeyPairs(t.database().db, owner.id)).map((key) => key.pending);
      expect(await pending()).toEqual([true]);
      await signIn(from(newAddress()), await url(), owner.email);
      expect(await pending()).toEqual([false]);
    });

    test('ends after twelve hours, and at once by signing out', async () => {
      const owner = await addOwner(t.world);
      const [visitor, address] = [from(newAddress()), await url()];
      const page = await signIn(visitor, address, owner.email);
      const cookie = visitor.cookies.get('helioport_session')!;
      expect((await visitor.submit(page, 'log-out', { token: 'x' })).text).toContain('sent before');
      expect((await visitor.open(address)).text).toContain('asks for access');
      expect((await visitor.submit(page, 'log-out')).status).toBe(303);
      visitor.cookies.set('helioport_session', cookie);
      expect((await visitor.open(address)).text).toContain('Sign in');
      await signIn(visitor, address, owner.email);
      t.clock.at += 12 * 60 * MINUTE_MS;
      expect((await visitor.open(address)).text).toContain('Sign in');
    });

    test('opened afresh, the address of an answer leads back to the request', async () => {
      const address = await url();
      for (const name of ['log-in', 'consent', 'log-out']) {
        const back = await from(newAddress()).open(address.replace('/oauth/authorize', `/oauth/${name}`));
        expect([back.status, back.location!.href]).toEqual([303, address]);
      }
    });

    test('ends everywhere when the password is changed', async () => {
      const owner = await addOwner(t.world);
      const [visitor, address] = [from(newAddress()), await url()];
      await signIn(visitor, address, owner.email);
      const verifiers = await makeVerifiers('another password', false);
      await t.world.write((trx) => changePassword(trx, t.world.act(), owner.id, verifiers));
      expect((await visitor.open(address)).text).toContain('Sign in');
    });

    test('is in the audit trail, refused or not', async () => {
      const owner = await addOwner(t.world);
      const visitor = from('198.51.100.7');
      const address = await url();
      await attempt(visitor, address, owner.email, 'wrong');
      await signIn(visitor, address, owner.email);
      const events = await listAudit(t.database().db, owner.id, { limit: 10 });
      for (const kind of ['logIn.refused', 'logIn.succeeded']) expect(events).toContainEqual(expect.objectContaining({ kind, address: '198.51.100.7' }));
    });

    describe('is throttled', () => {
      test('after five failures from one address to one attempt in half a minute, right password or not', async () => {
        const owner = await addOwner(t.world);
        const [visitor, address] = [from(newAddress()), await url()];
        for (let i = 0; i < 5; i++) expect((await attempt(visitor, address, owner.email, 'wrong')).text).toContain(WRONG);
        for (let i = 0; i < 3; i++) {
          const refused = await attempt(visitor, address, owner.email, PASSWORD);
          expect(refused.status).toBe(429);
          expect(refused.headers.get('retry-after')).toBe('30');
          expect(refused.text).toContain('wait half a minute');
        }
        t.clock.at += 30_000;
        expect((await attempt(visitor, address, owner.email, 'wrong')).text).toContain(WRONG);
        expect((await attempt(visitor, address, owner.email, PASSWORD)).status).toBe(429);
        t.clock.at += 30_000;
        expect((await attempt(visitor, address, owner.email, PASSWORD)).status).toBe(303);
        // After a success everything is forgotten.
        for (let i = 0; i < 5; i++) expect((await attempt(from(newAddress()), address, owner.email, 'wrong')).text).toContain(WRONG);
      });

      test('while the owner gets in from elsewhere', async () => {
        const owner = await addOwner(t.world);
        const [stranger, address] = [from(newAddress()), await url()];
        for (let i = 0; i < 8; i++) await attempt(stranger, address, owner.email, 'wrong');
        expect((await attempt(from(newAddress()), address, owner.email, PASSWORD)).status).toBe(303);
      });

      test('not for a browser that the owner used before, even behind the same address', async () => {
        const owner = await addOwner(t.world);
        const [shared, address] = [newAddress(), await url()];
        const visitor = from(shared);
        await signIn(visitor, address, owner.email);
        const stranger = from(shared);
        for (let i = 0; i < 8; i++) await attempt(stranger, address, owner.email, 'wrong');
        visitor.cookies.delete('helioport_session');
        expect((await attempt(visitor, address, owner.email, PASSWORD)).status).toBe(303);
      });

      test('by address, over many accounts', async () => {
        const [visitor, address] = [from(newAddress()), await url()];
        const statuses = new Set<number>();
        for (let i = 0; i < 31; i++) statuses.add((await attempt(visitor, address, `person-${i}@nowhere.example`, 'x')).status);
        expect(statuses).toEqual(new Set([200, 429]));
      });

      test('and one IPv6 network counts as one', async () => {
        const owner = await addOwner(t.world);
        const address = await url();
        for (let i = 0; i < 5; i++) await attempt(from(`2001:db8:1:2::${i + 1}`), address, owner.email, 'wrong');
        expect((await attempt(from('2001:db8:1:2:ffff::9'), address, owner.email, PASSWORD)).status).toBe(429);
        expect((await attempt(from('2001:db8:1:3::1'), address, owner.email, PASSWORD)).status).toBe(303);
      });

      test('on an account that many addresses attack, to a trickle; the owner’s own browser does not notice', async () => {
        const owner = await addOwner(t.world);
        const address = await url();
        const own = from(newAddress());
        await signIn(own, address, owner.email);
        own.cookies.delete('helioport_session');
        for (let i = 0; i < 50; i++) await attempt(from(newAddress()), address, owner.email, 'wrong');
        expect((await attempt(from(newAddress()), address, owner.email, 'wrong')).status).toBe(429);
        expect((await attempt(own, address, owner.email, PASSWORD)).status).toBe(303);
        t.clock.at += 5000;
        expect((await attempt(from(newAddress()), address, owner.email, PASSWORD)).status).toBe(303);
      }, 60_000);

      test('many at once count as many', async () => {
        const owner = await addOwner(t.world);
        const address = await url();
        const [visitor] = [from(newAddress())];
        const page = await visitor.open(address);
        const pages = await Promise.all(Array.from({ length: 12 }, () => visitor.submit(page, 'log-in', { email: owner.email, password: 'wrong' })));
        expect(pages.filter(({ status }) => status === 429).length).toBe(7);
      });
    });
  },
  { trustedProxies: ['127.0.0.1'] },
);
