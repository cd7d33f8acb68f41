import { guides } from '@helioport/reference/guides';
import { Validator } from '@seriousme/openapi-schema-validator';
import { exampleValues, hasDoor, operations } from '@helioport/contract';
import { programsOf } from './programs.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startOauth, type TestOauth } from '../oauth/listener.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { settableClock } from '../support/world.ts';
import { startUserApi, type TestUserApi } from '../user-api/fixture.ts';

const all = Object.values(operations);
const handlers = Object.fromEntries(all.map(({ id }) => [id, async () => null]));

describe('what the interfaces say of themselves', () => {
  const clock = settableClock('2026-11-06T05:01:09Z');
  let database: TestDatabase;
  let userApi: TestUserApi;
  let oauth: TestOauth;
  let bases: Record<'user' | 'oauth', string>;
  beforeAll(async () => {
    database = await createSqliteDatabase();
    userApi = await startUserApi(database, clock, {
      operations: all,
      handlers,
      userApiUrl: 'https://solar.example/plants',
      rateLimit: 7,
    });
    oauth = await startOauth(database, clock, { operations: all, handlers });
    bases = { user: `http://127.0.0.1:${userApi.port}`, oauth: oauth.url };
  });
  afterAll(async () => {
    await userApi.close();
    await oauth.close();
    await database.drop();
  });

  test.each(['user', 'oauth'] as const)(
    'the OpenAPI document of the %s interface is valid and names its address',
    async (name) => {
      const response = await fetch(`${bases[name]}/openapi.json`);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'application/json;charset=UTF-8',
      ]);
      const document = (await response.json()) as { servers: { url: string }[]; paths: object };
      expect(document.servers).toEqual([
        { url: name === 'user' ? 'https://solar.example/plants' : 'http://127.0.0.1:8081' },
      ]);
      expect(Object.keys(document.paths).filter((path) => path.includes('/api/'))).toHaveLength(
        all.filter((operation) => hasDoor(operation, name === 'user' ? 'signed' : 'oauth')).length,
      );
      expect(
        await new Validator().validate(document as unknown as Record<string, unknown>),
      ).toEqual({ valid: true });
    },
  );

  test.each(['user', 'oauth'] as const)(
    'the page of the %s interface asks for nothing from outside, and its policy would not let it',
    async (name) => {
      const response = await fetch(`${bases[name]}/reference`);
      const page = await response.text();
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/html; charset=utf-8',
      ]);
      const policy = response.headers.get('content-security-policy')!;
      expect(policy).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; script-src 'sha256-[\w+/=]{44}'; img-src data:;/,
      );
      expect(policy).not.toContain('unsafe');
      expect(page.match(/<(script|link|img|iframe|object|embed)\b[^>]*>/g)).toEqual([
        '<link rel="icon" href="data:,">',
        '<script>',
      ]);
      expect(page.match(/\son\w+=|\sstyle="|@import|url\(/g)).toBeNull();
    },
  );

  test.each(['user', 'oauth'] as const)(
    'the guides beside the page of the %s interface are served in the same way',
    async (name) => {
      for (const guide of guides) {
        const response = await fetch(`${bases[name]}/reference/guides/${guide.name}`);
        expect([guide.name, response.status, response.headers.get('content-type')]).toEqual([
          guide.name,
          200,
          'text/html; charset=utf-8',
        ]);
        expect(response.headers.get('content-security-policy')).toMatch(
          /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; script-src 'sha256-[\w+/=]{44}'; img-src data:;/,
        );
        expect(await (await fetch(`${bases[name]}/reference`)).text()).toContain(
          `href="reference/guides/${guide.name}"`,
        );
      }
      expect((await fetch(`${bases[name]}/reference/guides/nothing`)).status).toBe(404);
      const page = await fetch(`${bases[name]}/reference/operations.md`);
      expect([page.status, page.headers.get('content-type')]).toEqual([
        200,
        'text/markdown; charset=utf-8',
      ]);
      expect(await page.text()).toContain('### userStationList\n');
    },
  );

  test('the page leads to the debugger of signatures and to the explorer if there is a portal beside it', async () => {
    const { userReference } = await import('@helioport/reference');
    const options = {
      operations: all,
      url: bases.user,
      version: '1',
      rateLimit: null,
      authFailureLimit: null,
    };
    const page = userReference({ ...options, portalUrl: 'https://portal.example' }).html;
    expect(page).toContain('href="https://portal.example/debugger"');
    const tried = [
      ...page.matchAll(/href="https:\/\/portal\.example\/developer\/explorer\?operation=([^"]+)"/g),
    ].map(([, id]) => decodeURIComponent(id!));
    expect(tried.toSorted()).toEqual(
      all
        .filter((operation) => hasDoor(operation, 'signed'))
        .map(({ id }) => id)
        .toSorted(),
    );
    for (const alone of [
      userReference(options).html,
      await (await fetch(`${bases.user}/reference`)).text(),
    ])
      expect(alone).not.toMatch(/\/debugger"|explorer\?/);
  });

  test('the page tells limits as they are set, and what lies on the proxy’s path', async () => {
    const page = await (await fetch(`${bases.user}/reference`)).text();
    expect(page).toContain('7 per second');
    expect(page).toContain('href="/plants/openapi.json"');
    expect(await (await fetch(`${bases.oauth}/reference`)).text()).toContain(
      '30 minutes, for one use',
    );
  });

  test.each(['user', 'oauth'] as const)(
    'requests of the %s interface carry no made-up id: they say what to replace, and where it is listed',
    async (name) => {
      const source = await (await fetch(`${bases[name]}/reference`)).text();
      const page = source.replaceAll(/\s+/g, ' ');
      expect(page).toContain('stand for your own values');
      const programs = await programsOf(bases[name]);
      const madeUp = [...Object.values(exampleValues), /\b\d{19}\b/];
      for (const value of madeUp)
        expect(
          programs.filter(({ text }) =>
            typeof value === 'string' ? text.includes(value) : value.test(text),
          ),
        ).toEqual([]);
      for (const { section, text } of programs) {
        const words = new Set(
          [...text.matchAll(/(?<=["'])(?:[A-Z]+(?:_[A-Z]+)*_(?:ID|SN|MD5)|EMAIL)(?=["'])/g)]
            .map(([word]) => word)
            .filter((word) => word !== 'KEY_ID' && word !== 'CLIENT_ID'),
        );
        const [, shown] =
          new RegExp(
            `<section id="${section}"[\\s\\S]*?<h4>Request</h4>([\\s\\S]*?)<div class="samples">`,
          ).exec(page) ?? [];
        for (const word of words)
          expect([section, shown]).toEqual([
            section,
            expect.stringMatching(
              new RegExp(
                `Replace <code>${word}</code> with (the [\\w ]+, from <a href="#([\\w-]+[lL]ist|atRead)"><code>([\\w/]+[lL]ist|atRead)</code></a>|your e-mail address|the MD5 of your password, in hexadecimal)\\.`,
              ),
            ),
          ]);
        if (words.size === 0)
          expect([section, shown ?? '']).toEqual([section, expect.not.stringContaining('Replace')]);
      }
      expect(programs.filter(({ text }) => text.includes('PLANT_ID')).length).toBeGreaterThan(10);
    },
  );

  test.each(['user', 'oauth'] as const)(
    'every link within the page of the %s interface leads to a part of it',
    async (name) => {
      const page = await (await fetch(`${bases[name]}/reference`)).text();
      const parts = new Set([...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!));
      expect(
        [...new Set([...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id!))].filter(
          (id) => !parts.has(id),
        ),
      ).toEqual([]);
    },
  );

  test('who has it already learns so, and it travels packed', async () => {
    const first = await fetch(`${bases.user}/reference`);
    const body = await first.text();
    expect(first.headers.get('content-encoding')).toBe('gzip');
    const plain = await fetch(`${bases.user}/reference`, {
      headers: { 'Accept-Encoding': 'identity' },
    });
    expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, body]);
    const again = await fetch(`${bases.user}/reference`, {
      headers: { 'If-None-Match': first.headers.get('etag')! },
    });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('it is read and never written', async () => {
    for (const path of ['/reference', '/openapi.json']) {
      const { status, headers } = await fetch(bases.user + path, { method: 'POST' });
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
  });
});

describe('a server whose declarations and handlers differ', () => {
  const clock = settableClock('2026-11-06T05:01:09Z');

  test('does not start: neither without a handler, nor with one that nothing declares', async () => {
    const database = await createSqliteDatabase();
    const { unbindDevice, ...fewer } = handlers;
    const more = { ...handlers, inventedDetail: async () => null };
    for (const start of [startUserApi, startOauth]) {
      await expect(start(database, clock, { operations: all, handlers: fewer })).rejects.toThrow(
        'no handler for unbindDevice',
      );
      await expect(start(database, clock, { operations: all, handlers: more })).rejects.toThrow(
        'nothing declares inventedDetail',
      );
    }
    await expect(
      startUserApi(database, clock, {
        operations: all.filter(({ id }) => id !== 'unbindDevice'),
        handlers,
      }),
    ).rejects.toThrow('nothing declares unbindDevice');
    expect(unbindDevice).toBeDefined();
    await database.drop();
  });
});
