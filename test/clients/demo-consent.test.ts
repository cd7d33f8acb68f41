import { beforeAll, expect, test } from 'vitest';
import { consentToDemo } from '../../packages/server/src/interfaces/cli/demo/demo-consent.ts';
import type { DemoCredentials } from '../../packages/server/src/interfaces/cli/demo/demo-file.ts';
import {
  registerApplication,
  seedDemo,
} from '../../packages/server/src/interfaces/cli/demo/demo.ts';
import { createIdSource } from '../../packages/server/src/platform/kernel/ids.ts';
import { exchangeCode } from '../../packages/server/src/identity/oauth/families.ts';
import { listGrants } from '../../packages/server/src/identity/oauth/grants.ts';
import { readAccessToken } from '../../packages/server/src/identity/oauth/tokens.ts';
import {
  createOperatorDoor,
  type OperatorDoor,
} from '../../packages/server/src/interfaces/operations/operator-door.ts';
import { describeEngines } from '../support/engines.ts';
import { operationSources } from '../support/operations.ts';

const DAY_MS = 86_400_000;
const lifetimes = { codeMs: 0, accessTokenMs: DAY_MS, refreshTokenMs: 30 * DAY_MS, benignMs: 0 };

describeEngines('the consent of the demo’s owner', (database) => {
  const clock = { at: Date.parse('2026-11-20T12:01:30Z'), now: () => clock.at };
  const ids = createIdSource(clock);
  let operator: OperatorDoor;
  let demo: DemoCredentials;

  beforeAll(async () => {
    const { db } = database();
    operator = createOperatorDoor(operationSources(db, clock, ids));
    demo = await seedDemo(operator, clock.at);
  });

  const consent = (): Promise<string | undefined> =>
    consentToDemo({ db: database().db, clock, ids }, demo);
  const application = () =>
    database()
      .db.selectFrom('application')
      .selectAll()
      .where('clientId', '=', demo.application!.clientId)
      .executeTakeFirstOrThrow();
  const grants = async () => {
    const owner = (await operator.call('user/list', {})).find(({ role }) => role === 'owner');
    return listGrants(database().db, owner!.id);
  };
  const living = () =>
    database()
      .db.selectFrom('tokenFamily')
      .select('codeHash')
      .where('endedAt', 'is', null)
      .execute();

  async function start(): Promise<void> {
    const { id: applicationId, redirectUri } = await application();
    const { hash: codeHash } = readAccessToken((await consent())!)!;
    const act = {
      at: clock.at,
      actor: `application:${applicationId}` as const,
      address: null,
      newId: ids,
    };
    const use = {
      codeHash,
      redirectUri,
      challenge: '',
      now: clock.at,
      applicationId,
      forbidden: 0,
      answersUntil: 0,
    };
    expect(await exchangeCode(database().db, lifetimes, act, use)).toBeDefined();
  }

  test('is not there in a demo of an earlier version until that has the application', async () => {
    const { db } = database();
    const { id } = await application();
    await db.deleteFrom('applicationSecret').where('applicationId', '=', id).execute();
    await db.deleteFrom('application').where('id', '=', id).execute();
    const { application: _, ...earlier } = demo;
    demo = earlier;
    expect(await consent()).toBeUndefined();
    demo = { ...earlier, application: await registerApplication(operator) };
    expect(await grants()).toEqual([]);
  });

  test('covers the plants with a battery, and lets the application read and control', async () => {
    await start();
    const plants = demo.plants
      .filter(({ name }) => ['House in Berlin', 'House in Sydney'].includes(name))
      .map(({ plantId }) => plantId);
    expect(await grants()).toMatchObject([
      {
        applicationName: 'Evening Shift',
        scopes: ['access_data', 'control_device'],
        plantIds: plants,
        revokedAt: null,
      },
    ]);
    expect(plants).toHaveLength(2);
  });

  test('is given once: a restart goes on with it, and leaves no second pair of tokens', async () => {
    const [before] = await grants();
    clock.at += 3 * DAY_MS;
    await start();
    await start();
    expect((await grants()).map(({ id, createdAt }) => [id, createdAt])).toEqual([
      [before!.id, before!.createdAt],
    ]);
    expect(await living()).toHaveLength(1);
  });

  test('stays as narrow as the owner has made it', async () => {
    const { id, plantIds } = (await grants())[0]!;
    await (
      await operator.forUser('owner@demo.example')
    ).call('grant/narrow', { id, scopes: ['access_data'], plantIds: plantIds!.slice(1) });
    await start();
    expect(await grants()).toMatchObject([
      { id, scopes: ['access_data'], plantIds: plantIds!.slice(1), revokedAt: null },
    ]);
    const [family] = await database()
      .db.selectFrom('tokenFamily')
      .select('scopes')
      .where('endedAt', 'is', null)
      .execute();
    expect(family!.scopes).toBe(1);
  });

  test('is given again when the demo has rested for longer than tokens live', async () => {
    clock.at += 31 * DAY_MS;
    await start();
    expect(await grants()).toMatchObject([
      { scopes: ['access_data', 'control_device'], revokedAt: null },
      { scopes: ['access_data'], revokedBy: 'service' },
    ]);
  });

  test('is not given again once the owner has ended it', async () => {
    const { id } = (await grants())[0]!;
    await (await operator.forUser('owner@demo.example')).call('grant/revoke', { id });
    expect(await consent()).toBeUndefined();
    clock.at += 60 * DAY_MS;
    expect(await consent()).toBeUndefined();
    expect((await grants()).filter(({ revokedAt }) => revokedAt === null)).toEqual([]);
  });
});
