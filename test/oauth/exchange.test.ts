import { expect, test } from 'vitest';
import { addClient, describeOauth } from './fixture.ts';

describeOauth('exchanging a code', (t) => {
  test('gives exactly the five fields of the specification', async () => {
    const client = await addClient(t.world);
    const answer = await t.exchange(client, await t.code(client));
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).toSorted()).toEqual(['access_token', 'expires_in', 'refresh_token', 'scope', 'token_type']);
    expect(answer.body).toMatchObject({ token_type: 'bearer', expires_in: 86_400, scope: 'access_data control_device' });
    expect(await t.isActive(client, answer.body.access_token)).toBe(true);
    expect(await t.isActive(client, answer.body.refresh_token)).toBe(true);
  });
  test('a second use is refused', async () => {
    const client = await addClient(t.world);
    const code = await t.code(client);
    const first = await t.exchange(client, code);
    const second = await t.exchange(client, code);
    expect(second.status).toBe(400);
    expect(second.body.error).toBe('invalid_grant');
    expect(await t.isActive(client, first.body.access_token)).toBe(true);
    t.clock.at += 2001;
    expect((await t.exchange(client, code)).body.error).toBe('invalid_grant');
    expect(await t.isActive(client, first.body.access_token)).toBe(false);
    expect(await t.isActive(client, first.body.refresh_token)).toBe(false);
  });
  test('refresh', async () => {
    const client = await addClient(t.world);
    const pair = await t.pair(client);
    const answer = await t.refresh(client, pair.refresh_token);
    expect(answer.body).toMatchObject({ token_type: 'bearer', expires_in: 86_400, scope: 'access_data control_device' });
    expect(await t.isActive(client, pair.access_token)).toBe(false);
    expect(await t.isActive(client, pair.refresh_token)).toBe(false);
    expect(await t.isActive(client, answer.body.access_token)).toBe(true);
  });
});
