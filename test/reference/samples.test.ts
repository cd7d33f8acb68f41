import { createHash } from 'node:crypto';
import {
  exampleValues,
  hasDoor,
  operations,
  operationsBy,
  type OperationId,
} from '@helioport/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  exampleAmmeter,
  exampleCollector,
  exampleEpm,
  exampleInverter,
  examplePlant,
  exampleWeather,
} from '../../packages/contract/src/examples.ts';
import { insertKeyPair } from '../../packages/server/src/identity/accounts/key-pairs.ts';
import { insertDevice } from '../../packages/server/src/fleet/devices/devices.ts';
import { bindDevice, endBinding } from '../../packages/server/src/fleet/plants/bindings.ts';
import { insertPlant } from '../../packages/server/src/fleet/plants/plants.ts';
import { addClient, REDIRECT_URI, createRunning } from '../oauth/fixture.ts';
import { startOauth, type TestOauth } from '../oauth/listener.ts';
import { effort, proving } from '../support/effort.ts';
import { describeEngines } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { barePlant, createWorld } from '../support/world.ts';
import { secretBox, signed, startUserApi, type TestUserApi } from '../user-api/fixture.ts';
import { describedAt } from './described.ts';
import { languages, outputOf, programsOf, runProgram, type Program } from './programs.ts';
import { plantOperations } from '../operations/plant-operations.ts';
import { operationsOn } from '../support/operations.ts';

const queries = plantOperations.filter(({ write }) => !write);
const writes = plantOperations.filter(({ write }) => write);
/** In the order in which each leaves what the next one needs; others come before, while everything stands. */
const last: readonly OperationId[] = [
  'stationUpdate',
  'unbindDevice',
  'addDevice',
  'delCollector',
  'addStation',
  'archiveStation',
  'addStationBindCollector',
];
const order: readonly OperationId[] = [
  ...writes.map(({ id }) => id).filter((id) => !last.includes(id)),
  ...last,
];

describeEngines('the programs on the reference pages', (database, engine) => {
  const clock = { at: Date.now(), now: () => Date.now() };
  const world = createWorld(database, clock);
  let userApi: TestUserApi;
  let oauth: TestOauth;
  let pages: { user: readonly Program[]; oauth: readonly Program[] };
  let key: Record<string, string>;
  let token: Record<string, string>;
  let codeOf: () => Promise<Record<string, string>>;

  beforeAll(async () => {
    const { db } = database();
    const handlers = operationsOn(db, clock, world.newId) as never;
    const served = {
      operations: Object.values(operations),
      handlers,
      requestValues: { reads: exampleValues, writes: exampleValues },
    };
    const [userPort, oauthPort] = [await freePort(), await freePort()];
    userApi = await startUserApi({ db }, clock, {
      ...served,
      userApiUrl: `http://127.0.0.1:${userPort}`,
      port: userPort,
    });
    oauth = await startOauth({ db }, clock, {
      ...served,
      oauthUrl: `http://127.0.0.1:${oauthPort}`,
      port: oauthPort,
    });
    pages = {
      user: await programsOf(`http://127.0.0.1:${userPort}`),
      oauth: await programsOf(oauth.url),
    };

    // What the examples name, under the very ids and serial numbers.
    const owner = await world.person();
    const withId = (id: string) => world.act({ newId: once(id, world.newId) });
    await world.write(async (trx) => {
      await insertPlant(trx, withId(examplePlant.id), {
        ...barePlant,
        name: examplePlant.name,
        capacityKwp: 9.84,
        ownerId: owner.id,
      });
      for (const [kind, { id, sn }] of [
        ['inverter', exampleInverter],
        ['collector', exampleCollector],
        ['epm', exampleEpm],
        ['weather', exampleWeather],
        ['ammeter', exampleAmmeter],
      ] as const) {
        await insertDevice(trx, withId(id), { kind, sn });
        await bindDevice(trx, world.act(), id, examplePlant.id);
      }
    });
    const terms = {
      label: 'reference',
      canControl: true,
      plantIds: null,
      cidrs: null,
      expiresAt: null,
    };
    const pair = await world.write((trx) =>
      insertKeyPair(trx, world.act(), secretBox, owner.id, terms),
    );
    key = { KEY_ID: pair.keyId, KEY_SECRET: pair.keySecret };
    const running = createRunning({ clock, world, database, oauth: () => oauth });
    const client = await addClient(world);
    token = { ACCESS_TOKEN: (await running.pair(client, { owner })).access_token };
    const verifier = 'a'.repeat(64);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    codeOf = async () => ({
      CLIENT_ID: client.clientId,
      CLIENT_SECRET: client.clientSecret,
      REDIRECT_URI,
      CODE: await running.code(client, { owner, challenge }),
      CODE_VERIFIER: verifier,
    });
  });
  afterAll(async () => {
    await userApi.close();
    await oauth.close();
  });

  const programOf = (
    page: 'user' | 'oauth',
    section: string,
    language: Program['language'],
  ): Program =>
    pages[page].find((program) => program.section === section && program.language === language)!;

  test('stand there for every operation in every language', () => {
    for (const operation of operationsBy('signed')) {
      const { id, scope } = operation;
      const section = id.replaceAll('/', '-');
      for (const [language] of languages) {
        expect([id, programOf('user', section, language)?.text]).toEqual([
          id,
          expect.stringContaining(`/api/${id}`),
        ]);
        if (!hasDoor(operation, 'oauth'))
          expect(programOf('oauth', section, language)).toBeUndefined();
        else
          expect([id, programOf('oauth', section, language)?.text]).toEqual([
            id,
            expect.stringContaining(`/api/${scope}/${id}`),
          ]);
      }
    }
  });

  test('send examples that are answered on both interfaces as the OpenAPI documents say', async () => {
    const [user, application] = [
      await describedAt(`http://127.0.0.1:${userApi.port}`),
      await describedAt(oauth.url),
    ];
    const pair = { keyId: key['KEY_ID']!, keySecret: key['KEY_SECRET']! };
    for (const { id, scope, example } of queries) {
      const [path, body] = [`/v1/api/${id}`, JSON.stringify(example.request)];
      const { status, body: answer } = await userApi.send(
        signed({ key: pair, at: clock.now(), path, body }),
      );
      expect([id, answer.code, user.faultsOf({ path, status, body: answer })]).toEqual([
        id,
        '0',
        [],
      ]);
      if (scope === undefined) continue;
      const twin = `/api/${scope}/${id}`;
      const headers = {
        Authorization: `Bearer ${token['ACCESS_TOKEN']}`,
        'Content-Type': 'application/json',
      };
      const response = await fetch(oauth.url + twin, { method: 'POST', headers, body });
      const same = (await response.json()) as typeof answer;
      expect([
        id,
        same.code,
        application.faultsOf({ path: twin, status: response.status, body: same }),
      ]).toEqual([id, '0', []]);
    }
  });

  test.skipIf(languages[0]![1])(
    'send owners to the authorization page, for an application that must use PKCE and may only read',
    async () => {
      const client = await addClient(world, { scopes: ['access_data'], challengeRequired: true });
      const commands = pages.oauth.find(
        ({ section, text }) => section === 'authorization' && text.includes('/oauth/authorize?'),
      )!;
      const address = (await outputOf(commands, { CLIENT_ID: client.clientId })).trim();
      expect(await fetch(address, { redirect: 'manual' })).toMatchObject({ status: 200 });
      // Its challenge is what counts.
      const without = await fetch(address.replace(/&code_challenge=.*/, ''), {
        redirect: 'manual',
      });
      expect(without.headers.get('location')).toContain('error=invalid_request');
    },
  );

  // What is answered does not depend on who asks: in a brief run, the engines answer the same examples above, and programs one of them.
  if (engine !== 'SQLite' && !proving) return;

  describe.each(languages)('in %s', (language, missing) => {
    const step = Math.ceil(queries.length / effort(8, queries.length));
    const chosen = queries.filter((_, i) => i % step === 0);

    test.skipIf(missing)('sign requests that are carried out', async () => {
      expect(await runProgram(programOf('user', 'signing', language), key)).toMatchObject({
        success: true,
        code: '0',
      });
      for (const { id } of chosen)
        expect([
          id,
          (await runProgram(programOf('user', id.replaceAll('/', '-'), language), key)).code,
        ]).toEqual([id, '0']);
    });

    test.skipIf(missing)('are refused with another secret', async () => {
      const program = programOf('user', 'signing', language);
      const refused = await runProgram(program, { ...key, KEY_SECRET: 'wrong' }).catch(
        (error: unknown) => error,
      );
      if (language === 'Python') expect((refused as { stderr: string }).stderr).toContain('403');
      else
        expect(refused).toMatchObject({
          code: '403',
          data: { stringToSign: expect.stringMatching(/^POST\n/) },
        });
    });

    test.skipIf(missing)('exchange a code and read with a token', async () => {
      expect(
        await runProgram(programOf('oauth', 'authorization', language), await codeOf()),
      ).toMatchObject({ token_type: 'bearer', expires_in: 86_400 });
      for (const { id } of chosen.filter((operation) => hasDoor(operation, 'oauth'))) {
        expect([
          id,
          (await runProgram(programOf('oauth', id.replaceAll('/', '-'), language), token)).code,
        ]).toEqual([id, '0']);
      }
    });
  });

  test.skipIf(languages[0]![1])(
    'of all that changes something are carried out as they are',
    async () => {
      const described = await describedAt(`http://127.0.0.1:${userApi.port}`);
      for (const id of order) {
        const answer = await runProgram(programOf('user', id, 'curl'), key);
        expect([
          id,
          described.faultsOf({ path: `/v1/api/${id}`, status: 200, body: answer }),
        ]).toEqual([id, []]);
        expect([id, answer.code, answer.msg]).toEqual([id, '0', 'success']);
        // The example's collector is to be free for the last one.
        if (id === 'addStation')
          await world.write((trx) =>
            endBinding(trx, world.act(), exampleCollector.id, answer.data.id),
          );
      }
    },
  );
});

/** Gives one id, then those of a source. */
function once(id: string, source: () => string): () => string {
  let given = false;
  return () => {
    if (given) return source();
    given = true;
    return id;
  };
}
