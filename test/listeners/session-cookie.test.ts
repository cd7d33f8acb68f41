import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { csrfToken, isCsrfToken } from '../../packages/server/src/interfaces/edges/http/csrf.ts';
import { createCookies } from '../../packages/server/src/interfaces/edges/http/session-cookie.ts';

const VALUE = 'A'.repeat(43);

/** A browser's jar for one host: a name is one cookie, whatever the port. */
function jar() {
  const kept = new Map<string, string>();
  const reply = {
    header: (_name: string, line: string) => {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      kept.set(name, value);
    },
  } as unknown as FastifyReply;
  const request = () =>
    ({ headers: { cookie: [...kept].map((pair) => pair.join('=')).join('; ') } }) as FastifyRequest;
  return { kept, reply, request };
}

test.each(['http://127.0.0.1:8081', 'https://solar.example'])(
  'two listeners on one host keep their sessions apart, at %s',
  (url) => {
    const { reply, request, kept } = jar();
    const [oauth, portal] = [createCookies('oauth', url), createCookies('portal', url)];
    oauth.set(reply, 'session', VALUE);
    oauth.set(reply, 'browser', 'known');
    expect([portal.sessionOf(request()), portal.browserOf(request())]).toEqual([
      undefined,
      undefined,
    ]);
    portal.set(reply, 'session', 'B'.repeat(43));
    expect([
      oauth.sessionOf(request()),
      portal.sessionOf(request()),
      oauth.browserOf(request()),
    ]).toEqual([VALUE, 'B'.repeat(43), 'known']);
    expect(
      [...kept.keys()].every((name) => name.startsWith('__Host-') === url.startsWith('https:')),
    ).toBe(true);
  },
);

test('a form’s token fits its session, form and context alone', () => {
  const use = { sessionId: VALUE, form: 'log-in', context: Buffer.from('one') };
  const token = csrfToken(use);
  expect(isCsrfToken(use, token)).toBe(true);
  for (const other of [
    { sessionId: 'B'.repeat(43) },
    { form: 'log-out' },
    { context: Buffer.from('two') },
  ])
    expect(isCsrfToken({ ...use, ...other }, token)).toBe(false);
  expect([
    isCsrfToken(use, undefined),
    isCsrfToken(use, ''),
    isCsrfToken(use, token.slice(1)),
  ]).toEqual([false, false, false]);
});
