import { createClient } from '@helioport/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addApp } from '../accounts/factors/fixture.ts';
import { useReceiver } from '../forwarding/receiver.ts';
import { addOwner, basicOf, PASSWORD, postForm } from '../oauth/fixture.ts';
import { authorizeUrl, createVisitor, signIn } from '../oauth/visitor.ts';
import { createStreet, type House, type Street } from '../portal/house.ts';
import { createPortalVisitor, visitAs, type PortalVisitor } from '../support/portal.ts';

const SOON = { timeout: 60_000, interval: 50 };
const CALLBACK = 'https://platform.example/callback';

const receiver = useReceiver();
let street: Street;
let house: House;
let owner: Awaited<ReturnType<typeof addOwner>>;
beforeAll(async () => {
  street = await createStreet({
    HELIOPORT_ROLES: 'user-api,oauth,portal,gateway,worker',
    HELIOPORT_EGRESS_ALLOW: '127.0.0.0/8',
  });
  owner = await addOwner(street.fleet);
  house = await street.house({ ownerId: owner.id });
});
afterAll(() => street.close());

const done = async (
  asked: Promise<{ readonly body: { readonly success: boolean; readonly data: any } }>,
): Promise<any> => {
  const { body } = await asked;
  expect(body, JSON.stringify(body)).toMatchObject({ success: true });
  return body.data;
};

test(
  'from an owner’s first key to the end of an authorization, over the doors of a whole server',
  { timeout: 120_000 },
  async () => {
    const { fleet, app, database } = street;
    const [portalUrl, oauthUrl] = [app.addresses['portal']!, app.addresses['oauth']!];
    const elsewhere = await fleet.plant(owner.id, { name: 'Elsewhere' });
    const atPortal = async (email: string): Promise<PortalVisitor> => {
      const visitor = createPortalVisitor(portalUrl);
      await done(visitor.logIn(email, PASSWORD));
      return visitor;
    };

    // The owner activates a key, which works after the next log-in.
    let portal = await atPortal(owner.email);
    const pair = await done(
      portal.call('key/create', { label: 'home', password: PASSWORD, canControl: 1 }),
    );
    const client = createClient({ baseUrl: app.addresses['user-api']!, ...pair });
    await expect(client.call('userStationList', {})).rejects.toMatchObject({ status: 403 });
    await done(portal.post('/portal/log-out'));
    portal = await atPortal(owner.email);
    const own = await client.call('userStationList', {});
    expect(own.page.records.map(({ id }) => id)).toEqual([house.plantId, elsewhere]);

    // A developer applies, the operator approves, and the developer makes a secret.
    const developer = await atPortal((await addOwner(fleet)).email);
    const stated = {
      name: 'Peak Partner',
      purpose: 'Shaves peaks',
      redirectUri: CALLBACK,
      scopes: 'access_data,control_device',
    };
    const { clientId } = await done(developer.call('developer/apply', stated));
    const { id: operatorId } = await fleet.person({ role: 'operator' });
    await addApp(fleet, database.db, operatorId);
    const { visitor: operator } = await visitAs(fleet, portalUrl, operatorId);
    const [waiting] = (await done(operator.post('/portal/console/application/list'))) as {
      clientId: string;
      state: string;
      submittedAt: number;
    }[];
    expect(waiting).toMatchObject({ clientId, state: 'submitted', purpose: 'Shaves peaks' });
    await done(
      operator.post('/portal/console/application/approve', {
        application: clientId,
        submittedAt: waiting!.submittedAt,
      }),
    );
    const { clientSecret } = await done(
      developer.call('developer/rotateSecret', { clientId, password: PASSWORD }),
    );

    // The owner consents for one plant, and the platform gets tokens.
    const browser = createVisitor();
    const asked = authorizeUrl(oauthUrl, {
      clientId,
      application: { redirectUri: CALLBACK },
    } as never);
    const back = await browser.submit(await signIn(browser, asked, owner.email), 'consent', {
      decision: 'approve',
      plants: 'some',
      plant: house.plantId,
    });
    const Authorization = basicOf(clientId, clientSecret);
    const code = back.location!.searchParams.get('code')!;
    const first = await postForm(
      oauthUrl,
      '/oauth/token',
      { grant_type: 'authorization_code', code, redirect_uri: CALLBACK },
      { Authorization },
    );
    const tokens = await postForm(
      oauthUrl,
      '/oauth/token',
      { grant_type: 'refresh_token', refresh_token: first.body.refresh_token },
      { Authorization },
    );
    const post = async (path: string, authorization: string, body: object) => {
      const headers = { Authorization: authorization, 'Content-Type': 'application/json' };
      const response = await fetch(oauthUrl + path, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      return {
        status: response.status,
        requestId: response.headers.get('x-request-id'),
        body: (await response.json()) as { success: boolean; data: any },
      };
    };
    const platform = (path: string, body: object = {}) =>
      post(`/api/${path}`, `Bearer ${tokens.body.access_token}`, body);
    const forwarding = (path: string, body: object) =>
      done(post(`/oauth/forwarding/${path}`, Authorization, body));

    // It reads, writes a parameter, dispatches a strategy and receives events.
    const { id: destination } = await forwarding('add', { url: receiver.url });
    const seen = await done(platform('access_data/userStationList'));
    expect(seen.page.records.map(({ id }: { id: string }) => id)).toEqual([house.plantId]);
    expect((await platform('access_data/stationDetail', { id: elsewhere })).body).toMatchObject({
      success: false,
      code: 'R0000',
    });
    expect(
      await done(
        platform('control_device/control', {
          inverterSn: house.storageSn,
          cid: '157',
          value: '20',
        }),
      ),
    ).toMatchObject([{ code: 0 }]);
    expect(house.settings).toContainEqual(
      expect.objectContaining({ sn: house.storageSn, parameter: '157', value: '20' }),
    );
    const intervals = [
      { start: '00:00', end: '24:00', payload: { type: 'exportLimit', powerKw: 1.5 } },
    ];
    const about = {
      reference: 'r1',
      name: 'Evening peak',
      sn: house.storageSn,
      end: Date.now() + 7_200_000,
      intervals,
    };
    const { id: strategy } = await done(platform('control_device/strategy/create', about));
    await done(platform('control_device/strategy/dispatch', { id: strategy }));
    const stateOf = async (): Promise<string> =>
      (await done(portal.call('strategy/detail', { id: strategy }))).state;
    await expect.poll(stateOf, SOON).toBe('active');
    const measure = (acPowerW: number) =>
      house.report([{ sn: house.stringSn, at: Date.now(), values: { acPowerW } }]);
    await measure(4321);
    const kinds = (): string[] => receiver.taken.map(({ kind }) => kind);
    await expect
      .poll(kinds, SOON)
      .toEqual(expect.arrayContaining(['telemetry.sample', 'control.result', 'strategy.state']));
    expect(new Set(receiver.taken.map(({ plantId }) => plantId))).toEqual(new Set([house.plantId]));

    // The developer sees how it goes: a consent, a refusal with its request id, a destination that is up to date.
    const developed = async () => done(developer.call('developer/show', { clientId }));
    expect(await developed()).toMatchObject({
      consents: { living: 1, withControl: 1, forSomePlants: 1 },
    });
    const errors = await done(developer.call('developer/errors', { clientId }));
    expect(errors).toMatchObject([
      {
        endpoint: 'api/access_data/stationDetail',
        error: 'R0000',
        count: 1,
        lastRequestId: expect.any(String),
      },
    ]);
    expect(await done(developer.call('forwarding/list', { application: clientId }))).toMatchObject([
      { id: destination, state: 'active' },
    ]);

    // The owner sees all of it, and revokes.
    const [grant] = await done(portal.call('grant/list'));
    expect(grant).toMatchObject({
      applicationName: 'Peak Partner',
      scopes: ['access_data', 'control_device'],
      plantIds: [house.plantId],
      refreshedAt: expect.any(Number),
      forwardedAt: expect.any(Number),
    });
    expect(grant.forwardedKinds).toContain('telemetry.sample');
    const writes = await done(portal.call('command/byOthers', { plantId: house.plantId }));
    expect(writes).toContainEqual(
      expect.objectContaining({ parameter: '157', newValue: '20', door: 'oauth' }),
    );
    const days = (await done(portal.call('grant/uses', { id: grant.id }))) as {
      commands: number;
    }[];
    expect(days.reduce((sum, { commands }) => sum + commands, 0)).toBeGreaterThan(0);
    expect(await done(portal.call('strategy/list', { plantId: house.plantId }))).toMatchObject([
      { id: strategy, state: 'active' },
    ]);
    const isUpToDate = async (): Promise<boolean> =>
      (await forwarding('show', { id: destination })).behindSeconds === 0;
    await expect.poll(isUpToDate, SOON).toBe(true);
    await done(portal.call('grant/revoke', { id: grant.id }));

    // The next call is refused, the strategy ends, and nothing more is sent but that it is over.
    expect((await platform('access_data/userStationList')).status).toBe(401);
    expect(
      (
        await platform('control_device/control', {
          inverterSn: house.storageSn,
          cid: '157',
          value: '30',
        })
      ).status,
    ).toBe(401);
    await expect.poll(kinds, SOON).toContain('authorization.revoked');
    const before = receiver.taken.length;
    await measure(1234);
    await expect.poll(isUpToDate, SOON).toBe(true);
    expect(receiver.taken.slice(before).map(({ kind }) => kind)).toEqual([]);
    await expect.poll(stateOf, SOON).not.toBe('active');
    expect(await developed()).toMatchObject({ consents: { living: 0, endedLately: 1 } });
  },
);
