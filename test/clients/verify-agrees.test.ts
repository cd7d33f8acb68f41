import { connect } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { signRequest } from '@helioport/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeEngines } from '../support/engines.ts';
import { helioport } from './command-line.ts';
import { startServer, type RunningServer } from './running-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

interface Draft {
  target: string;
  method: string;
  headers: Record<string, string>;
  body: string;
}

const drafts: Record<string, (draft: Draft) => void> = {
  'nothing is wrong': () => {},
  'the path has a slash too many': (draft) => void (draft.target = `/${draft.target}`),
  'the path is unknown': (draft) => void (draft.target = '/v1/api/nothing'),
  'the method is PUT': (draft) => void (draft.method = 'PUT'),
  'the media type is text': ({ headers }) => void (headers['Content-Type'] = 'text/plain'),
  'the charset is spelled otherwise': ({ headers }) =>
    void (headers['Content-Type'] = 'application/json; charset=utf-8'),
  'the body is said to be compressed': ({ headers }) => void (headers['Content-Encoding'] = 'gzip'),
  'there is no Authorization': ({ headers }) => void delete headers['Authorization'],
  'there is a space after the colon': ({ headers }) =>
    void (headers['Authorization'] = headers['Authorization']!.replace(':', ': ')),
  'there is no Content-MD5': ({ headers }) => void delete headers['Content-MD5'],
  'the Date is in ISO form': ({ headers }) => void (headers['Date'] = new Date().toISOString()),
  'the Date is of yesterday': ({ headers }) =>
    void (headers['Date'] = new Date(Date.now() - 86_400_000).toUTCString()),
  'the Date was changed a little': ({ headers }) =>
    void (headers['Date'] = new Date(Date.now() - 7000).toUTCString()),
  'the sign is another one': ({ headers }) =>
    void (headers['Authorization'] = headers['Authorization']!.replace(
      /:.*/,
      `:${'A'.repeat(27)}=`,
    )),
  'the body was changed': (draft) => void (draft.body = '{"pageNo":2}'),
  'the body has other spaces': (draft) => void (draft.body = '{"pageNo": 1}'),
};

describeEngines('helioport verify', (database) => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer(database(), {
      HELIOPORT_RATE_LIMIT: 'off',
      HELIOPORT_AUTH_FAILURE_LIMIT: 'off',
    });
  });
  afterAll(() => server.stop());

  function requestWith(change: (draft: Draft) => void): string {
    const path = '/v1/api/userStationList';
    const { headers } = signRequest({ path, body: '{"pageNo":1}', at: Date.now(), ...server.demo });
    const draft: Draft = {
      target: path,
      method: 'POST',
      headers: { ...headers },
      body: '{"pageNo":1}',
    };
    change(draft);
    const all = {
      Host: 'x',
      ...draft.headers,
      'Content-Length': Buffer.byteLength(draft.body),
      Connection: 'close',
    };
    const lines = [
      `${draft.method} ${draft.target} HTTP/1.1`,
      ...Object.entries(all).map(([name, value]) => `${name}: ${value}`),
    ];
    return `${lines.join('\r\n')}\r\n\r\n${draft.body}`;
  }

  async function codeOfServer(request: string): Promise<string> {
    const { hostname, port } = new URL(server.baseUrl);
    const socket = connect(Number(port), hostname);
    socket.write(request);
    return /"code":"(\w+)"/.exec(await text(socket))?.[1] ?? 'none';
  }

  test.each(Object.entries(drafts))('says what the server says when %s', async (_, change) => {
    const request = requestWith(change);
    const file = join(temporaryFolder(), 'request.http');
    writeFileSync(file, request);
    const { keyId, keySecret } = server.demo;
    const { json } = await helioport(['verify', file, '--json'], {
      HELIOPORT_KEY_ID: keyId,
      HELIOPORT_KEY_SECRET: keySecret,
    });
    const verdict = json() as {
      ok: boolean;
      failedCheck: string | null;
      checks: { check: string; text: string }[];
    };
    const code = await codeOfServer(request);
    const said = verdict.checks.find(({ check }) => check === verdict.failedCheck)?.text ?? '(0)';
    expect(said).toContain(`(${code})`);
    expect(verdict.ok).toBe(code === '0');
  });
});
