import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createIdSource } from '../../../packages/server/src/platform/kernel/ids.ts';
import { recordConsent } from '../../../packages/server/src/identity/oauth/grants.ts';
import { createUseCounts } from '../../../packages/server/src/identity/oauth/uses/count-uses.ts';
import { openStorage } from '../../../packages/server/src/platform/storage/open.ts';
import { createInstallation, type Installation } from '../../support/command.ts';

let home: Installation;
beforeEach(() => {
  home = createInstallation();
});
afterEach(() => home.remove());

const create = async (...args: string[]): Promise<{ clientId: string; clientSecret: string }> =>
  (
    await home.helioport(
      'app',
      'create',
      '--name',
      'Yield Watch',
      '--redirect-uri',
      'https://yield.example/callback',
      ...args,
      '--json',
    )
  ).json();
const list = async (): Promise<any[]> => (await home.helioport('app', 'list', '--json')).json();

test('app create prints exactly the two credentials, approved at once', async () => {
  const made = await create();
  expect(Object.keys(made)).toEqual(['clientId', 'clientSecret']);
  expect(made.clientId).toMatch(/^[A-Za-z0-9]+$/);
  expect(made.clientSecret).toMatch(/^[A-Za-z0-9]{40,}$/);
  expect(await list()).toMatchObject([
    {
      clientId: made.clientId,
      name: 'Yield Watch',
      state: 'approved',
      scopes: ['access_data', 'control_device'],
    },
  ]);
  expect(JSON.stringify(await list())).not.toContain(made.clientSecret);
});

test('app create takes owner, purpose, home page, scope and flags', async () => {
  await home.helioport('user', 'add', '--email', 'dev@example.com', '--role', 'developer');
  await create(
    '--owner',
    'dev@example.com',
    '--purpose',
    'Compares yields.',
    '--home-page',
    'https://yield.example',
    '--scope',
    'access_data',
    '--require-pkce',
    '--resource-server',
  );
  expect((await list())[0]).toMatchObject({
    scopes: ['access_data'],
    requirePkce: true,
    resourceServer: true,
    homePage: 'https://yield.example',
    purpose: 'Compares yields.',
  });
});

test.each([
  [['--redirect-uri', 'http://yield.example/callback'], 2, /redirectUri/],
  [['--redirect-uri', 'https://yield.example/#x'], 2, /fragment/],
  [['--scope', 'openid'], 2, /scope/],
  [['--owner', 'nobody@example.com'], 1, /user/],
  [['--home-page', 'javascript:alert(1)'], 2, /homePage/],
])('app create with %j is refused with one sentence', async (args, exitCode, text) => {
  const outcome = await home.helioport(
    'app',
    'create',
    '--name',
    'X',
    '--redirect-uri',
    'https://yield.example/callback',
    ...args,
  );
  expect(outcome.exitCode).toBe(exitCode);
  expect(outcome.stdout).toBe('');
  expect(outcome.stderr).toMatch(text);
});

test('an application belongs to whichever account is named, and the list says to whom', async () => {
  await home.helioport('user', 'add', '--email', 'owner@example.com', '--role', 'owner');
  await create('--owner', 'owner@example.com');
  expect(await list()).toMatchObject([{ name: 'Yield Watch', owner: 'owner@example.com' }]);
  expect((await home.helioport('app', 'list')).stdout).toContain('owner@example.com');
});

test('an application is approved with fewer scopes, and rejected with a reason', async () => {
  await create('--pending');
  expect(
    (await home.helioport('app', 'approve', 'Yield Watch', '--scope', 'access_data')).exitCode,
  ).toBe(0);
  expect(await list()).toMatchObject([{ state: 'approved', scopes: ['access_data'] }]);
  const more = await home.helioport('app', 'approve', 'Yield Watch', '--scope', 'control_device');
  expect(more).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('scopes') });
  expect(
    (await home.helioport('app', 'reject', 'Yield Watch', '--reason', 'Nobody answers there.'))
      .exitCode,
  ).toBe(0);
  expect((await home.helioport('app', 'show', 'Yield Watch')).stdout).toMatch(
    /^reason +Nobody answers there\.$/m,
  );
  await home.helioport('app', 'approve', 'Yield Watch');
  expect(await list()).toMatchObject([{ state: 'approved', reason: null }]);
});

test('two applications cannot have one name', async () => {
  await create();
  expect(
    (
      await home.helioport(
        'app',
        'create',
        '--name',
        'Yield Watch',
        '--redirect-uri',
        'https://other.example/',
      )
    ).exitCode,
  ).toBe(1);
});

test('a callback address that often goes wrong is warned about, beside the answer (O5)', async () => {
  const { stdout, stderr, exitCode } = await home.helioport(
    'app',
    'create',
    '--name',
    'X',
    '--redirect-uri',
    'https://yield.example?x=1',
    '--json',
  );
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toHaveProperty('clientId');
  expect(stderr).toMatch(/has a query[\s\S]*no path/);
});

test('an application waits, is approved, rejected, disabled and enabled', async () => {
  const { clientId } = await create('--pending');
  const state = async (): Promise<string> => (await list())[0].state;
  expect(await state()).toBe('submitted');
  for (const [args, expected] of [
    [['approve', 'Yield Watch'], 'approved'],
    [['reject', '--name', 'Yield Watch'], 'rejected'],
    [['approve', clientId], 'approved'],
    [['disable', 'Yield Watch'], 'disabled'],
    [['approve', 'Yield Watch'], 'disabled'],
    [['disable', 'Yield Watch', '--undo'], 'approved'],
  ] as const) {
    const { exitCode, stdout } = await home.helioport('app', ...args, '--json');
    expect([exitCode, JSON.parse(stdout).state]).toEqual([0, expected]);
    expect(await state()).toBe(expected);
  }
  expect((await home.helioport('app', 'approve', 'Nobody')).exitCode).toBe(1);
  expect((await home.helioport('app', 'approve')).exitCode).toBe(2);
});

test('app rotate-secret makes a second secret beside the first (O29)', async () => {
  const first = await create();
  const second = (
    await home.helioport('app', 'rotate-secret', 'Yield Watch', '--overlap-days', '7', '--json')
  ).json();
  expect(second.clientId).toBe(first.clientId);
  expect(second.clientSecret).not.toBe(first.clientSecret);
  const { secrets } = (await home.helioport('app', 'show', 'Yield Watch', '--json')).json();
  const made = { id: expect.any(String), createdAt: expect.any(Number), lastUsedAt: null };
  expect(secrets).toEqual([
    { ...made, ending: first.clientSecret.slice(-4), expiresAt: second.earlierSecretsEndAt },
    { ...made, ending: second.clientSecret.slice(-4), expiresAt: null },
  ]);
});

test('app change alters what is registered', async () => {
  await create();
  const { stdout } = await home.helioport(
    'app',
    'change',
    'Yield Watch',
    '--scope',
    'access_data',
    '--require-pkce',
    '--redirect-uri',
    'https://yield.example/new',
    '--json',
  );
  expect(JSON.parse(stdout)).toMatchObject({
    scopes: ['access_data'],
    requirePkce: true,
    redirectUri: 'https://yield.example/new',
  });
  expect(
    (await home.helioport('app', 'change', 'Yield Watch', '--no-require-pkce', '--json')).json(),
  ).toMatchObject({
    requirePkce: false,
    scopes: ['access_data'],
  });
});

test('app errors and grant list are empty at first', async () => {
  await create();
  await home.helioport('user', 'add', '--email', 'owner@example.com');
  expect((await home.helioport('app', 'errors', 'Yield Watch', '--json')).json()).toEqual([]);
  expect(
    (await home.helioport('grant', 'list', '--user', 'owner@example.com', '--json')).json(),
  ).toEqual([]);
  expect(await home.helioport('grant', 'revoke', '1234567890123456789')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('no such authorization'),
  });
  expect((await home.helioport('app', 'list')).stdout).toContain('Yield Watch');
  const { stdout: shown } = await home.helioport('app', 'show', 'Yield Watch');
  expect(shown).toContain('https://yield.example/callback');
  expect(shown).toMatch(/^createdAt +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/m);
});

test('grant uses shows each day on which an application did something', async () => {
  const clock = { now: () => Date.parse('2026-11-06T12:00:00Z') };
  const later = createInstallation({}, clock);
  await later.ok(
    'app',
    'create',
    '--name',
    'Yield Watch',
    '--redirect-uri',
    'https://yield.example/callback',
  );
  await later.ok('user', 'add', '--email', 'owner@example.com');
  const { db, close } = openStorage(join(later.folder, 'data', 'helioport.db'));
  const { id: accountId } = await db.selectFrom('account').select('id').executeTakeFirstOrThrow();
  const { id: applicationId } = await db
    .selectFrom('application')
    .select('id')
    .executeTakeFirstOrThrow();
  const act = {
    at: clock.now(),
    actor: `account:${accountId}`,
    address: null,
    newId: createIdSource(clock),
  } as const;
  const grantId = await db
    .transaction()
    .execute((trx) =>
      recordConsent(trx, act, { accountId, applicationId, asked: 1, approved: 1, plantIds: null }),
    );
  const counts = createUseCounts({ db, clock });
  counts.request({ accountId, applicationId }, false);
  await counts.close();
  await close();
  expect(await later.ok('grant', 'uses', grantId)).toEqual([
    { day: '2026-11-06', reads: 1, writes: 0, commands: 0, forwarded: 0 },
  ]);
  const { stdout } = await later.helioport('grant', 'uses', '--id', grantId);
  expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['day', 'reads', 'writes', 'settings', 'events sent'],
    ['2026-11-06', '1', '0', '0', '0'],
  ]);
  expect(await later.helioport('grant', 'uses', '1234567890123456789')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('no such authorization'),
  });
  expect(await later.helioport('grant', 'uses')).toMatchObject({ exitCode: 2 });
  later.remove();
});

test('doctor warns of http callbacks, missing PKCE, missing TLS and proxies, and long lifetimes', async () => {
  const doctor = async (
    environment: Record<string, string>,
  ): Promise<Record<string, { state: string; text: string }>> => {
    Object.assign(home.environment, environment);
    const results = (await home.helioport('doctor', '--json')).json() as {
      check: string;
      state: string;
      text: string;
    }[];
    return Object.fromEntries(results.map(({ check, ...finding }) => [check, finding]));
  };
  expect(await doctor({})).toMatchObject({
    'OAuth transport': { state: 'ok' },
    'OAuth callbacks': { state: 'ok' },
    'OAuth lifetimes': { state: 'ok' },
  });
  await create();
  expect((await doctor({}))['OAuth callbacks']).toMatchObject({
    state: 'warning',
    text: expect.stringContaining('PKCE'),
  });
  await home.helioport(
    'app',
    'create',
    '--name',
    'Local',
    '--redirect-uri',
    'http://localhost/callback',
  );
  expect((await doctor({}))['OAuth callbacks']).toMatchObject({
    state: 'warning',
    text: expect.stringContaining('http callback address: Local'),
  });
  expect(
    (await doctor({ HELIOPORT_OAUTH_URL: 'https://oauth.example' }))['OAuth transport'],
  ).toMatchObject({
    state: 'warning',
    text: expect.stringContaining('TRUSTED_PROXIES'),
  });
  expect(
    (await doctor({ HELIOPORT_OAUTH_URL: 'http://oauth.example', HELIOPORT_HOST: '0.0.0.0' }))[
      'OAuth transport'
    ],
  ).toMatchObject({ state: 'warning' });
  expect(
    (await doctor({ HELIOPORT_OAUTH_ACCESS_TOKEN_SECONDS: '604800' }))['OAuth lifetimes'],
  ).toMatchObject({ state: 'warning' });
});
