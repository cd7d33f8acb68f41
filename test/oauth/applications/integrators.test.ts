import { expect, test } from 'vitest';
import { listApplicationRefusals } from '../../../packages/server/src/identity/oauth/application-refusals.ts';
import { addClient, describeOauth, postForm } from '../fixture.ts';
import { authorizeUrl, createVisitor } from '../visitor.ts';

describeOauth('what an application was refused', (t) => {
  test('is counted by endpoint and reason for the operator, newest first, with what to do', async () => {
    const client = await addClient(t.world);
    await createVisitor().open(
      authorizeUrl(t.oauth.url, client, { redirect_uri: 'https://platform.example/other' }),
    );
    t.clock.at += 1000;
    for (let i = 0; i < 3; i++) await t.exchange(client, 'x');
    t.clock.at += 1000;
    await t.refresh(client, 'x');
    expect(await listApplicationRefusals(t.database().db, client.application)).toMatchObject([
      { endpoint: 'token', reason: 'refreshTokenUnknown', error: 'invalid_grant', count: 1 },
      {
        endpoint: 'token',
        reason: 'codeUnknown',
        error: 'invalid_grant',
        count: 3,
        firstAt: t.clock.at - 1000,
        description: expect.stringContaining('code'),
        lastRequestId: expect.any(String),
      },
      { endpoint: 'authorize', reason: 'callbackMismatch', count: 1 },
    ]);
  });

  test('is not what others do in its name: failed authentications, expired pages, denials', async () => {
    const client = await addClient(t.world);
    await t.exchange(client, 'x', {}, { Authorization: undefined });
    const visitor = createVisitor();
    const page = await visitor.open(authorizeUrl(t.oauth.url, client));
    await visitor.submit(page, 'log-in', { token: 'x' });
    expect(await listApplicationRefusals(t.database().db, client.application)).toEqual([]);
  });

  test('has a request id in every answer', async () => {
    const client = await addClient(t.world);
    const answers = [
      await t.exchange(client, 'x'),
      await createVisitor().open(authorizeUrl(t.oauth.url, client, { client_id: 'x' })),
      await createVisitor().open(`${t.oauth.url}/oauth/nothing`),
    ];
    for (const { headers } of answers)
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]+-\w+$/);
    const known = (await listApplicationRefusals(t.database().db, client.application)).map(
      ({ lastRequestId }) => lastRequestId,
    );
    expect(known).toContain(answers[0]!.headers.get('x-request-id'));
  });

  test('shows in the metrics by reason', async () => {
    const client = await addClient(t.world);
    await t.exchange(client, 'x');
    await t.pair(client);
    // The router reads percent signs; a metric that kept them would grow with every spelling.
    expect((await postForm(t.oauth.url, '/oauth/%74oken', {}, {})).status).toBe(401);
    const text = await t.oauth.metrics();
    expect(text).not.toContain('%74');
    expect(text).toMatch(
      /helioport_oauth_refused_total\{endpoint="token",reason="codeUnknown"\} [1-9]/,
    );
    expect(text).toMatch(/helioport_oauth_issued_total\{grant="authorization_code"\} [1-9]/);
  });

  test('by strangers is written down a bounded number of times, and counted all the same', async () => {
    const client = await addClient(t.world);
    const ask = () =>
      fetch(authorizeUrl(t.oauth.url, client, { response_type: 'token' }), { redirect: 'manual' });
    const rows = () => listApplicationRefusals(t.database().db, client.application);
    for (let i = 0; i < 60; i++) expect((await ask()).status).toBe(303);
    expect(await rows()).toMatchObject([{ reason: 'responseTypeUnsupported', count: 20 }]);
    t.clock.at += 10_000;
    await ask();
    await ask();
    expect(await rows()).toMatchObject([{ count: 61, lastAt: t.clock.at }]);
    // Another reason has its own.
    await fetch(authorizeUrl(t.oauth.url, client, { scope: 'x' }), { redirect: 'manual' });
    expect(await rows()).toHaveLength(2);
  });
});
