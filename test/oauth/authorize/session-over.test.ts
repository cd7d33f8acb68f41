import { afterAll, beforeAll, expect, test } from 'vitest';
import { endAllAccess } from '../../../packages/server/src/control/commands/all-access.ts';
import {
  changePassword,
  changeRole,
  disableAccount,
  type Account,
} from '../../../packages/server/src/identity/accounts/accounts.ts';
import { endSessions } from '../../../packages/server/src/identity/accounts/sessions.ts';
import { listGrants } from '../../../packages/server/src/identity/oauth/grants.ts';
import type { Db } from '../../../packages/server/src/platform/storage/database.ts';
import { addClient, addOwner, describeOauth, type TestClient } from '../fixture.ts';
import { startOauth, type TestOauth } from '../listener.ts';
import { authorizeUrl, createVisitor, signIn, type Page } from '../visitor.ts';

const AT_ONCE = 12;

/** A database whose next transactions begin together, after what `meanwhile` does. */
function gate(db: Db) {
  let waiting: (() => void)[] | undefined;
  let meanwhile = async (): Promise<unknown> => undefined;
  const arrive = (): Promise<void> =>
    new Promise((go, fail) => {
      waiting!.push(go);
      if (waiting!.length < AT_ONCE) return;
      const all = waiting!;
      waiting = undefined;
      meanwhile().then(() => all.forEach((one) => one()), fail);
    });
  const transaction = () => ({
    async execute(work: (trx: Db) => Promise<unknown>) {
      if (waiting) await arrive();
      return db.transaction().execute(work);
    },
  });
  return {
    db: new Proxy(db, {
      get(target, key) {
        if (key === 'transaction') return transaction;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    }),
    close(work: () => Promise<unknown>): void {
      waiting = [];
      meanwhile = work;
    },
  };
}

describeOauth('a session of the authorization pages that ends while a decision waits', (t) => {
  let client: TestClient;
  let oauth: TestOauth;
  let gated: ReturnType<typeof gate>;
  beforeAll(async () => {
    client = await addClient(t.world);
    gated = gate(t.database().db);
    oauth = await startOauth(gated, t.clock);
  });
  afterAll(() => oauth.close());

  const url = (change: Record<string, string> = {}): string =>
    authorizeUrl(oauth.url, client, change);
  const verifiers = { passwordHash: 'another', legacyHash: null };
  const write = (change: (trx: Db) => Promise<unknown>) => t.world.write(change);
  const replaced = (owner: Account) =>
    write(async (trx) => {
      await changePassword(trx, t.world.act(), owner.id, verifiers);
      await endAllAccess(trx, t.world.act(), owner.id);
    });
  const ends: Readonly<Record<string, (owner: Account) => Promise<unknown>>> = {
    'another password that ends all access': replaced,
    'another role': (owner) =>
      write(async (trx) => {
        await endAllAccess(trx, t.world.act(), owner.id);
        await changeRole(trx, t.world.act(), owner, 'operator');
      }),
    'the account is disabled': (owner) =>
      write((trx) => disableAccount(trx, t.world.act(), owner.id)),
    'the session is ended': (owner) => write((trx) => endSessions(trx, owner.id)),
  };
  const living = async (owner: Account): Promise<number> =>
    (await listGrants(t.database().db, owner.id)).filter(({ revokedAt }) => revokedAt === null)
      .length;
  const codes = async (owner: Account): Promise<number> =>
    (
      await t
        .database()
        .db.selectFrom('tokenFamily')
        .select('codeHash')
        .where('accountId', '=', owner.id)
        .execute()
    ).length;
  const isAskedToLogIn = (answers: readonly Page[]): void => {
    for (const { status, location } of answers) {
      expect([status, location?.pathname]).toEqual([303, '/oauth/authorize']);
      expect(location!.searchParams.get('client_id')).toBe(client.clientId);
    }
  };
  const approval = { decision: 'approve', plants: 'all', scope: 'access_data' };

  test.each(Object.entries(ends))('approves nothing: %s', async (_name, end) => {
    const owner = await addOwner(t.world);
    const visitor = createVisitor();
    await signIn(visitor, url(), owner.email);
    const pages = await Promise.all(Array.from({ length: AT_ONCE }, () => visitor.open(url())));
    gated.close(() => end(owner));
    isAskedToLogIn(
      await Promise.all(pages.map((page) => visitor.submit(page, 'consent', approval))),
    );
    expect([await living(owner), await codes(owner)]).toEqual([0, 0]);
    const back = await visitor.open(url());
    expect(back.forms.map(({ action }) => action.split('?')[0])).toContain('log-in');
  });

  test.each(Object.entries(ends))('gets no code without being asked: %s', async (_name, end) => {
    const owner = await addOwner(t.world);
    const visitor = createVisitor();
    const page = await signIn(visitor, url(), owner.email);
    const granted = await visitor.submit(page, 'consent', approval);
    expect(granted.location!.searchParams.get('code')).not.toBeNull();
    gated.close(() => end(owner));
    const again = url({ scope: 'access_data', state: 'again' });
    isAskedToLogIn(await Promise.all(Array.from({ length: AT_ONCE }, () => visitor.open(again))));
    expect(await codes(owner)).toBe(1);
  });

  test('leaves no authorization behind, no matter who comes first', async () => {
    for (let round = 0; round < 4; round++) {
      const owner = await addOwner(t.world);
      const visitor = createVisitor();
      await signIn(visitor, url(), owner.email);
      const asked = url({ prompt: 'consent' });
      const pages = await Promise.all(Array.from({ length: AT_ONCE }, () => visitor.open(asked)));
      const decisions = pages.map((page) => visitor.submit(page, 'consent', approval));
      await Promise.race(decisions);
      await Promise.all([replaced(owner), ...decisions]);
      expect(await living(owner)).toBe(0);
    }
  });
});
