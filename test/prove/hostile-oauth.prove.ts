import { Agent, request, type RequestOptions } from 'node:http';
import { expect, test } from 'vitest';
import { addClient, addOwner, describeOauth } from '../oauth/fixture.ts';
import { authorizeUrl, createVisitor, signIn } from '../oauth/visitor.ts';
import { effort } from '../support/effort.ts';
import { createChance, type Chance } from './hostile/chance.ts';

const REQUESTS = Number(process.env['HELIOPORT_PROVE_REQUESTS'] ?? effort(1500, 50_000));
const SEED = Number(process.env['HELIOPORT_PROVE_SEED'] ?? Date.now() % 1_000_000);

const PATHS =
  `/oauth/authorize /oauth/log-in /oauth/consent /oauth/log-out /oauth/token /oauth/revoke /oauth/introspect /oauth/%74oken /oauth/ /oauth //oauth/token
  /.well-known/oauth-authorization-server /api/access_data/userStationList /reference`.split(/\s+/);
const NAMES =
  `client_id redirect_uri response_type scope state code_challenge code_challenge_method prompt ui_locales grant_type code refresh_token code_verifier
  token email password ticket decision plants plant __proto__ %ff %00`.split(/\s+/);
const VALUES =
  `% %00 x%00y %ff%fe %C0%80 %ED%A0%80 %E2%82%AC %F0%9F%98%80 %0d%0aSet-Cookie:x=y ' " <script> __proto__ {} 1 null access_data
  access_data+control_device code refresh_token authorization_code S256 approve deny all`.split(
    /\s+/,
  );
const MEDIA = [
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=utf-8',
  'application/json',
  'text/plain',
  'multipart/form-data; boundary=x',
];

/** What strangers may know, and what an application and an owner have. */
interface Known {
  readonly values: readonly string[];
  readonly authorizations: readonly string[];
  readonly cookies: readonly string[];
  /** A query that is in order. */
  readonly query: string;
}

interface Sent {
  readonly options: RequestOptions;
  readonly body: Buffer;
}

function formOf(chance: Chance, { values }: Known): string {
  const pairs = Array.from(
    { length: chance.below(9) },
    () => `${chance.pick(NAMES)}=${chance.pick([...VALUES, ...values, '', 'x'.repeat(3000)])}`,
  );
  return pairs.join(chance.pick(['&', '&', '&&', ';']));
}

function hostileRequest(chance: Chance, known: Known): Sent {
  const form = (): string => formOf(chance, known);
  const query = chance.pick([
    '',
    '?',
    '?%',
    `?${form()}`,
    `?${known.query}`,
    `?${known.query}&${form()}`,
  ]);
  const headers: Record<string, string> = {
    ...(!chance.oneIn(4) && { 'Content-Type': chance.pick(MEDIA) }),
    ...(chance.oneIn(2) && {
      Authorization: chance.pick([
        ...known.authorizations,
        'Basic',
        'Basic !!!',
        'Basic Og==',
        'Basic JXp6OiUwMA==',
        'Bearer',
        'Bearer x y',
      ]),
    }),
    ...(chance.oneIn(2) && {
      Cookie: chance.pick([
        ...known.cookies,
        'helioport_oauth_session=',
        '=;=;',
        'helioport_oauth_session=x; helioport_oauth_session=y',
      ]),
    }),
    ...(chance.oneIn(4) && {
      'Idempotency-Key': chance.pick(['x', 'y'.repeat(20), '\u00e9'.repeat(20)]),
    }),
    ...(chance.oneIn(4) && {
      'Accept-Language': chance.pick(['de', 'x;q=', '*;q=NaN', ';'.repeat(500), 'zh-Hant;q=1.0.0']),
    }),
  };
  const method = chance.pick(['GET', 'POST', 'POST', 'POST', 'PUT', 'HEAD', 'OPTIONS']);
  const body = chance.pick([
    form(),
    form(),
    known.query,
    '',
    '{"pageNo":1}',
    '{"access_token":"x"}',
    '{',
    `${form()}\u0000`,
    '%'.repeat(1000),
  ]);
  return {
    options: { method, path: chance.pick(PATHS) + query, headers },
    body: Buffer.from(/^(GET|HEAD)$/.test(method) ? '' : body),
  };
}

describeOauth(`${REQUESTS} hostile requests (seed ${SEED})`, (t) => {
  test('at the OAuth interface meet no fault of ours', async () => {
    const [client, owner] = [await addClient(t.world), await addOwner(t.world)];
    const visitor = createVisitor();
    await signIn(visitor, authorizeUrl(t.oauth.url, client), owner.email);
    const pair = await t.pair(client);
    const redirectUri = encodeURIComponent(client.application.redirectUri);
    const known: Known = {
      values: [
        client.clientId,
        redirectUri,
        pair.access_token,
        pair.refresh_token,
        await t.code(client),
      ],
      authorizations: [client.basic, `Bearer ${pair.access_token}`],
      cookies: [[...visitor.cookies].map((pairOf) => pairOf.join('=')).join('; ')],
      query: `client_id=${client.clientId}&redirect_uri=${redirectUri}&response_type=code`,
    };
    const chance = createChance(SEED);
    const agent = new Agent({ keepAlive: true });
    const statuses = new Map<number, number>();
    for (let i = 0; i < REQUESTS; i++) {
      const sent = hostileRequest(chance, known);
      const status = await statusOf(t.oauth.url, agent, sent);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status >= 500)
        expect.fail(
          `${status} to ${JSON.stringify(sent.options).slice(0, 2000)} ${sent.body.toString('latin1')}\n${t.oauth
            .log()
            .split('\n')
            .findLast((line) => line.includes('request failed'))}`,
        );
    }
    agent.destroy();
    // The generator reaches every kind of answer.
    expect([...statuses.keys()]).toEqual(
      expect.arrayContaining([200, 303, 400, 401, 404, 405, 415]),
    );
  });
});

function statusOf(url: string, agent: Agent, { options, body }: Sent): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  request(url, { ...options, agent }, (response) => {
    response.resume().on('end', () => resolve(response.statusCode!));
  })
    // A connection that was ended: refused without an answer.
    .on('error', () => resolve(0))
    .end(body);
  return promise;
}
