import { hasDoor, operations, type Operation, type OperationId } from '@helioport/contract';
import { expect, test } from 'vitest';
import { disableOwner } from '../../packages/server/src/fleet/plants/owners.ts';
import { archivePlant, transferPlant } from '../../packages/server/src/fleet/plants/plants.ts';
import { sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import type { WireAnswer } from '../commands/wire.ts';
import { describeStrategies, type Battery, type Partner } from './scene.ts';

/** What each operation is asked about: a plant, its inverter, and a strategy that is in force there. */
interface Place {
  readonly plantId: string;
  readonly sn: string;
  readonly id: string;
}

const NOTHING: Place = {
  plantId: '1300000000000000000',
  sn: 'UNKNOWN-1',
  id: '1300000000000000002',
};
const OTHER_PLANT = '1300000000000000009';

const all = (
  Object.values(operations) as unknown as (Operation & { readonly id: OperationId })[]
).filter(({ family }) => family === 'strategies');

describeStrategies('who may do what with strategies (C26, C27)', (scene) => {
  const { write, act, database, settle } = scene;

  let references = 0;
  /** For a time at which the inverter is free, so that what counts is who asks. */
  const wanted = (target: object) => ({
    reference: `access-${++references}`,
    name: 'Night',
    start: scene.clock.at + 86_400_000,
    end: scene.clock.at + 90_000_000,
    ...target,
  });
  const intervals = [
    { start: '00:00', end: '24:00', payload: { type: 'exportLimit', powerKw: 1 } },
  ];
  /** How each is asked; an operation without a row fails the first test. */
  const requests: {
    readonly [id: string]: readonly ((place: Place) => Record<string, unknown>)[];
  } = {
    'strategy/create': [
      ({ sn }) => wanted({ sn, intervals }),
      ({ plantId }) => wanted({ plantIds: [plantId], intervals }),
      ({ sn }) => wanted({ sn, powerKw: 1 }),
    ],
    'strategy/validate': [
      ({ sn }) => wanted({ sn, intervals }),
      ({ plantId }) => wanted({ plantIds: plantId, intervals }),
    ],
    'strategy/dispatch': [({ id }) => ({ id })],
    'strategy/amend': [({ id }) => ({ id, intervals })],
    'strategy/heartbeat': [({ id }) => ({ id })],
    'strategy/list': [({ plantId }) => ({ plantId })],
    'strategy/detail': [({ id }) => ({ id })],
    'strategy/delivery': [({ id }) => ({ id })],
    'strategy/limits': [({ plantId }) => ({ plantId })],
    'strategy/setLimits': [({ plantId }) => ({ plantId })],
    'strategy/resume': [({ id }) => ({ id }), ({ id, plantId }) => ({ id, plantId })],
    'strategy/stop': [({ id }) => ({ id }), ({ id, plantId }) => ({ id, plantId })],
    'strategy/cancel': [({ id }) => ({ id })],
  };

  test('every operation is asked', () => {
    const known = new Set(Object.keys(requests));
    expect(all.map(({ id }) => id as string).filter((id) => !known.has(id))).toEqual([]);
  });

  type Ask = (id: OperationId, body: Record<string, unknown>) => Promise<WireAnswer>;
  interface Asked extends Place {
    readonly here: Battery;
    readonly partner: Partner;
  }
  const place = async (): Promise<Asked> => {
    const here = await scene.battery();
    const partner = await scene.partner(here.ownerId);
    const id = await partner.dispatch({ sn: here.sn });
    await settle(here);
    return { here, partner, plantId: here.plantId, sn: here.sn, id };
  };
  const stored = async () => {
    const { db } = database();
    const commands = await db.selectFrom('command').select(['id', 'state']).orderBy('id').execute();
    const devices = await db
      .selectFrom('strategyDevice')
      .select(['strategyId', 'deviceId', 'state'])
      .orderBy('strategyId')
      .orderBy('deviceId')
      .execute();
    return {
      commands,
      devices,
      strategies: await db
        .selectFrom('strategy')
        .select(['id', 'content', 'endAt', 'endedAt', 'heartbeatAt'])
        .orderBy('id')
        .execute(),
    };
  };

  const keyHolder = async (terms: Parameters<typeof scene.key>[0]): Promise<Ask> => {
    const key = await scene.key(terms);
    return (id, body) => scene.call(key, id, body);
  };
  const sharer =
    (level: 'read' | 'control') =>
    async ({ plantId }: Asked): Promise<Ask> => {
      const { id, email } = await scene.person();
      await write((trx) => sharePlant(trx, act(), plantId, email, level));
      return keyHolder({ accountId: id });
    };
  const application =
    (terms: Parameters<typeof scene.partner>[1] = {}) =>
    async ({ here }: Asked): Promise<Ask> =>
      (await scene.partner(here.ownerId, terms)).ask;

  const NEW = ['strategy/create', 'strategy/validate'];
  const VIEWS = ['strategy/list', 'strategy/detail', 'strategy/delivery', 'strategy/limits'];
  const OWN = [
    'strategy/dispatch',
    'strategy/amend',
    'strategy/heartbeat',
    'strategy/detail',
    'strategy/delivery',
    'strategy/list',
    'strategy/cancel',
  ];
  const DECISIONS = ['strategy/resume', 'strategy/setLimits', 'strategy/stop'];

  /** Who asks, and what they may do; everything else is as if there were nothing. */
  const requesters: readonly [string, (place: Asked) => Promise<Ask>, readonly string[]][] = [
    ['the application that dispatched it', async ({ partner }) => partner.ask, [...NEW, ...OWN]],
    ['another application of the owner', application(), [...NEW, 'strategy/list']],
    [
      'an application with consent for the plant',
      ({ here, ...it }) => application({ plantIds: [here.plantId] })({ here, ...it }),
      [...NEW, 'strategy/list'],
    ],
    ['an application with consent for another plant', application({ plantIds: [OTHER_PLANT] }), []],
    [
      'an application of another owner',
      async () => (await scene.partner((await scene.person()).id)).ask,
      [],
    ],
    [
      'an application of an installer with a share for control',
      async ({ plantId }) => {
        const { id, email } = await scene.person();
        await write((trx) => sharePlant(trx, act(), plantId, email, 'control'));
        return (await scene.partner(id)).ask;
      },
      [],
    ],
    [
      'an application of the former owner',
      async ({ plantId, partner }) => {
        const { id } = await scene.person();
        await write((trx) => transferPlant(trx, act(), plantId, id));
        // Of its strategy, it still learns how it ended.
        return (operation, body) =>
          body['id'] === NOTHING.id || !('id' in body)
            ? partner.ask(operation, body)
            : partner.ask(operation, { ...body, id: NOTHING.id });
      },
      [],
    ],
    ['the owner', ({ here }) => keyHolder({ accountId: here.ownerId }), [...VIEWS, ...DECISIONS]],
    [
      'the owner with a key for reading',
      ({ here }) => keyHolder({ accountId: here.ownerId, canControl: false }),
      VIEWS,
    ],
    [
      'the owner with a key for other plants',
      ({ here }) => keyHolder({ accountId: here.ownerId, plantIds: [OTHER_PLANT] }),
      [],
    ],
    ['somebody with a share for reading', sharer('read'), VIEWS],
    ['somebody with a share for control', sharer('control'), VIEWS],
    ['a stranger', async () => keyHolder({}), []],
    [
      'the owner of an archived plant',
      async ({ here, plantId }) => {
        await write((trx) => archivePlant(trx, act(), plantId));
        return keyHolder({ accountId: here.ownerId });
      },
      [],
    ],
  ];

  test.each(requesters)('%s', async (who, asking, may) => {
    const it = await place();
    const ask = await asking(it);
    const door = who.includes('application') ? 'oauth' : 'signed';
    for (const [id, bodies] of Object.entries(requests)) {
      if (!hasDoor(operations[id as OperationId], door)) continue;
      for (const body of bodies) {
        const before = await stored();
        const answer = await ask(id as OperationId, body(it));
        expect([id, answer.status, answer.body, answer.body.code === '0']).toEqual([
          id,
          200,
          answer.body,
          may.includes(id),
        ]);
        if (may.includes(id)) continue;
        expect(await stored()).toEqual(before);
        // Foreign is like unknown, to the byte.
        expect([id, JSON.stringify(answer.body)]).toEqual([
          id,
          JSON.stringify((await ask(id as OperationId, body(NOTHING))).body),
        ]);
      }
    }
  });

  test('a token without the scope, and one that was revoked, open nothing', async () => {
    const it = await place();
    const without = await scene.partner(it.here.ownerId, { scopes: ['access_data'] });
    const revoked = await scene.partner(it.here.ownerId);
    await scene.running.revoke(revoked.client, revoked.token);
    for (const { id } of all.filter(
      (operation) => hasDoor(operation, 'oauth') && operation.id in requests,
    )) {
      const [body] = requests[id]!;
      expect([id, (await without.ask(id, body!(it))).status]).toEqual([id, 403]);
      expect([id, (await revoked.ask(id, body!(it))).status]).toEqual([id, 401]);
    }
    await write((trx) => disableOwner(trx, act(), it.here.ownerId));
    expect((await it.partner.ask('strategy/detail', { id: it.id })).status).toBe(401);
  });

  test('an application hears of no strategy but its own, in whatever list', async () => {
    const it = await place();
    const other = await scene.partner(it.here.ownerId);
    for (const body of [{}, { plantId: it.plantId }, { current: 1 }])
      expect((await other.ask('strategy/list', body)).body.data).toEqual([]);
    const mine = await other.ask('strategy/create', wanted({ sn: it.sn, intervals }));
    expect(
      (await other.ask('strategy/list', {})).body.data.map(({ id }: { id: string }) => id),
    ).toEqual([mine.body.data.id]);
  });

  test('another owner’s token of the same application opens nothing, either', async () => {
    const it = await place();
    const { id } = await scene.person();
    const { access_token: token } = await scene.running.pair(it.partner.client, {
      owner: { id } as never,
    });
    for (const operation of OWN.filter((one) => one !== 'strategy/list')) {
      const [body] = requests[operation]!;
      const { body: answer } = await scene.bear(token, operation as OperationId, body!(it));
      expect([operation, answer.code]).toEqual([operation, 'R0000']);
    }
    expect((await scene.bear(token, 'strategy/list', {})).body.data).toEqual([]);
  });

  test('a former owner’s application gets no heartbeat answered, nor one for plants that were left out', async () => {
    const losses: readonly ((here: Battery, partner: Partner) => Promise<unknown>)[] = [
      async (here) => {
        const { id } = await scene.person();
        await write((trx) => transferPlant(trx, act(), here.plantId, id));
      },
      (_, partner) =>
        database()
          .db.updateTable('oauthGrant')
          .set({ plantIds: JSON.stringify([OTHER_PLANT]) })
          .where('id', '=', partner.caller.grantId)
          .execute(),
      (here) => write((trx) => archivePlant(trx, act(), here.plantId)),
    ];
    for (const lose of losses) {
      const { here, partner } = await place();
      const body = wanted({ sn: here.sn, intervals, heartbeatSeconds: 60 });
      const { id } = (await partner.ask('strategy/create', body)).body.data;
      await partner.ask('strategy/dispatch', { id });
      const { heartbeatAt } = await database()
        .db.selectFrom('strategy')
        .select('heartbeatAt')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      scene.clock.at += 1000;
      expect((await partner.ask('strategy/heartbeat', { id })).body.code).toBe('0');
      await lose(here, partner);
      scene.clock.at += 1000;
      expect((await partner.ask('strategy/heartbeat', { id })).body).toMatchObject({
        code: 'R0000',
        data: null,
      });
      expect(
        await database()
          .db.selectFrom('strategy')
          .select('heartbeatAt')
          .where('id', '=', id)
          .executeTakeFirstOrThrow(),
      ).toEqual({ heartbeatAt: heartbeatAt! + 1000 });
    }
  });
});
