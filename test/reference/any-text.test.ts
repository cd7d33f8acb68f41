import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bearerSamples, signedSamples } from '../../packages/reference/src/samples.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { createWorld } from '../support/world.ts';
import { addKey, startUserApi, type TestUserApi } from '../user-api/fixture.ts';
import { languages, runProgram } from './programs.ts';

const texts = {
  'of other scripts': 'Größe 太阳能 شمس 🌞',
  'with quotes of all kinds': `it's "quoted" \`twice\` ''`,
  'that shells would expand': '$HOME $(id) !! ~ *',
  'with backslashes': String.raw`C:\new\table \u0041 \\ %s %%`,
  'that languages would expand': '${KEY_ID} {KEY_ID} #{1}',
  'like markup': '</code></pre><script>alert(1)</script>&amp;',
};

/** Says what it was sent. */
function startListener(): Promise<Server> {
  const server = createServer((request, response) => {
    void json(request).then((body) =>
      response.end(JSON.stringify({ authorization: request.headers.authorization, body })),
    );
  });
  return new Promise((resolve) => void server.listen(0, '127.0.0.1', () => resolve(server)));
}

// The programs of the reference say what an example holds; this is what an example may hold.
describe.each(languages)('a program in %s', (language, missing) => {
  const clock = { at: Date.now(), now: () => Date.now() };
  let database: TestDatabase;
  let api: TestUserApi;
  let listener: Server;
  let environment: Record<string, string>;
  beforeAll(async () => {
    database = await createSqliteDatabase();
    api = await startUserApi(database, clock);
    listener = await startListener();
    const { keyId, keySecret } = await addKey(createWorld(() => database, clock));
    environment = { KEY_ID: keyId, KEY_SECRET: keySecret, ACCESS_TOKEN: 'hpa_x' };
  });
  afterAll(async () => {
    await api?.close();
    listener?.close();
    await database?.drop();
  });

  test.skipIf(missing).each(Object.entries(texts))(
    'signs and sends text %s as it is',
    async (_, text) => {
      const programs = signedSamples({
        url: `http://127.0.0.1:${api.port}`,
        path: '/v1/api/echo',
        body: { text, number: 42 },
      });
      const answer = await runProgram(
        programs.find((program) => program.language === language)!,
        environment,
      );
      expect([answer.code, answer.data?.input?.text]).toEqual(['0', text]);
    },
  );

  test.skipIf(missing)('sends a token beside it', async () => {
    const body = {
      text: Object.values(texts).join(' '),
      list: ['a', null, true, false, 1],
      'key with "quotes"': {},
    };
    const programs = bearerSamples({
      url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
      path: '/api/access_data/echo',
      body,
    });
    const answer = await runProgram(
      programs.find((program) => program.language === language)!,
      environment,
    );
    expect(answer).toEqual({ authorization: 'Bearer hpa_x', body });
  });
});
