import { expect, test } from 'vitest';
import { findLivingToken } from '../../../packages/server/src/identity/oauth/bearer.ts';
import { readAccessToken } from '../../../packages/server/src/identity/oauth/tokens.ts';
import { addClient, describeOauth } from '../fixture.ts';

describeOauth('lookups of tokens', (t) => {
  const look = (text: string) =>
    findLivingToken(t.database().db, t.clock.at, readAccessToken(text)!);

  test('at once get each their own answer, also for the same token and for none', async () => {
    const client = await addClient(t.world);
    const owners = await Promise.all(Array.from({ length: 6 }, () => t.world.person()));
    const tokens = await Promise.all(
      owners.map(async (owner) => (await t.pair(client, { owner })).access_token),
    );
    const asked = [...tokens, 'hpa_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA5h2gd4', ...tokens].filter(
      (text) => readAccessToken(text) !== undefined,
    );
    const found = await Promise.all(asked.map(look));
    expect(found.map((token) => token?.caller.accountId)).toEqual(
      [...owners, ...owners].map(({ id }) => id),
    );
  });

  test('that begin after a revocation returned never find the token, however many are under way', async () => {
    const client = await addClient(t.world);
    for (let round = 0; round < 20; round++) {
      const { access_token: token } = await t.pair(client);
      const before = Array.from({ length: 8 }, () => look(token));
      await t.revoke(client, token);
      expect(await Promise.all(Array.from({ length: 8 }, () => look(token)))).toEqual(
        Array.from({ length: 8 }, () => undefined),
      );
      await Promise.all(before);
    }
  });

  test('in a transaction see what the transaction wrote', async () => {
    const client = await addClient(t.world);
    const { access_token: token } = await t.pair(client);
    await t.world.write(async (trx) => {
      await trx
        .updateTable('tokenFamily')
        .set({ accessHash: null })
        .where('accessHash', '=', readAccessToken(token)!.hash)
        .execute();
      expect(await findLivingToken(trx, t.clock.at, readAccessToken(token)!)).toBeUndefined();
    });
  });
});
