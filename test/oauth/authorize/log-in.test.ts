import { expect, test, describe } from 'vitest';
import { changePassword } from '../../../packages/server/src/identity/accounts/accounts.ts';
import { makeVerifiers } from '../../../packages/server/src/identity/accounts/passwords.ts';
import { listAudit } from '../../../packages/server/src/identity/accounts/audit.ts';
import {
  insertWaitingKeyPair,
  listKeyPairs,
} from '../../../packages/server/src/identity/accounts/key-pairs.ts';
import { formToken } from '../../../packages/server/src/interfaces/edges/authorization/browser.ts';
import { logIn } from '../../../packages/server/src/identity/accounts/log-in.ts';
import { admitLogIn } from '../../../packages/server/src/identity/accounts/log-in-throttle.ts';
import { rememberBrowser } from '../../../packages/server/src/identity/accounts/known-browsers.ts';
import { hashSecret } from '../../../packages/server/src/platform/kernel/secrets.ts';
import { factorSources } from '../../support/credentials.ts';
import { listening } from '../../support/listening.ts';
import { addClient, addOwner, describeOauth, PASSWORD } from '../fixture.ts';
import { startOauth } from '../listener.ts';
import { authorizeUrl, createVisitor, signIn, type Page, type Visitor } from '../visitor.ts';

const MINUTE_MS = 60_000;
const WRONG = 'The e-mail address or the password is wrong.';

describeOauth(
  'logging in',
  (t) => {
    const url = async (): Promise<string> => authorizeUrl(t.oauth.url, await addClient(t.world));
    const from = (address: string): Visitor => createVisitor({ 'X-Forwarded-For': address });
    let addresses = 0;
    // Each in a network of its own.
    const newAddress = (): string => `10.${++addresses >> 8}.${addresses & 255}.7`;
    const attempt = async (
      visitor: Visitor,
      address: string,
      email: string,
      password: string,
    ): Promise<Page> => visitor.submit(await visitor.open(address), 'log-in', { email, password });

    /** The log-in form for a browser that is signed in: what it would send if somebody signed in over it. */
    const logInPageOf = async (visitor: Visitor, address: string): Promise<Page> => {
      const session = visitor.cookies.get('helioport_oauth_session')!;
      const { search } = new URL(address);
      const token = formToken(
        { sessionId: session, request: hashSecret(search.slice(1)) },
        'log-in',
      );
      const page = await visitor.open(address);
      return { ...page, forms: [{ action: `log-in${search}`, fields: [['token', token]] }] };
    };

    test('leads back to the request with a new session (O22)', async () => {
      const owner = await addOwner(t.world);
      const [visitor, address] = [from(newAddress()), await url()];
      const page = await visitor.open(address);
      const before = visitor.cookies.get('helioport_oauth_session');
      const back = await visitor.submit(page, 'log-in', { email: owner.email, password: PASSWORD });
      expect(back.status).toBe(303);
      expect(back.location!.href).toBe(address);
      expect(visitor.cookies.get('helioport_oauth_session')).not.toBe(before);
      expect(back.headers.getSetCookie()).toEqual([
        expect.stringMatching(
          /^helioport_oauth_session=[A-Za-z0-9]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
        ),
        expect.stringMatching(
          /^helioport_oauth_browser=[A-Za-z0-9]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/,
        ),
      ]);
    });

    test('leads to where a forgotten password is replaced, where e-mails are sent', async () => {
      const client = await addClient(t.world);
      expect((await from(newAddress()).open(authorizeUrl(t.oauth.url, client))).text).not.toContain(
        '/reset',
      );
      const sending = await startOauth(t.database(), t.clock, {
        portalUrl: 'https://portal.example.org',
        smtpUrl: 'smtp://127.0.0.1',
      });
      try {
        const { text } = await createVisitor({}).open(authorizeUrl(sending.url, client));
        expect(text).toContain(
          '<a href="https://portal.example.org/reset" target="_blank" rel="noopener">Forgotten your password?</a>',
        );
      } finally {
        await sending.close();
      }
    });

    test('leads to where people make an account, where they may', async () => {
      const client = await addClient(t.world);
      const portalUrl = 'https://portal.example.org';
      const leads = async (
        signUp: boolean,
        change: Record<string, string> = {},
      ): Promise<string | undefined> => {
        const offering = await startOauth(t.database(), t.clock, {
          portalUrl,
          smtpUrl: 'smtp://127.0.0.1',
          signUp,
        });
        try {
          const { text } = await createVisitor({}).open(authorizeUrl(offering.url, client, change));
          return /<a href="https:\/\/portal\.example\.org\/sign-up" target="_blank" rel="noopener">([^<]*)<\/a>/.exec(
            text,
          )?.[1];
        } finally {
          await offering.close();
        }
      };
      expect(await leads(false)).toBeUndefined();
      expect(await leads(true)).toBe('No account yet? Sign up');
      expect(await leads(true, { ui_locales: 'de' })).toBe('Noch kein Konto? Registrieren');
    });

    test('offers to show the password, to a person who has scripts', async () => {
      const { text } = await from(newAddress()).open(await url());
      expect(text).toMatch(
        /<button[^>]* hidden [^>]*data-show-password data-show="Show password" data-hide="Hide password"/,
      );
    });

    test('an address with a NUL is nobody’s', async () => {
      const page = await attempt(from(newAddress()), await url(), 'ada\0@example.com', PASSWORD);
      expect([page.status, page.text.includes(WRONG)]).toEqual([200, true]);
    });

    test('a session that somebody planted is not taken over (O22)', async () => {
      const owner = await addOwner(t.world);
      const [visitor, address] = [from(newAddress()), await url()];
      visitor.cookies.set('helioport_oauth_session', 'A'.repeat(43));
      await visitor.submit(await visitor.open(address), 'log-in', {
        email: owner.email,
        password: PASSWORD,
      });
      const stranger = createVisitor();
      stranger.cookies.set('helioport_oauth_session', 'A'.repeat(43));
      expect((await stranger.open(address)).text).toContain('Sign in');
    });

    test('ends the session that the browser had before, for the one who kept its cookie', async () => {
      const [owner, other] = [await addOwner(t.world), await addOwner(t.world)];
      const [visitor, address] = [from(newAddress()), await url()];
      const page = await visitor.open(address);
      await visitor.submit(page, 'log-in', { email: owner.email, password: PASSWORD });
      const former = visitor.cookies.get('helioport_oauth_session')!;
      await visitor.submit(await logInPageOf(visitor, address), 'log-in', {
        email: other.email,
        password: PASSWORD,
      });
      const keeper = createVisitor();
      keeper.cookies.set('helioport_oauth_session', former);
      expect((await keeper.open(address)).text).toContain('Sign in');
    });

    test('asks the database the same for an address with an account and one without', async () => {
      const owner = await addOwner(t.world);
      const statements = async (email: string): Promise<string[]> => {
        const { db, texts } = listening(t.database().db);
        const admitted = await admitLogIn(db, t.clock.at, {
          email,
          address: newAddress(),
          browser: 'x'.repeat(43),
        });
        expect(admitted).toMatchObject({ delayMs: 0, turn: { origin: expect.any(String) } });
        await expect(logIn(db, t.world.act(), { email, password: 'wrong' })).rejects.toMatchObject({
          code: 'wrongLogin',
        });
        return texts;
      };
      const known = await statements(owner.email);
      expect(known.length).toBeGreaterThan(3);
      expect(await statements('nobody@example.com')).toEqual(known);
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
      const page = await visitor.submit(await visitor.open(await url()), 'log-in', {
        email: owner.email,
        password: PASSWORD,
        ...change,
      });
      expect(page.status).toBe(200);
      expect(page.text).toContain('Start again');
      expect(visitor.cookies.has('helioport_oauth_browser')).toBe(false);
    });

    test('the form of another request or another browser is refused (O20)', async () => {
      const owner = await addOwner(t.world);
      const [visitor, stranger] = [from(newAddress()), from(newAddress())];
      const [one, other] = [await visitor.open(await url()), await visitor.open(await url())];
      const token = one.forms[0]!.fields.find(([name]) => name === 'token')![1];
      expect(
        (await visitor.submit(other, 'log-in', { email: owner.email, password: PASSWORD, token }))
          .text,
      ).toContain('already submitted');
      expect(
        (await stranger.submit(one, 'log-in', { email: owner.email, password: PASSWORD })).text,
      ).toContain('already submitted');
    });

    test('sent again after the log-in, the form is refused (O20)', async () => {
      const owner = await addOwner(t.world);
      const visitor = from(newAddress());
      const page = await visitor.open(await url());
      expect(
        (await visitor.submit(page, 'log-in', { email: owner.email, password: PASSWORD })).status,
      ).toBe(303);
      expect(
        (await visitor.submit(page, 'log-in', { email: owner.email, password: PASSWORD })).text,
      ).toContain('already submitted');
    });

    test('activates key pairs that wait for it', async () => {
      const owner = await addOwner(t.world);
      const terms = { label: '', canControl: true, plantIds: null, cidrs: null, expiresAt: null };
      await t.world.write((trx) =>
        insertWaitingKeyPair(
          trx,
          t.world.act({ actor: `account:${owner.id}` }),
          factorSources().secretBox,
          owner.id,
          terms,
        ),
      );
      const pending = async (): Promise<boolean[]> =>
        (await listKeyPairs(t.database().db, owner.id)).map((key) => key.pending);
      expect(await pending()).toEqual([true]);
      await signIn(from(newAddress()), await url(), owner.email);
      expect(await pending()).toEqual([false]);
    });

    test('ends after twelve hours, and at once by signing out', async () => {
      const owner = await addOwner(t.world);
      const [visitor, address] = [from(newAddress()), await url()];
      const page = await signIn(visitor, address, owner.email);
      const cookie = visitor.cookies.get('helioport_oauth_session')!;
      expect((await visitor.submit(page, 'log-out', { token: 'x' })).text).toContain(
        'already submitted',
      );
      expect((await visitor.open(address)).text).toContain('is requesting access');
      expect((await visitor.submit(page, 'log-out')).status).toBe(303);
      visitor.cookies.set('helioport_oauth_session', cookie);
      expect((await visitor.open(address)).text).toContain('Sign in');
      await signIn(visitor, address, owner.email);
      t.clock.at += 12 * 60 * MINUTE_MS;
      expect((await visitor.open(address)).text).toContain('Sign in');
    });

    test('opened afresh, the address of an answer leads back to the request', async () => {
      const address = await url();
      for (const name of ['log-in', 'consent', 'log-out']) {
        const back = await from(newAddress()).open(
          address.replace('/oauth/authorize', `/oauth/${name}`),
        );
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
      for (const kind of ['logIn.refused', 'logIn.succeeded'])
        expect(events).toContainEqual(expect.objectContaining({ kind, address: '198.51.100.7' }));
    });

    describe('is throttled', () => {
      test('after five failures from one address to one attempt in half a minute, right password or not', async () => {
        const owner = await addOwner(t.world);
        const [visitor, address] = [from(newAddress()), await url()];
        for (let i = 0; i < 5; i++)
          expect((await attempt(visitor, address, owner.email, 'wrong')).text).toContain(WRONG);
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
        for (let i = 0; i < 5; i++)
          expect((await attempt(from(newAddress()), address, owner.email, 'wrong')).text).toContain(
            WRONG,
          );
      });

      test('while the owner gets in from elsewhere', async () => {
        const owner = await addOwner(t.world);
        const [stranger, address] = [from(newAddress()), await url()];
        for (let i = 0; i < 8; i++) await attempt(stranger, address, owner.email, 'wrong');
        expect((await attempt(from(newAddress()), address, owner.email, PASSWORD)).status).toBe(
          303,
        );
      });

      test('not for a browser that the owner used before, even behind the same address', async () => {
        const owner = await addOwner(t.world);
        const [shared, address] = [newAddress(), await url()];
        const visitor = from(shared);
        await signIn(visitor, address, owner.email);
        const stranger = from(shared);
        for (let i = 0; i < 8; i++) await attempt(stranger, address, owner.email, 'wrong');
        visitor.cookies.delete('helioport_oauth_session');
        expect((await attempt(visitor, address, owner.email, PASSWORD)).status).toBe(303);
      });

      test('by address, over many accounts', async () => {
        const [visitor, address] = [from(newAddress()), await url()];
        const statuses = new Set<number>();
        for (let i = 0; i < 31; i++)
          statuses.add(
            (await attempt(visitor, address, `person-${i}@nowhere.example`, 'x')).status,
          );
        expect(statuses).toEqual(new Set([200, 429]));
      });

      test('and one IPv6 network counts as one', async () => {
        const owner = await addOwner(t.world);
        const address = await url();
        for (let i = 0; i < 5; i++)
          await attempt(from(`2001:db8:1:2::${i + 1}`), address, owner.email, 'wrong');
        expect(
          (await attempt(from('2001:db8:1:2:ffff::9'), address, owner.email, PASSWORD)).status,
        ).toBe(429);
        expect(
          (await attempt(from('2001:db8:1:3::1'), address, owner.email, PASSWORD)).status,
        ).toBe(303);
      });

      test('and so do the networks around it, with more room; an owner elsewhere does not notice', async () => {
        const owner = await addOwner(t.world);
        const address = await url();
        const statuses: number[] = [];
        for (let i = 0; i < 24; i++)
          statuses.push(
            (await attempt(from(`2001:db8:7:${i}::1`), address, owner.email, 'wrong')).status,
          );
        expect(statuses).toEqual([
          ...Array.from({ length: 20 }, () => 200),
          ...Array.from({ length: 4 }, () => 429),
        ]);
        // Thirteen new browsers of the owner, one after the other, while it goes on.
        for (let i = 0; i < 13; i++) {
          t.clock.at += 1000;
          await attempt(from(`2001:db8:7:${i + 100}::1`), address, owner.email, 'wrong');
          expect(
            (await attempt(from(`2001:db9:${i}::1`), address, owner.email, PASSWORD)).status,
          ).toBe(303);
        }
      });

      test('never for what an account as a whole has seen: beyond that an attempt takes two seconds longer, with or without an account', async () => {
        const { db } = t.database();
        const [owner, own] = [await addOwner(t.world), newAddress()];
        const known = await t.world.write((trx) =>
          rememberBrowser(trx, t.clock.at, owner.id, undefined),
        );
        for (const email of [owner.email, 'nobody-at-all@example.com']) {
          const delays: number[] = [];
          for (let i = 0; i < 200; i++)
            delays.push(
              (
                await admitLogIn(db, t.clock.at, {
                  email,
                  address: newAddress(),
                  browser: undefined,
                })
              ).delayMs,
            );
          expect(new Set(delays.slice(0, 50))).toEqual(new Set([0]));
          expect(new Set(delays.slice(50))).toEqual(new Set([2000]));
        }
        const started = performance.now();
        expect((await attempt(from(own), await url(), owner.email, PASSWORD)).status).toBe(303);
        expect(performance.now() - started).toBeGreaterThan(2000);
        expect(
          await admitLogIn(db, t.clock.at, { email: owner.email, address: own, browser: known }),
        ).toMatchObject({ delayMs: 0, turn: { first: true } });
        // Some minutes after the last of them it is over.
        t.clock.at += 6 * MINUTE_MS;
        expect(
          (
            await admitLogIn(db, t.clock.at, {
              email: owner.email,
              address: newAddress(),
              browser: undefined,
            })
          ).delayMs,
        ).toBe(0);
      });

      test('without a write, once it is refused', async () => {
        const [email, address] = [`busy-${newAddress()}@example.com`, newAddress()];
        const { db, texts } = listening(t.database().db);
        const place = { email, address, browser: undefined };
        for (let i = 0; i < 5; i++) await admitLogIn(db, t.clock.at, place);
        texts.length = 0;
        for (let i = 0; i < 5; i++)
          await expect(admitLogIn(db, t.clock.at, place)).rejects.toMatchObject({
            code: 'tooManyRequests',
          });
        expect(texts.filter((text) => !text.startsWith('select'))).toEqual([]);
        // What the first refusal read is remembered until it changes.
        expect(texts).toHaveLength(1);
        t.clock.at += 30_000;
        expect(await admitLogIn(db, t.clock.at, place)).toMatchObject({ delayMs: 0 });
      });

      test('no longer, once a right password of the same place was let in meanwhile', async () => {
        const [email, address] = [`meanwhile-${newAddress()}@example.com`, newAddress()];
        const { db } = t.database();
        const place = { email, address, browser: undefined };
        const attempts: Awaited<ReturnType<typeof admitLogIn>>[] = [];
        for (let i = 0; i < 5; i++) attempts.push(await admitLogIn(db, t.clock.at, place));
        await expect(admitLogIn(db, t.clock.at, place)).rejects.toMatchObject({
          code: 'tooManyRequests',
        });
        await attempts[0]!.succeeded();
        expect(await admitLogIn(db, t.clock.at, place)).toMatchObject({ delayMs: 0 });
      });

      test('and passwords are verified by turns of whole networks, those of known browsers first', async () => {
        const { db } = t.database();
        const owner = await addOwner(t.world);
        const turnOf = async (address: string, browser?: string): Promise<object> =>
          (await admitLogIn(db, t.clock.at, { email: owner.email, address, browser })).turn;
        expect(await turnOf('203.0.113.9')).toEqual({ origin: '203.0.113.0/24' });
        expect(await turnOf('2001:dba:7:1::1')).toEqual({ origin: '2001:dba::/32' });
        const known = await t.world.write((trx) =>
          rememberBrowser(trx, t.clock.at, owner.id, undefined),
        );
        expect(await turnOf('203.0.113.9', known)).toEqual({ first: true });
      });

      test('not for a browser that another account has logged in with: it is known to its own account alone', async () => {
        const [owner, other] = [await addOwner(t.world), await addOwner(t.world)];
        const [visitor, address] = [from(newAddress()), await url()];
        await signIn(visitor, address, other.email);
        visitor.cookies.delete('helioport_oauth_session');
        for (let i = 0; i < 5; i++)
          await attempt(from('10.250.0.7'), address, owner.email, 'wrong');
        const stranger = from('10.250.0.7');
        stranger.cookies.set(
          'helioport_oauth_browser',
          visitor.cookies.get('helioport_oauth_browser')!,
        );
        expect((await attempt(stranger, address, owner.email, PASSWORD)).status).toBe(429);
        expect((await attempt(stranger, address, other.email, PASSWORD)).status).toBe(303);
      });

      test('many at once count as many', async () => {
        const owner = await addOwner(t.world);
        const address = await url();
        const [visitor] = [from(newAddress())];
        const page = await visitor.open(address);
        const pages = await Promise.all(
          Array.from({ length: 12 }, () =>
            visitor.submit(page, 'log-in', { email: owner.email, password: 'wrong' }),
          ),
        );
        expect(pages.filter(({ status }) => status === 429).length).toBe(7);
      });
    });
  },
  { trustedProxies: ['127.0.0.1'] },
);
