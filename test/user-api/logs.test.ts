import { expect, test } from 'vitest';
import { addKey, describeUserApi, signed, withHeaders, type WireRequest } from './fixture.ts';

describeUserApi('what is logged', (t) => {
  test('at the finest level holds no key secret, signature, token or body, and names each request once', async () => {
    const key = await addKey(t.world);
    const secrets: string[] = [
      key.keySecret,
      'bearer-token-in-a-header',
      'secret-in-a-body',
      'secret-in-a-query',
      'cookie-secret',
    ];
    const sign = (change = {}): WireRequest =>
      signed({ key, at: t.clock.at, body: '{"text":"secret-in-a-body"}', ...change });
    const requests = [
      sign(),
      sign({ contentMd5: 'x' }),
      sign({ body: '{"text":"secret-in-a-body"' }),
      sign({ path: '/v1/api/rename', body: '{"name":"broken","text":"secret-in-a-body"}' }),
      sign({ path: '/v1/api/rename', body: '{"name":"refused","text":"secret-in-a-body"}' }),
      sign({ target: '/v1/api/echo?access_token=secret-in-a-query' }),
      sign({ target: '/nowhere?token=secret-in-a-query' }),
      withHeaders(sign(), { Authorization: 'Bearer bearer-token-in-a-header' }),
      withHeaders(sign(), { Cookie: 'session=cookie-secret', token: 'cookie-secret' }),
      signed({ key: { ...key, keySecret: 'wrong' }, at: t.clock.at }),
    ];
    for (const request of requests) {
      await t.api.send(request);
      secrets.push(
        ...request.headers
          .filter(([name]) => name === 'Authorization')
          .map(([, value]) => value.split(':').at(-1)!),
      );
    }
    await expect.poll(() => t.api.log().match(/"answered"/g)?.length).toBe(requests.length);
    const log = t.api.log();
    for (const secret of secrets) expect(log).not.toContain(secret);
    expect(log).toContain('/nowhere');
  });

  test('of a fault of ours is its cause, with the request id that the answer names', async () => {
    const answer = await t.call({ path: '/v1/api/rename', body: '{"name":"broken"}' });
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({
      success: false,
      code: '500',
      msg: 'internal error',
      data: { requestId: expect.any(String) },
    });
    const line = t.api
      .log()
      .split('\n')
      .find(
        (text) => text.includes(answer.body.data.requestId) && text.includes('request failed'),
      )!;
    expect(JSON.parse(line)).toMatchObject({
      level: 40,
      listener: 'user-api',
      operation: 'rename',
      error: { type: 'Error', message: 'a fault of ours' },
    });
  });

  test('and counted: requests by operation and code, and how long they took', async () => {
    await t.api.send(t.sign({ path: '/v2/api/echo/again' }));
    await t.api.send(t.sign({ at: 0 }));
    const metrics = () => t.api.registry.metrics();
    await expect
      .poll(metrics)
      .toMatch(/helioport_requests_total\{listener="user-api",operation="echo",code="0"\} \d+/);
    await expect
      .poll(metrics)
      .toMatch(/helioport_requests_total\{listener="user-api",operation="echo",code="408"\} 1\n/);
    expect(await metrics()).toMatch(
      /helioport_request_duration_seconds_bucket\{le="0.1",listener="user-api",operation="echo"\} \d+/,
    );
    expect(await metrics()).not.toContain(t.key.keyId);
  });
});
