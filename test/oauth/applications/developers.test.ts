import { operations, type OperationId, type OutputOfOperation } from '@helioport/contract';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { listAudit } from '../../../packages/server/src/identity/accounts/audit.ts';
import type { Caller, UserCaller } from '../../../packages/server/src/identity/accounts/caller.ts';
import { insertDestination } from '../../../packages/server/src/outbound/forwarding/destinations/destinations.ts';
import { partsOf } from '../../../packages/server/src/outbound/forwarding/destinations/settings.ts';
import type { Failure } from '../../../packages/server/src/platform/kernel/failure.ts';
import { inputOf } from '../../../packages/server/src/interfaces/operations/input.ts';
import {
  disableApplication,
  getApplication,
} from '../../../packages/server/src/identity/oauth/applications.ts';
import { authenticateApplication } from '../../../packages/server/src/identity/oauth/client-secrets.ts';
import { issueCode } from '../../../packages/server/src/identity/oauth/families.ts';
import { recordConsent, revokeGrant } from '../../../packages/server/src/identity/oauth/grants.ts';
import type { Db } from '../../../packages/server/src/platform/storage/database.ts';
import { createFleet } from '../../operations/fleet.ts';
import { credentials } from '../../support/credentials.ts';
import { createSqliteDatabase, describeEngines } from '../../support/engines.ts';
import { settableClock, userCaller } from '../../support/world.ts';
import { addOwner, PASSWORD } from '../fixture.ts';

const DAY_MS = 86_400_000;
const callback = 'https://yield.example/callback';
const operator = { kind: 'operator', accountId: null, plantIds: null } as const;

describeEngines('people who apply for an application', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const fleet = createFleet(database, clock);
  let names = 0;
  /** As at a door: the contract reads the request first. */
  const ask = async <Id extends OperationId>(
    id: Id,
    caller: Caller,
    body: Record<string, unknown>,
  ): Promise<OutputOfOperation<Id>> =>
    (
      fleet.handlers()[id] as never as (
        caller: Caller,
        input: object,
      ) => Promise<OutputOfOperation<Id>>
    )(caller, inputOf(operations[id], body));
  const stated = (change: object = {}) => ({
    name: `Yield Watch ${++names}`,
    purpose: 'Compares yields',
    redirectUri: callback,
    scopes: 'access_data',
    ...change,
  });
  const developer = async (): Promise<UserCaller> =>
    userCaller((await addOwner(fleet)).id, { address: '203.0.113.9' });
  const apply = async (caller: UserCaller, change: object = {}): Promise<string> =>
    (await ask('developer/apply', caller, stated(change))).clientId;
  const show = (caller: UserCaller, clientId: string) =>
    ask('developer/show', caller, { clientId });
  const refusal = (asked: Promise<unknown>): Promise<Pick<Failure, 'code' | 'data'> | 'done'> =>
    asked.then(
      () => 'done' as const,
      ({ code, data }: Failure) => ({ code, data }),
    );
  const invalid = (field: string, expected: unknown = expect.any(String)) => ({
    code: 'invalidValue',
    data: { field, expected },
  });

  test('say what it is for, and see what the operator makes of it: approved with fewer scopes', async () => {
    const caller = await developer();
    const clientId = await apply(caller, {
      scopes: 'access_data,control_device',
      homePage: 'https://yield.example',
      challengeRequired: 1,
    });
    expect(await show(caller, clientId)).toMatchObject({
      clientId,
      state: 'submitted',
      scopes: ['access_data', 'control_device'],
      requirePkce: true,
      resourceServer: false,
      submittedAt: clock.at,
      decidedAt: null,
      secrets: [],
      consents: { living: 0, withControl: 0, forSomePlants: 0, givenLately: 0, endedLately: 0 },
    });
    expect(await ask('application/list', operator, {})).toContainEqual(
      expect.objectContaining({ clientId, owner: expect.stringContaining('owner-') }),
    );
    // The password is not even looked at.
    expect(
      await refusal(
        ask('developer/rotateSecret', caller, { clientId, password: 'not the password' }),
      ),
    ).toEqual(invalid('clientId'));
    clock.at += 1000;
    await ask('application/approve', operator, { application: clientId, scopes: 'access_data' });
    expect(await ask('developer/list', caller, {})).toMatchObject([
      {
        clientId,
        state: 'approved',
        scopes: ['access_data'],
        askedScopes: ['access_data', 'control_device'],
        decidedAt: clock.at,
      },
    ]);
    const trail = await listAudit(database().db, caller.accountId, { limit: 10 });
    expect(trail.map(({ kind }) => kind)).toEqual([
      'application.approved',
      'application.submitted',
      'account.created',
    ]);
    expect(trail[0]!.data).toMatchObject({
      name: expect.stringMatching(/^Yield Watch/),
      asked: 'access_data control_device',
      scopes: 'access_data',
    });
  });

  test('read why it was rejected, change it and submit it again; then it can be withdrawn, and its name is free', async () => {
    const caller = await developer();
    const name = `Returned ${++names}`;
    const clientId = await apply(caller, { name });
    await ask('application/reject', operator, {
      application: clientId,
      reason: 'The home page is missing.',
    });
    expect(await show(caller, clientId)).toMatchObject({
      state: 'rejected',
      reason: 'The home page is missing.',
    });
    clock.at += 1000;
    const amended = await ask('developer/amend', caller, {
      clientId,
      homePage: 'https://yield.example',
      redirectUri: 'https://yield.example?x=1',
    });
    expect(amended).toEqual({
      clientId,
      state: 'submitted',
      warnings: [expect.stringContaining('query'), expect.stringContaining('no path')],
    });
    expect(await show(caller, clientId)).toMatchObject({
      state: 'submitted',
      reason: null,
      homePage: 'https://yield.example',
      submittedAt: clock.at,
      decidedAt: null,
    });
    const { application } = await fleet.write(async (trx) => ({
      application: await getApplication(trx, clientId),
    }));
    await fleet.write(async (trx) => {
      const url = 'https://192.0.2.1/events';
      await insertDestination(trx, fleet.act(), await credentials.secretBox(), application, {
        ...partsOf({ url }),
        url,
      });
    });
    await ask('developer/amend', caller, { clientId, scopes: 'control_device' });
    expect(await show(caller, clientId)).toMatchObject({
      scopes: ['control_device'],
      askedScopes: ['control_device'],
    });
    await ask('developer/withdraw', caller, { clientId });
    expect(await ask('developer/list', caller, {})).toEqual([]);
    expect(await refusal(show(caller, clientId))).toMatchObject({ code: 'noPermission' });
    expect(await apply(caller, { name })).not.toBe(clientId);
  });

  test('cannot change it behind the back of the operator who decides', async () => {
    const caller = await developer();
    const clientId = await apply(caller);
    const { submittedAt } = await show(caller, clientId);
    clock.at += 1000;
    await ask('developer/amend', caller, {
      clientId,
      redirectUri: 'https://elsewhere.example/callback',
    });
    for (const decision of ['application/approve', 'application/reject'] as const)
      expect(
        await refusal(ask(decision, operator, { application: clientId, submittedAt })),
      ).toMatchObject({ code: 'changedMeanwhile' });
    expect(await show(caller, clientId)).toMatchObject({ state: 'submitted' });
    await ask('application/approve', operator, { application: clientId, submittedAt: clock.at });
    for (const change of [
      { redirectUri: 'https://elsewhere.example/callback' },
      { scopes: 'access_data,control_device' },
      { purpose: 'More' },
    ])
      expect(await refusal(ask('developer/amend', caller, { clientId, ...change }))).toEqual(
        invalid('clientId'),
      );
    expect(await refusal(ask('developer/withdraw', caller, { clientId }))).toEqual(
      invalid('clientId'),
    );
    // Not even once it was taken back: owners may know it.
    await ask('application/reject', operator, { application: clientId });
    expect(await refusal(ask('developer/withdraw', caller, { clientId }))).toEqual(
      invalid('clientId'),
    );
  });

  test('cannot amend what the operator disabled', async () => {
    const caller = await developer();
    const clientId = await apply(caller);
    await ask('application/disable', operator, { application: clientId });
    expect(await show(caller, clientId)).toMatchObject({ state: 'disabled' });
    expect(await refusal(ask('developer/amend', caller, { clientId, purpose: 'More' }))).toEqual(
      invalid('clientId'),
    );
  });

  test('have at most three that wait, however they come about', async () => {
    const caller = await developer();
    const first = await apply(caller);
    await ask('application/reject', operator, { application: first });
    for (let i = 0; i < 3; i++) await apply(caller);
    expect(await refusal(apply(caller))).toEqual(
      invalid('name', expect.stringContaining('at most 3')),
    );
    expect(
      await refusal(ask('developer/amend', caller, { clientId: first, purpose: 'Again' })),
    ).toEqual(invalid('name', expect.stringContaining('at most 3')));
    const other = await developer();
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => refusal(apply(other))));
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(3);
  });

  test('have at most twenty altogether', async () => {
    const caller = await developer();
    for (let i = 0; i < 20; i++)
      await ask('application/reject', operator, { application: await apply(caller) });
    expect(await refusal(apply(caller))).toEqual(
      invalid('name', expect.stringContaining('at most 20')),
    );
  });

  test.each([
    [{ name: ' Yield' }, 'name'],
    [{ name: 'Yield\u202eWatch' }, 'name'],
    [{ name: 'x'.repeat(81) }, 'name'],
    [{ purpose: 'Compares\u0000yields' }, 'purpose'],
    [{ purpose: 'to \u202eyas' }, 'purpose'],
    [{ purpose: 'x'.repeat(1001) }, 'purpose'],
    [{ homePage: 'javascript:alert(1)' }, 'homePage'],
    [{ redirectUri: 'http://yield.example/callback' }, 'redirectUri'],
    [{ redirectUri: 'https://yield.example/*' }, 'redirectUri'],
    [{ redirectUri: 'https://user@yield.example/' }, 'redirectUri'],
    [{ scopes: 'openid' }, 'scopes'],
  ])('are refused %j with the name of the field', async (change, field) => {
    const caller = await developer();
    expect(await refusal(apply(caller, change))).toEqual(invalid(field));
    expect(await ask('developer/list', caller, {})).toEqual([]);
    const clientId = await apply(caller);
    if (field === 'name') return;
    const before = await show(caller, clientId);
    expect(await refusal(ask('developer/amend', caller, { clientId, ...change }))).toEqual(
      invalid(field),
    );
    expect(await show(caller, clientId)).toEqual(before);
  });

  test.each(['name', 'purpose', 'redirectUri', 'scopes'])('must state %s', async (field) => {
    expect(await refusal(apply(await developer(), { [field]: '' }))).toEqual({
      code: 'missingParameter',
      data: { field },
    });
  });

  test('cannot take the name of another application', async () => {
    const name = `Taken ${++names}`;
    await apply(await developer(), { name });
    expect(await refusal(apply(await developer(), { name }))).toEqual(invalid('name'));
  });

  test('keep text as it is, whatever it looks like', async () => {
    const caller = await developer();
    const hostile = {
      name: `<img src=x onerror=alert(1)> ${++names}`,
      purpose: '"><script>alert(1)</script> مرحبا 👨‍👩‍👧',
    };
    expect(await show(caller, await apply(caller, hostile))).toMatchObject(hostile);
  });

  test('make a secret with their password, which is shown once; the earlier one goes on for the time that they say', async () => {
    const caller = await developer();
    const clientId = await apply(caller);
    await ask('application/approve', operator, { application: clientId });
    const rotate = (change: object = {}) =>
      ask('developer/rotateSecret', caller, { clientId, password: PASSWORD, ...change });
    expect(await refusal(rotate({ password: 'not the password' }))).toMatchObject({
      code: 'wrongLogin',
    });
    expect((await show(caller, clientId)).secrets).toEqual([]);
    const first = await rotate();
    const works = async (secret: string) =>
      (await authenticateApplication(database().db, clock.at, clientId, secret)) !== undefined;
    expect(await works(first.clientSecret)).toBe(true);
    const second = await rotate({ overlapDays: 7 });
    expect(second.earlierSecretsEndAt).toBe(clock.at + 7 * DAY_MS);
    expect([await works(first.clientSecret), await works(second.clientSecret)]).toEqual([
      true,
      true,
    ]);
    const shown = await show(caller, clientId);
    expect(shown.secrets.map(({ expiresAt }) => expiresAt)).toEqual([clock.at + 7 * DAY_MS, null]);
    expect(shown.secrets.map(({ ending }) => ending)).toEqual(
      [first, second].map(({ clientSecret }) => clientSecret.slice(-4)),
    );
    expect(JSON.stringify(shown)).not.toContain(first.clientSecret);
    clock.at += 7 * DAY_MS;
    expect([await works(first.clientSecret), await works(second.clientSecret)]).toEqual([
      false,
      true,
    ]);
    expect(await refusal(rotate({ overlapDays: -1 }))).toEqual(invalid('overlapDays'));
    await ask('application/disable', operator, { application: clientId });
    expect(await refusal(rotate())).toEqual(invalid('clientId'));
  });

  test('end a secret that has leaked at once, and the others stay', async () => {
    const caller = await developer();
    const [clientId, another] = [await apply(caller), await apply(caller)];
    for (const application of [clientId, another])
      await ask('application/approve', operator, { application });
    const rotate = (application: string) =>
      ask('developer/rotateSecret', caller, { clientId: application, password: PASSWORD });
    const [first, second] = [await rotate(clientId), await rotate(clientId)];
    const works = async ({ clientSecret }: typeof first) =>
      (await authenticateApplication(database().db, clock.at, clientId, clientSecret)) !==
      undefined;
    const secretId = (await show(caller, clientId)).secrets[0]!.id;
    expect(
      await refusal(ask('developer/endSecret', caller, { clientId: another, secretId })),
    ).toEqual(invalid('secretId'));
    expect([await works(first), await works(second)]).toEqual([true, true]);
    await ask('developer/endSecret', caller, { clientId, secretId });
    expect([await works(first), await works(second)]).toEqual([false, true]);
    const endedAt = clock.at;
    clock.at += DAY_MS;
    // Once is enough: neither its end nor the trail changes.
    await ask('developer/endSecret', caller, { clientId, secretId });
    expect((await show(caller, clientId)).secrets.map(({ expiresAt }) => expiresAt)).toEqual([
      endedAt,
      null,
    ]);
    const trail = await listAudit(database().db, caller.accountId, { limit: 20 });
    expect(trail.filter(({ kind }) => kind === 'application.secretEnded')).toHaveLength(1);
  });

  test('make no secret of an application that is disabled while the password is verified', async () => {
    const caller = await developer();
    const clientId = await apply(caller);
    await ask('application/approve', operator, { application: clientId });
    const { id } = await fleet.write((trx) => getApplication(trx, clientId));
    const rotate = fleet.handlers()['developer/rotateSecret'];
    const meanwhile = (trx: Db) => disableApplication(trx, fleet.act(), id);
    const input = { clientId, password: PASSWORD, secondFactor: undefined, overlapDays: undefined };
    expect(await refusal(rotate(caller, input, meanwhile))).toEqual(invalid('clientId'));
    expect((await show(caller, clientId)).secrets).toEqual([]);
  });

  test('see consents in numbers, and nothing of who gave them', async () => {
    const caller = await developer();
    const clientId = await apply(caller, { scopes: 'access_data,control_device' });
    await ask('application/approve', operator, { application: clientId });
    const applicationId = (await fleet.write((trx) => getApplication(trx, clientId))).id;
    const lifetimes = { codeMs: 400 * DAY_MS, accessTokenMs: 1, refreshTokenMs: 1, benignMs: 1 };
    const consent = async (scopes: number, plantIds: readonly string[] | null) => {
      const { id: accountId } = await fleet.person();
      return fleet.write(async (trx) => {
        const grantId = await recordConsent(trx, fleet.act(), {
          accountId,
          applicationId,
          asked: 3,
          approved: scopes,
          plantIds,
        });
        await issueCode(trx, clock.at, lifetimes, {
          grantId,
          applicationId,
          accountId,
          scopes,
          redirectUri: callback,
          challenge: '',
        });
        return { grantId, accountId };
      });
    };
    const ended = await consent(1, null);
    const { id: withoutTokens } = await fleet.person();
    await fleet.write((trx) =>
      recordConsent(trx, fleet.act(), {
        accountId: withoutTokens,
        applicationId,
        asked: 3,
        approved: 3,
        plantIds: null,
      }),
    );
    await consent(3, null);
    clock.at += 31 * DAY_MS;
    const owners = [await consent(1, ['1']), await consent(3, ['1'])];
    await fleet.write((trx) => revokeGrant(trx, fleet.act(), ended.grantId, null));
    const shown = await show(caller, clientId);
    expect(shown.consents).toEqual({
      living: 3,
      withControl: 2,
      forSomePlants: 2,
      givenLately: 2,
      endedLately: 1,
    });
    for (const { accountId, grantId } of owners)
      expect(JSON.stringify(shown)).not.toMatch(new RegExp(`${accountId}|${grantId}`));
  });

  let foreign: { caller: UserCaller; clientId: string };
  beforeAll(async () => {
    const caller = await developer();
    foreign = { caller, clientId: await apply(caller) };
  });

  test.each([
    ['developer/show', {}],
    ['developer/amend', { purpose: 'Taken over' }],
    ['developer/withdraw', {}],
    ['developer/rotateSecret', { password: PASSWORD }],
    ['developer/endSecret', { secretId: '1' }],
    ['developer/errors', {}],
  ] as const)(
    '%s: another account’s application is like none, waiting and approved',
    async (id, more) => {
      const { caller, clientId } = foreign;
      const stranger = await developer();
      const outcomes = async (name: string) => [
        await refusal(ask(id, stranger, { clientId: name, ...more })),
      ];
      const before = await show(caller, clientId);
      expect(await outcomes(clientId)).toEqual(await outcomes('f3nQ8xYk2LmR7vBzT1cW5hJd'));
      expect(await outcomes(clientId)).toMatchObject([{ code: 'noPermission' }]);
      expect(await show(caller, clientId)).toEqual(before);
      expect(await ask('developer/list', stranger, {})).toEqual([]);
    },
  );
});

// PostgreSQL plans by statistics, and the table is small.
test('the consents of an application are counted by an index', async () => {
  const database = await createSqliteDatabase();
  const { rows } = await sql<{
    detail: string;
  }>`explain query plan select * from "oauthGrant" where "applicationId" = '1'`.execute(
    database.db,
  );
  expect(rows.map(({ detail }) => detail).join('; ')).toMatch(
    /SEARCH .*oauthGrantApplication \(applicationId=\?\)/,
  );
  await database.drop();
});
