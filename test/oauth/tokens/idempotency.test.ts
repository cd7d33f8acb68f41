import { connect } from 'node:net';
import { createHash, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { listGrants, revokeGrant } from '../../../packages/server/src/identity/oauth/grants.ts';
import {
  addClient,
  REDIRECT_URI,
  describeOauth,
  formOf,
  rawTokenRequest,
  type TestClient,
} from '../fixture.ts';

describeOauth('a token request with Idempotency-Key', (t) => {
  let client: TestClient;
  beforeAll(async () => {
    client = await addClient(t.world);
  });
  const key = (): { 'Idempotency-Key': string } => ({ 'Idempotency-Key': randomUUID() });

  test('that is repeated gets the same answer again, byte for byte, for a minute', async () => {
    const once = key();
    const code = await t.code(client);
    const first = await t.exchange(client, code, {}, once);
    t.clock.at += 59_999;
    const again = await t.exchange(client, code, {}, once);
    expect(again.status).toBe(200);
    expect(again.text).toBe(first.text);
    expect(await t.isActive(client, first.body.access_token)).toBe(true);
    t.clock.at += 1;
    expect((await t.exchange(client, code, {}, once)).body.error).toBe('invalid_grant');
  });

  test('works for refreshing too, and the previous tokens still open nothing', async () => {
    const pair = await t.pair(client);
    const once = key();
    const first = await t.refresh(client, pair.refresh_token, {}, once);
    t.clock.at += 10_000;
    expect((await t.refresh(client, pair.refresh_token, {}, once)).text).toBe(first.text);
    expect(await t.isActive(client, pair.access_token)).toBe(false);
    expect(await t.isActive(client, pair.refresh_token)).toBe(false);
    expect(await t.isActive(client, first.body.access_token)).toBe(true);
  });

  test('is refused with another body, and the first answer stays', async () => {
    const once = key();
    const [code, other] = [await t.code(client), await t.code(client)];
    const first = await t.exchange(client, code, {}, once);
    const refused = await t.exchange(client, other, {}, once);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringContaining('another body'),
    });
    expect((await t.exchange(client, other)).status).toBe(200);
    expect((await t.exchange(client, code, {}, once)).text).toBe(first.text);
  });

  test('of two bodies at once under one key, one is answered and the other keeps its code', async () => {
    for (let round = 0; round < 10; round++) {
      const once = key();
      const codes = [await t.code(client), await t.code(client), await t.code(client)];
      const answers = await Promise.all(codes.map((code) => t.exchange(client, code, {}, once)));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        200, 400, 400,
      ]);
      for (const [i, answer] of answers.entries())
        if (answer.status === 400) expect((await t.exchange(client, codes[i]!)).status).toBe(200);
    }
  });

  test('sent many times at once is one answer for all', async () => {
    const once = key();
    const pair = await t.pair(client);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => t.refresh(client, pair.refresh_token, {}, once)),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]!.status).toBe(200);
    expect(await t.isActive(client, answers[0]!.body.access_token)).toBe(true);
  });

  test('of another application means something else', async () => {
    const stranger = await addClient(t.world);
    const once = key();
    const code = await t.code(client);
    await t.exchange(client, code, {}, once);
    expect((await t.exchange(stranger, code, {}, once)).body.error).toBe('invalid_grant');
  });

  test.each(['x'.repeat(15), 'x'.repeat(65), 'with blanks in it 123', 'ümlaut-0123456789abc'])(
    'of another form is refused before anything happens: %s',
    async (text) => {
      const code = await t.code(client);
      const answer = await t.exchange(
        client,
        code,
        {},
        { 'Idempotency-Key': Buffer.from(text).toString('latin1') },
      );
      expect(answer.status).toBe(400);
      expect(answer.body.error).toBe('invalid_request');
      expect((await t.exchange(client, code)).status).toBe(200);
    },
  );

  test('leaves in the database nothing that opens the answer', async () => {
    const code = await t.code(client);
    const { body } = await t.exchange(client, code, {}, key());
    const rows = await t.database().db.selectFrom('tokenAnswer').selectAll().execute();
    const dump = rows
      .map((row) =>
        Object.values(row)
          .map((value) =>
            typeof value === 'object' ? Buffer.from(value).toString('latin1') : String(value),
          )
          .join(' '),
      )
      .join('\n');
    for (const secret of [code, body.access_token, body.refresh_token])
      expect(dump).not.toContain(secret);
  });

  test('is forgotten at revocation, by the application or by the owner', async () => {
    const owner = await t.world.person();
    const { db } = t.database();
    const count = async (): Promise<number> =>
      (
        await db
          .selectFrom('tokenAnswer')
          .selectAll()
          .where('applicationId', '=', client.application.id)
          .execute()
      ).length;
    const before = await count();
    const exchanged = await t.exchange(client, await t.code(client, { owner }), {}, key());
    expect(await count()).toBe(before + 1);
    await t.revoke(client, exchanged.body.access_token);
    expect(await count()).toBe(before);
    const refreshed = await t.refresh(client, exchanged.body.refresh_token, {}, key());
    expect(await count()).toBe(before + 1);
    await t.revoke(client, refreshed.body.refresh_token);
    expect(await count()).toBe(before);
    await t.exchange(client, await t.code(client, { owner }), {}, key());
    const [grant] = await listGrants(db, owner.id);
    await t.world.write((trx) => revokeGrant(trx, t.world.act(), grant!.id, owner.id));
    expect(await count()).toBe(before);
  });

  /** Sends a request and cuts the connection as soon as the server has committed, before its answer can be read. */
  async function cut(code: string, lines: string[]): Promise<void> {
    const body = formOf({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
    const { hostname, port } = new URL(t.oauth.url);
    const socket = connect(Number(port), hostname);
    socket.write(rawTokenRequest(body, [`Authorization: ${client.basic}`, ...lines]));
    const { db } = t.database();
    const codeHash = createHash('sha256').update(code).digest();
    const used = async (): Promise<boolean> => {
      const row = await db
        .selectFrom('tokenFamily')
        .select('codeUsedAt')
        .where('codeHash', '=', codeHash)
        .executeTakeFirstOrThrow();
      return row.codeUsedAt !== null;
    };
    while (!(await used())) await setImmediate();
    socket.destroy();
  }

  test('whose answer was cut off goes on with the same request; without the key the owner is sent through again', async () => {
    const owner = await t.world.person();
    const once = key();
    const code = await t.code(client, { owner });
    await cut(code, [`Idempotency-Key: ${once['Idempotency-Key']}`]);
    const again = await t.exchange(client, code, {}, once);
    expect(again.status).toBe(200);
    expect(await t.isActive(client, again.body.access_token)).toBe(true);

    const lost = await t.code(client, { owner });
    await cut(lost, []);
    expect((await t.exchange(client, lost)).body.error).toBe('invalid_grant');
    // docs/oauth.md: the grant stands, so the owner need not be asked again.
    expect((await listGrants(t.database().db, owner.id))[0]).toMatchObject({ revokedAt: null });
    expect((await t.exchange(client, await t.code(client, { owner }))).status).toBe(200);
  });
});
