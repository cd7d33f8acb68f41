import { connect } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import type { Scope, TokenResponse } from '@helioport/contract';
import {
  insertAccount,
  type Account,
} from '../../packages/server/src/identity/accounts/accounts.ts';
import {
  decideApplication,
  getApplication,
  insertApplication,
  type Application,
  type Registration,
} from '../../packages/server/src/identity/oauth/applications.ts';
import { insertClientSecret } from '../../packages/server/src/identity/oauth/client-secrets.ts';
import { issueCode } from '../../packages/server/src/identity/oauth/families.ts';
import { recordConsent } from '../../packages/server/src/identity/oauth/grants.ts';
import { bitsOf } from '../../packages/server/src/identity/oauth/scopes.ts';
import { describeEngines, type TestDatabase } from '../support/engines.ts';
import { cheaplyHashed } from '../support/cheap-hash.ts';
import { createWorld, settableClock, type SettableClock } from '../support/world.ts';
import { startOauth, type StartOptions, type TestOauth } from './listener.ts';

export const REDIRECT_URI = 'https://platform.example/callback';

/** An approved application with its credentials. */
export interface TestClient {
  readonly application: Application;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The Authorization header. */
  readonly basic: string;
}

export const basicOf = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

export type World = ReturnType<typeof createWorld>;

let clients = 0;

export async function addClient(
  world: World,
  change: Partial<Registration> = {},
): Promise<TestClient> {
  const clientSecret = await world.write(async (trx) => {
    const { application } = await insertApplication(trx, world.act(), {
      name: `Platform ${++clients}`,
      redirectUri: REDIRECT_URI,
      scopes: ['access_data', 'control_device'],
      ...change,
    });
    await decideApplication(trx, world.act(), application.id, 'approved');
    return {
      id: application.clientId,
      text: await insertClientSecret(trx, world.act(), application),
    };
  });
  const { id, text } = clientSecret;
  const application = await world.write((trx) => getApplication(trx, id));
  return { application, clientId: id, clientSecret: text, basic: basicOf(id, text) };
}

export const PASSWORD = 'correct horse battery staple';

/** An owner who can log in. */
export const addOwner = (
  world: World,
  email = `owner-${++clients}@example.com`,
): Promise<Account> =>
  world.write((trx) =>
    insertAccount(trx, world.act(), {
      email,
      role: 'owner',
      timeZone: 'UTC',
      passwordHash: cheaplyHashed(PASSWORD),
      legacyHash: null,
    }),
  );

export interface Answer<Body = any> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body;
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  return { status: response.status, headers: response.headers, text, body };
}

export type Fields = Record<string, string | undefined>;

export const formOf = (fields: Fields): string =>
  new URLSearchParams(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
  ).toString();

/** Posts a form as an application. */
export async function postForm(
  url: string,
  path: string,
  fields: Fields | string,
  headers: Fields,
): Promise<Answer> {
  const body = typeof fields === 'string' ? fields : formOf(fields);
  const sent = { 'Content-Type': 'application/x-www-form-urlencoded', ...headers };
  const given = Object.entries(sent).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return answerOf(
    await fetch(url + path, { method: 'POST', body, headers: given, redirect: 'manual' }),
  );
}

/** What the owner of a code approved. */
export interface CodeTerms {
  readonly owner?: Account;
  readonly scopes?: readonly Scope[];
  readonly challenge?: string;
  readonly plantIds?: readonly string[] | null;
}

/** What the tests of a listener stand on. */
export interface RunningOauth {
  readonly clock: SettableClock;
  readonly world: World;
  readonly database: () => TestDatabase;
  readonly oauth: TestOauth;
  /** A code as the owner's approval makes it. */
  code(client: TestClient, change?: CodeTerms): Promise<string>;
  token(client: TestClient, fields: Fields | string, headers?: Fields): Promise<Answer>;
  exchange(client: TestClient, code: string, change?: Fields, headers?: Fields): Promise<Answer>;
  refresh(
    client: TestClient,
    refreshToken: string,
    change?: Fields,
    headers?: Fields,
  ): Promise<Answer>;
  revoke(client: TestClient, token: string, change?: Fields): Promise<Answer>;
  introspect(client: TestClient, token: string, change?: Fields): Promise<Answer>;
  /** Whether a token opens anything now. */
  isActive(client: TestClient, token: string): Promise<boolean>;
  /** A fresh pair. */
  pair(client: TestClient, change?: CodeTerms): Promise<TokenResponse>;
}

/** A suite against a listener of its own, on both engines. The clock stands at 2026-11-06T05:01:09Z until it is set. */
export function describeOauth(
  name: string,
  suite: (running: RunningOauth) => void,
  options: StartOptions = {},
): void {
  describeEngines(name, (database) => {
    const clock = settableClock('2026-11-06T05:01:09Z');
    const world = createWorld(database, clock);
    let oauth: TestOauth;
    beforeAll(async () => {
      oauth = await startOauth(database(), clock, options);
    });
    afterAll(() => oauth.close());
    suite(createRunning({ clock, world, database, oauth: () => oauth }));
  });
}

export function createRunning({
  clock,
  world,
  database,
  oauth,
}: {
  clock: SettableClock;
  world: World;
  database: () => TestDatabase;
  oauth: () => TestOauth;
}): RunningOauth {
  const post = (
    path: string,
    client: TestClient,
    fields: Fields | string,
    headers: Fields = {},
  ): Promise<Answer> =>
    postForm(oauth().url, path, fields, { Authorization: client.basic, ...headers });
  const token: RunningOauth['token'] = (client, fields, headers) =>
    post('/oauth/token', client, fields, headers);
  const exchange: RunningOauth['exchange'] = (client, code, change, headers) =>
    token(
      client,
      {
        grant_type: 'authorization_code',
        code,
        redirect_uri: client.application.redirectUri,
        ...change,
      },
      headers,
    );
  const introspect: RunningOauth['introspect'] = (client, presented, change) =>
    post('/oauth/introspect', client, { token: presented, ...change });
  const code: RunningOauth['code'] = async (
    client,
    {
      owner,
      scopes = ['access_data', 'control_device'],
      challenge = '',
      plantIds = null,
    }: CodeTerms = {},
  ) => {
    const accountId = (owner ?? (await world.person())).id;
    const { id: applicationId, redirectUri } = client.application;
    const bits = bitsOf(scopes);
    return world.write(async (trx) => {
      const grantId = await recordConsent(trx, world.act({ actor: `account:${accountId}` }), {
        accountId,
        applicationId,
        asked: bits,
        approved: bits,
        plantIds,
      });
      return issueCode(
        trx,
        clock.now(),
        { codeMs: 1_800_000 },
        { grantId, applicationId, accountId, scopes: bits, redirectUri, challenge },
      );
    });
  };
  return {
    clock,
    world,
    database,
    get oauth() {
      return oauth();
    },
    code,
    token,
    exchange,
    refresh: (client, refreshToken, change, headers) =>
      token(
        client,
        { grant_type: 'refresh_token', refresh_token: refreshToken, ...change },
        headers,
      ),
    revoke: (client, presented, change) =>
      post('/oauth/revoke', client, { token: presented, ...change }),
    introspect,
    isActive: async (client, presented) => (await introspect(client, presented)).body.active,
    pair: async (client, change) => (await exchange(client, await code(client, change))).body,
  };
}

/** Sends bytes to the listener as they are and gives what comes back until it closes. */
export function sendRaw(url: string, wire: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let received = '';
  const socket = connect(Number(port), hostname, () => socket.write(wire));
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => (received += chunk));
  socket.on('error', reject);
  socket.on('close', () => resolve(received));
  return promise;
}

/** A token request with these header lines beside Host, Content-Type and Content-Length. */
export const rawTokenRequest = (body: string, lines: readonly string[]): string =>
  [
    'POST /oauth/token HTTP/1.1',
    'Host: localhost',
    'Connection: close',
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${Buffer.byteLength(body, 'latin1')}`,
    ...lines,
    '',
    body,
  ].join('\r\n');
