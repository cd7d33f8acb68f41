import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { describeUserApi, exchange, withHeaders, type WireRequest } from './fixture.ts';

const wireOf = ({ method = 'POST', target, headers, body = '' }: WireRequest): string =>
  [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    ...headers.map((pair) => pair.join(': ')),
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');

const statuses = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

describeUserApi('S22: on one connection', (t) => {
  const refusals = (): [number, WireRequest][] => [
    [401, withHeaders(t.sign({ body: '{"pageNo":2}' }), { Authorization: 'Bearer x' })],
    [
      403,
      withHeaders(t.sign({ body: '{"pageNo":3}' }), {
        Authorization: 'API 1:nBYQWeuzy3Y+gp67BN8zXTmvSDk=',
      }),
    ],
    [404, t.sign({ target: '/v1/api/nothing', body: 'x'.repeat(100_000) })],
    [405, t.sign({ method: 'PUT', body: 'x'.repeat(100_000) })],
    [
      415,
      withHeaders(t.sign({ body: 'POST /v1/api/echo HTTP/1.1\r\n\r\n' }), {
        'Content-Type': 'text/plain',
      }),
    ],
    [400, t.sign({ target: '/v1/api/echo?x', body: '{"pageNo":4}' })],
    [408, t.sign({ at: 0, body: '{"pageNo":5}' })],
    [403, t.sign({ contentMd5: 'x', body: '{"pageNo":6}' })],
    [413, t.sign({ body: ' '.repeat(1024 * 1024 + 1) })],
    [400, t.sign({ body: '{' })],
  ];

  test('requests sent without waiting are answered in their order, whatever becomes of the ones before', async () => {
    const good = t.sign({ body: '{"pageNo":7}' });
    const sent = refusals().flatMap(([status, request]) => [
      [status, request] as const,
      [200, good] as const,
    ]);
    const received = await exchange(
      t.api.port,
      sent.map(([, request]) => wireOf(request)).join(''),
      (text) => statuses(text).length === sent.length && text.endsWith('}'),
    );
    expect(statuses(received)).toEqual(sent.map(([status]) => status));
    expect(received.match(/"pageNo":7/g)).toHaveLength(refusals().length);
  });

  test('a refused request leaves nothing behind for the next one that waits for its answer', async () => {
    for (const [status, refused] of refusals()) {
      const socket = connect(t.api.port, '127.0.0.1');
      const answers: number[] = [];
      for (const request of [refused, t.sign(), refused, t.sign()]) {
        const received = await new Promise<string>((resolve, reject) => {
          let text = '';
          const onData = (chunk: Buffer) => {
            text += chunk.toString();
            const [head, body] = text.split('\r\n\r\n');
            if (
              body === undefined ||
              Buffer.byteLength(body) < Number(/content-length: (\d+)/i.exec(head!)![1])
            )
              return;
            socket.off('data', onData);
            resolve(text);
          };
          socket.on('data', onData).once('error', reject);
          socket.write(wireOf(request));
        });
        answers.push(...statuses(received));
      }
      socket.destroy();
      expect(answers).toEqual([status, 200, status, 200]);
    }
  });

  test('a body longer or shorter than its length says is never mixed with the next request', async () => {
    const good = t.sign();
    const shifted = wireOf(good).replace('Content-Length: 2', 'Content-Length: 3');
    expect(
      statuses(
        await exchange(
          t.api.port,
          shifted + wireOf(good),
          (text) => statuses(text).length > 1 || text.includes('Connection: close'),
        ),
      ),
    ).not.toContain(200);
    const both = wireOf(good).replace(
      'Content-Length',
      'Transfer-Encoding: chunked\r\nContent-Length',
    );
    expect(statuses(await exchange(t.api.port, both))).toEqual([400]);
  });

  test('that breaks off in the middle of a body, nothing happens', async () => {
    const wire = wireOf(t.sign({ path: '/v1/api/rename', body: '{"name":"cut"}' }));
    const socket = connect(t.api.port, '127.0.0.1');
    await new Promise<void>((resolve) => socket.write(wire.slice(0, -3), () => resolve()));
    socket.resetAndDestroy();
    expect((await t.call()).status).toBe(200);
    const account = await t
      .database()
      .db.selectFrom('account')
      .select('name')
      .where('id', '=', t.key.accountId)
      .executeTakeFirst();
    expect(account!.name).not.toBe('cut');
  });
});
