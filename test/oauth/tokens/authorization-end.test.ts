import { expect, test } from 'vitest';
import { listAudit } from '../../../packages/server/src/identity/accounts/audit.ts';
import {
  findLivingGrant,
  listGrants,
  recordConsent,
} from '../../../packages/server/src/identity/oauth/grants.ts';
import { sweepOauth } from '../../../packages/server/src/identity/oauth/housekeeping.ts';
import { bitsOf } from '../../../packages/server/src/identity/oauth/scopes.ts';
import { addClient, addOwner, describeOauth } from '../fixture.ts';
import { authorizeUrl, createVisitor, signIn } from '../visitor.ts';

const DAY_MS = 86_400_000;
const REFRESH_MS = 30 * DAY_MS;

describeOauth('an authorization', (t) => {
  const db = () => t.database().db;
  const lives = async (ownerId: string, applicationId: string): Promise<boolean> =>
    (await findLivingGrant(db(), t.clock.at, ownerId, applicationId)) !== undefined;

  test('lives as long as the last of its refresh tokens, and the list says until when', async () => {
    const [client, owner] = [await addClient(t.world), await addOwner(t.world)];
    const first = await t.pair(client, { owner });
    t.clock.at += DAY_MS;
    await t.pair(client, { owner });
    const [grant, ...others] = await listGrants(db(), owner.id);
    expect([grant!.livesUntil, others]).toEqual([t.clock.at + REFRESH_MS, []]);
    t.clock.at += REFRESH_MS - DAY_MS;
    // The first pair has expired, the second one lives.
    expect((await t.refresh(client, first.refresh_token)).status).toBe(400);
    expect(await lives(owner.id, client.application.id)).toBe(true);
    t.clock.at += DAY_MS;
    expect(await lives(owner.id, client.application.id)).toBe(false);
  });

  test('is kept alive by a refresh, and ends with the tokens that its application revokes', async () => {
    const [client, owner] = [await addClient(t.world), await addOwner(t.world)];
    const pair = await t.pair(client, { owner });
    t.clock.at += REFRESH_MS - 1;
    const { body } = await t.refresh(client, pair.refresh_token);
    t.clock.at += 1;
    expect(await lives(owner.id, client.application.id)).toBe(true);
    expect((await listGrants(db(), owner.id))[0]!.livesUntil).toBe(t.clock.at - 1 + REFRESH_MS);
    await t.revoke(client, body.refresh_token);
    expect(await lives(owner.id, client.application.id)).toBe(false);
    expect((await listGrants(db(), owner.id))[0]!.livesUntil).toBeNull();
  });

  test('that has expired is asked for anew, and begins with nothing that was granted then', async () => {
    const [client, owner] = [await addClient(t.world), await addOwner(t.world)];
    const plant = await t.world.plant(owner.id);
    await t.pair(client, { owner, plantIds: [plant] });
    const [visitor, url] = [
      createVisitor(),
      authorizeUrl(t.oauth.url, client, { scope: 'access_data' }),
    ];
    await signIn(visitor, url, owner.email);
    await visitor.submit(await visitor.open(url), 'consent', {
      decision: 'approve',
      plants: 'all',
    });
    // While it lives, the owner is not asked again.
    expect((await visitor.open(url)).status).toBe(303);
    t.clock.at += REFRESH_MS;
    const again = createVisitor();
    await signIn(again, authorizeUrl(t.oauth.url, client, { state: 'other' }), owner.email);
    // Signed in for another request, so that only the living authorization could spare the page.
    expect((await again.open(url)).status).toBe(200);
    await again.submit(await again.open(url), 'consent', { decision: 'approve' });
    const grants = await listGrants(db(), owner.id);
    expect(
      grants.map(({ scopes, revokedAt, revokedBy }) => [scopes, revokedAt, revokedBy]),
    ).toEqual([
      [['access_data'], null, null],
      [['access_data', 'control_device'], t.clock.at, 'service'],
    ]);
    const kinds = (await listAudit(db(), owner.id, { limit: 20 })).map(({ kind }) => kind);
    expect(kinds).toContain('grant.expired');
  });

  test('ends with its last token, as soon as housekeeping looks; not while another lives, nor once more', async () => {
    const [client, other, owner] = [
      await addClient(t.world),
      await addClient(t.world),
      await addOwner(t.world),
    ];
    await t.pair(client, { owner });
    t.clock.at += DAY_MS;
    await t.pair(other, { owner });
    const third = await addClient(t.world);
    const revoked = await t.pair(third, { owner });
    t.clock.at += REFRESH_MS - DAY_MS - 1;
    const ended = async () => {
      await sweepOauth(db(), t.clock.at, t.world.newId);
      return (await listGrants(db(), owner.id))
        .filter(({ revokedAt }) => revokedAt !== null)
        .map(({ applicationId }) => applicationId);
    };
    expect(await ended()).toEqual([]);
    t.clock.at += 1;
    expect(await ended()).toEqual([client.application.id]);
    t.clock.at += DAY_MS - 2;
    expect(await ended()).toEqual([client.application.id]);
    await t.revoke(third, revoked.refresh_token);
    expect(await ended()).toHaveLength(2);
    t.clock.at += 2 * DAY_MS;
    expect(await ended()).toHaveLength(3);
    expect(
      (await listAudit(db(), owner.id, { limit: 20 })).filter(
        ({ kind }) => kind === 'grant.expired',
      ),
    ).toHaveLength(3);
  });

  test('ends in the list, too, when housekeeping takes the last of it away; one that was renewed meanwhile does not', async () => {
    const [client, other, owner] = [
      await addClient(t.world),
      await addClient(t.world),
      await addOwner(t.world),
    ];
    await t.pair(client, { owner });
    await t.pair(other, { owner });
    t.clock.at += REFRESH_MS + 2 * DAY_MS;
    await t.pair(other, { owner });
    await sweepOauth(db(), t.clock.at, t.world.newId);
    const grants = await listGrants(db(), owner.id);
    const of = (id: string) =>
      grants.filter(({ applicationId }) => applicationId === id).map(({ revokedAt }) => revokedAt);
    expect(of(client.application.id)).toEqual([t.clock.at]);
    expect(of(other.application.id)).toContain(null);
    expect(
      (await listAudit(db(), owner.id, { limit: 20 })).filter(
        ({ kind }) => kind === 'grant.expired',
      ),
    ).toHaveLength(2);
    await sweepOauth(db(), t.clock.at, t.world.newId);
    expect(await listGrants(db(), owner.id)).toEqual(grants);
  });

  test('with a code that waits lives until the code expires', async () => {
    const [client, owner] = [await addClient(t.world), await addOwner(t.world)];
    await t.code(client, { owner });
    expect(await lives(owner.id, client.application.id)).toBe(true);
    t.clock.at += 1_800_000;
    expect(await lives(owner.id, client.application.id)).toBe(false);
    // A decision then is a new authorization.
    const bits = bitsOf(['access_data']);
    const consent = {
      accountId: owner.id,
      applicationId: client.application.id,
      asked: bits,
      approved: bits,
      plantIds: null,
    };
    await t.world.write((trx) => recordConsent(trx, t.world.act(), consent));
    expect((await listGrants(db(), owner.id)).map(({ scopes }) => scopes)).toEqual([
      ['access_data'],
      ['access_data', 'control_device'],
    ]);
  });
});
