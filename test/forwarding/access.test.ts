import { beforeEach, expect, test } from 'vitest';
import { disableApplication } from '../../packages/server/src/identity/oauth/applications.ts';
import { REMEMBERED_MS } from '../../packages/server/src/identity/oauth/families.ts';
import { listGrants, revokeGrant } from '../../packages/server/src/identity/oauth/grants.ts';
import { sweepOauth } from '../../packages/server/src/identity/oauth/housekeeping.ts';
import { disableOwner } from '../../packages/server/src/fleet/plants/owners.ts';
import { archivePlant, transferPlant } from '../../packages/server/src/fleet/plants/plants.ts';
import { withForwarded } from '../../packages/server/src/outbound/forwarding/destinations/owner-view.ts';
import { describeEngines } from '../support/engines.ts';
import { useReceiver } from './receiver.ts';
import { createForwardingScene } from './scene.ts';

describeEngines('who gets events', (database) => {
  const scene = createForwardingScene(database);
  const { clock, deliver } = scene;
  const receiver = useReceiver();
  beforeEach(async () => {
    await database().db.updateTable('destination').set({ state: 'paused' }).execute();
  });
  const measure = (to: { sn: string; collectorId: string }, count = 1) =>
    scene.report(
      to as never,
      Array.from({ length: count }, () => ({ at: (clock.at += 1_000), values: { acPowerW: 100 } })),
    );
  const kinds = () =>
    receiver.seen.map(({ kind, deviceSn }) => (deviceSn === null ? kind : `${kind} ${deviceSn}`));
  const revoke = (grantId: string, ownerId: string) =>
    scene.write((trx) => revokeGrant(trx, scene.act(), grantId, ownerId));

  test('after a revocation nothing but the notice, which tells nothing of plants; what waited is not sent either', async () => {
    const { device, grantId, ownerId } = await scene.connected(receiver.url);
    const second = await scene.beside(device);
    await deliver();
    receiver.seen.length = 0;
    // One device waits for another attempt, and others for their turn.
    receiver.react = () => ({ status: 500 });
    await measure(device);
    await deliver();
    await measure(device, 3);
    await measure({ ...device, sn: second.sn }, 3);
    receiver.seen.length = 0;
    receiver.react = () => ({ status: 200 });
    await revoke(grantId, ownerId);
    clock.at += 86_400_000;
    await deliver();
    expect(kinds()).toEqual(['authorization.revoked']);
    expect(JSON.stringify(receiver.seen)).not.toContain(device.plantId);
    expect(receiver.seen[0]!.data).toEqual({
      authorizationId: grantId,
      account: ownerId,
      reason: 'revoked',
    });
  });

  test('a revocation in the middle of a backlog ends it before the next event', async () => {
    const { device, grantId, ownerId } = await scene.connected(receiver.url, {
      kinds: ['telemetry.sample'],
    });
    await measure(device, 20);
    const third = Promise.withResolvers<void>();
    receiver.react = ({ sequence }) => {
      if (sequence === 3) third.resolve();
      return { status: 200, ...(sequence === 3 && { after: revoked }) };
    };
    const revoked = third.promise.then(() => revoke(grantId, ownerId));
    await deliver();
    expect(receiver.seen.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  });

  test('an authorization whose last refresh token dies is like a revoked one', async () => {
    const { device, grantId } = await scene.connected(receiver.url);
    await deliver();
    receiver.seen.length = 0;
    await measure(device, 2);
    // As at the moment of its death: what is left of it is removed a day later.
    const dead = { codeExpiresAt: clock.at, removeAt: clock.at + REMEMBERED_MS };
    await database()
      .db.updateTable('tokenFamily')
      .set(dead)
      .where('grantId', '=', grantId)
      .execute();
    await deliver();
    expect(receiver.seen).toEqual([]);
    await sweepOauth(database().db, clock.at, scene.newId);
    await deliver();
    expect(receiver.seen.map(({ kind, data }) => [kind, data['reason']])).toEqual([
      ['authorization.revoked', 'expired'],
    ]);
  });

  test('an authorization that is narrowed to one plant lets no event of another through', async () => {
    const { device, application, ownerId } = await scene.connected(receiver.url, {
      kinds: ['telemetry.sample'],
    });
    const plantId = await scene.plant(ownerId);
    const moved = await scene.device(plantId, { ratedPowerW: 10_000 });
    await database()
      .db.updateTable('device')
      .set({ collectorId: device.collectorId })
      .where('id', '=', moved.id)
      .execute();
    await measure(device);
    await measure({ ...device, sn: moved.sn });
    await scene.grant(application.id, ownerId, [plantId]);
    await measure(device);
    await measure({ ...device, sn: moved.sn });
    await deliver();
    expect(receiver.seen.map(({ plantId: of }) => of)).toEqual([plantId, plantId]);
    // Widened again: what happened in between is not made up for, and the gap is none.
    receiver.seen.length = 0;
    clock.at += 1_000;
    await scene.grant(application.id, ownerId);
    await measure(device, 2);
    await deliver();
    expect(receiver.seen.map(({ sequence, resumed }) => [sequence, resumed])).toEqual([
      [3, true],
      [4, undefined],
    ]);
  });

  test('a plant that changes its owner takes its events along: the former owner’s platform gets none of the new owner’s, nor what had waited', async () => {
    const { device, ownerId } = await scene.connected(receiver.url, {
      kinds: ['telemetry.sample'],
    });
    const next = await scene.person();
    await measure(device);
    await scene.write((trx) => transferPlant(trx, scene.act(), device.plantId, next.id));
    await measure(device, 2);
    await deliver();
    expect(receiver.seen).toEqual([]);
    // The new owner's platform begins at its own time, and back at the first owner's nothing of the meantime is sent.
    const own = await scene.connected(receiver.url, { kinds: ['telemetry.sample'] });
    clock.at += 1_000;
    await scene.grant(own.application.id, next.id);
    await measure(device);
    await deliver();
    expect(receiver.seen.map(({ sequence, resumed }) => [sequence, resumed])).toEqual([[2, true]]);
    receiver.seen.length = 0;
    await scene.write((trx) => transferPlant(trx, scene.act(), device.plantId, ownerId));
    await measure(device);
    await deliver();
    expect(receiver.seen.map(({ resumed }) => resumed)).toEqual([true]);
  });

  test('what happened to a plant before it changed its owner stays the former owner’s, even for a platform of both', async () => {
    const { device, application } = await scene.connected(receiver.url, {
      kinds: ['telemetry.sample'],
    });
    const next = await scene.person();
    await scene.grant(application.id, next.id);
    await measure(device);
    await scene.write((trx) => transferPlant(trx, scene.act(), device.plantId, next.id));
    await measure(device);
    await deliver();
    expect(receiver.seen.map(({ sequence, resumed }) => [sequence, resumed])).toEqual([[2, true]]);
  });

  test.each([
    [
      'archived',
      (plantId: string) => scene.write((trx) => archivePlant(trx, scene.act(), plantId)),
    ],
    [
      'of a disabled owner',
      async (plantId: string) =>
        scene.write(async (trx) => disableOwner(trx, scene.act(), await scene.ownerOf(plantId))),
    ],
  ])('nothing of a plant that is %s', async (_, change) => {
    const { device } = await scene.connected(receiver.url, { kinds: ['telemetry.sample'] });
    await measure(device);
    await change(device.plantId);
    await deliver();
    expect(receiver.seen).toEqual([]);
  });

  test('a disabled application gets nothing; nothing is skipped either', async () => {
    const { device, application } = await scene.connected(receiver.url, {
      kinds: ['telemetry.sample'],
    });
    await measure(device);
    await scene.write((trx) => disableApplication(trx, scene.act(), application.id));
    await deliver();
    expect(receiver.seen).toEqual([]);
    await database()
      .db.updateTable('application')
      .set({ disabledAt: null })
      .where('id', '=', application.id)
      .execute();
    await deliver();
    expect(receiver.seen).toHaveLength(1);
  });

  test('neither an authorization nor a destination reaches back before it', async () => {
    const { device, application, ownerId, grantId } = await scene.connected(receiver.url, {
      kinds: ['telemetry.sample'],
    });
    await measure(device, 2);
    await revoke(grantId, ownerId);
    clock.at += 1_000;
    await scene.grant(application.id, ownerId);
    await measure(device);
    await deliver();
    expect(receiver.seen.map(({ sequence, resumed }) => [sequence, resumed])).toEqual([[3, true]]);
    receiver.seen.length = 0;
    clock.at += 1_000;
    await scene.destination(application, receiver.url, { kinds: ['telemetry.sample'] });
    await deliver();
    expect(receiver.seen).toEqual([]);
  });

  test('a plant without authorization, and one whose scope is control alone, send nothing', async () => {
    const { device, application, ownerId } = await scene.connected(receiver.url, {
      kinds: ['telemetry.sample'],
    });
    const stranger = await scene.install();
    await measure(stranger);
    await scene.grant(application.id, ownerId, null, 2);
    await measure(device);
    await deliver();
    expect(receiver.seen).toEqual([]);
  });

  test('its owner sees what an application is sent, since when, and when it last took something; only while access and destination last', async () => {
    const granted = clock.at;
    const { device, application, ownerId, grantId } = await scene.connected(receiver.url, {
      kinds: ['telemetry.sample'],
    });
    const seen = async () => {
      const [grant] = await withForwarded(
        database().db,
        await listGrants(database().db, ownerId),
        clock.at,
      );
      return grant && [grant.forwardedKinds, grant.forwardedSince, grant.forwardedAt];
    };
    expect(await seen()).toEqual([['telemetry.sample'], granted, null]);
    clock.at += 60_000;
    await scene.destination(application, receiver.url, { kinds: ['alarm.raised'] });
    await measure(device);
    await deliver();
    expect(await seen()).toEqual([['telemetry.sample', 'alarm.raised'], granted, clock.at]);
    const switchTo = (state: 'active' | 'paused') =>
      database()
        .db.updateTable('destination')
        .set({ state })
        .where('applicationId', '=', application.id)
        .execute();
    await switchTo('paused');
    expect(await seen()).toEqual([null, null, null]);
    await switchTo('active');
    await scene.grant(application.id, ownerId, null, 2);
    expect(await seen()).toEqual([null, null, null]);
    await scene.grant(application.id, ownerId);
    expect((await seen())?.[0]).toEqual(['telemetry.sample', 'alarm.raised']);
    const died = { codeExpiresAt: clock.at, removeAt: clock.at + REMEMBERED_MS };
    await database()
      .db.updateTable('tokenFamily')
      .set(died)
      .where('grantId', '=', grantId)
      .execute();
    expect(await seen()).toEqual([null, null, null]);
    // For another owner, it begins with the own authorization, whatever was sent before.
    const next = await scene.person();
    clock.at += 60_000;
    await scene.grant(application.id, next.id);
    const [other] = await withForwarded(
      database().db,
      await listGrants(database().db, next.id),
      clock.at,
    );
    expect([other!.forwardedSince, other!.forwardedAt]).toEqual([clock.at, null]);
    await revoke(other!.id, next.id);
    const [revoked] = await withForwarded(
      database().db,
      await listGrants(database().db, next.id),
      clock.at,
    );
    expect(revoked!.forwardedKinds).toBeNull();
  });
});
