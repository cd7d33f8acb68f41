import { afterAll, beforeAll, expect, test } from 'vitest';
import { findLivingToken } from '../../packages/server/src/identity/oauth/bearer.ts';
import { readAccessToken } from '../../packages/server/src/identity/oauth/tokens.ts';
import { addClient, describeOauth } from '../oauth/fixture.ts';
import { startPortal, visitAs, type PortalVisitor, type TestPortal } from '../support/portal.ts';

describeOauth('an authorization that is narrowed', (t) => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await startPortal(t.database(), t.clock);
  });
  afterAll(() => portal.close());

  /** An owner of two plants who has allowed an application everything. */
  async function granted() {
    const owner = await t.world.person();
    const plants = [await t.world.plant(owner.id), await t.world.plant(owner.id)] as const;
    const client = await addClient(t.world);
    const pair = await t.pair(client, { owner });
    const { visitor } = await visitAs(t.world, portal.url, owner.id);
    const [{ id }] = (await visitor.call('grant/list')).body.data;
    const caller = async () =>
      (await findLivingToken(t.database().db, t.clock.at, readAccessToken(pair.access_token)!))
        ?.caller;
    return { owner, plants, visitor, id: id as string, caller, application: client.application };
  }
  const listed = async (visitor: PortalVisitor) => (await visitor.call('grant/list')).body.data[0];

  test('loses a scope and plants at once, also for tokens that were issued before', async () => {
    const { plants, visitor, id, caller, application, owner } = await granted();
    expect(await caller()).toMatchObject({
      scopes: ['access_data', 'control_device'],
      plantIds: null,
    });
    expect((await visitor.call('grant/narrow', { id, scopes: ['access_data'] })).body.success).toBe(
      true,
    );
    expect(await caller()).toMatchObject({ scopes: ['access_data'], plantIds: null });
    expect((await visitor.call('grant/narrow', { id, plantIds: [plants[1]] })).body.success).toBe(
      true,
    );
    expect(await caller()).toMatchObject({ scopes: ['access_data'], plantIds: [plants[1]] });
    expect(await listed(visitor)).toMatchObject({ scopes: ['access_data'], plantIds: [plants[1]] });
    const events = (await visitor.call('user/events')).body.data as {
      kind: string;
      actor: string;
      data: object;
    }[];
    expect(
      events
        .filter(({ kind }) => kind === 'grant.narrowed')
        .map(({ actor, data }) => [actor, data]),
    ).toEqual([
      [
        `account:${owner.id}`,
        {
          applicationId: application.id,
          grantId: id,
          asked: 'access_data',
          scopes: 'access_data',
          plantIds: [plants[1]],
        },
      ],
      [
        `account:${owner.id}`,
        {
          applicationId: application.id,
          grantId: id,
          asked: 'access_data control_device',
          scopes: 'access_data',
          plantIds: null,
        },
      ],
    ]);
  });

  test('never gets more than before, nor nothing, nor plants of others', async () => {
    const { plants, visitor, id, caller } = await granted();
    const foreign = await t.world.plant((await t.world.person()).id);
    await visitor.call('grant/narrow', { id, scopes: 'control_device', plantIds: [plants[0]] });
    for (const [more, code] of [
      [{ scopes: ['access_data', 'control_device'] }, 'H0001'],
      [{ scopes: ['access_data'] }, 'H0001'],
      [{ scopes: [] }, 'I0000'],
      [{ scopes: ['everything'] }, 'H0001'],
      [{ plantIds: [] }, 'I0000'],
      [{ plantIds: [...plants] }, 'H0001'],
      [{ plantIds: [foreign] }, 'H0001'],
      [{}, 'I0000'],
    ] as const)
      expect([more, (await visitor.call('grant/narrow', { id, ...more })).body.code]).toEqual([
        more,
        code,
      ]);
    expect(await caller()).toMatchObject({ scopes: ['control_device'], plantIds: [plants[0]] });
  });

  test('is one’s own, and has not ended', async () => {
    const { visitor, id } = await granted();
    const other = await granted();
    const refused = { success: false, code: 'R0000' };
    expect(
      (await other.visitor.call('grant/narrow', { id, scopes: ['access_data'] })).body,
    ).toMatchObject(refused);
    await visitor.call('grant/revoke', { id });
    expect(
      (await visitor.call('grant/narrow', { id, scopes: ['access_data'] })).body,
    ).toMatchObject(refused);
  });
});
