import {
  errors,
  hasDoor,
  operations,
  type Door,
  type ErrorCode,
  type OperationId,
} from '@helioport/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { changeAlarms } from '../packages/server/src/outbound/alarms/alarm-rows.ts';
import { assignCollector } from '../packages/server/src/fleet/devices/devices.ts';
import { readNotifiedAlarms } from '../packages/server/src/outbound/notifications/messages/notified-alarms.ts';
import { listReaders } from '../packages/server/src/fleet/plants/access.ts';
import { disableOwner } from '../packages/server/src/fleet/plants/owners.ts';
import { archivePlant, transferPlant } from '../packages/server/src/fleet/plants/plants.ts';
import { sharePlant, unsharePlant } from '../packages/server/src/fleet/plants/shares.ts';
import { createRelations, isRelation, type Relation } from './access/relations.ts';
import {
  startInterfaces,
  type Answer,
  type Ask,
  type Credentials,
  type Interfaces,
} from './access/requesters.ts';
import {
  allQuestions,
  isNaming,
  listNames,
  nameBy,
  namesOf,
  NOTHING,
  periodOf,
  plainNames,
  wireNamesOf,
  type Body,
  type Target,
} from './access/questions.ts';
import { createFleet } from './operations/fleet.ts';
import { createScene, questions, SCENE_NOW, type QueryId, type Scene } from './operations/scene.ts';
import { proving } from './support/effort.ts';
import { describeEngines } from './support/engines.ts';
import { settableClock, userCaller } from './support/world.ts';
import { plantOperations } from './operations/plant-operations.ts';

const OTHER_PLANT = '1300000000000000009';

/**
 * open: the answer tells of the plant. closed: as if there were no such plant. refused: whatever is asked, with this error.
 * absent: the interface has no such path.
 */
type Outcome = 'open' | 'closed' | { readonly refused: ErrorCode } | 'absent';

type Change =
  | 'read'
  | 'control'
  | 'withdrawn'
  | 'archived'
  | 'transferred'
  | 'disabled'
  | 'operator'
  | Relation;

type Requester = (scene: MeteredScene) => Credentials;
type MeteredScene = Scene & Target;
type KeyTerms = Extract<Credentials, { key: unknown }>['key'];
type TokenTerms = Extract<Credentials, { token: unknown }>['token'];

const key =
  (of: 'owner' | 'other', terms: (scene: Scene) => KeyTerms = () => ({})): Requester =>
  (scene) => ({ key: terms(scene), of: scene[of] });

const token =
  (
    of: 'owner' | 'other',
    terms: (scene: Scene) => TokenTerms = () => ({}),
    revoked?: true,
  ): Requester =>
  (scene) => ({ token: terms(scene), of: scene[of], ...(revoked && { revoked }) });

/** Somebody who is logged in at the portal. */
const session =
  (of: 'owner' | 'other', state: 'open' | 'ended' = 'open'): Requester =>
  (scene) => ({ session: state, of: scene[of] });

/** An operator, with the permission of an account. */
const support =
  (of: 'owner' | 'other', state: 'open' | 'ended' = 'open'): Requester =>
  (scene) => ({ support: state, of: scene[of] });

const onlyThis = ({ plantId }: Scene) => ({ plantIds: [plantId] });
const onlyOthers = () => ({ plantIds: [OTHER_PLANT] });

/** Who asks, what was changed before, and what becomes of reading. */
const requesters: [who: string, requester: Requester, outcome: Outcome, change?: Change][] = [
  ['its owner', key('owner'), 'open'],
  ['its owner with a key for reading', key('owner', () => ({ canControl: false })), 'open'],
  ['its owner with a key for this plant', key('owner', onlyThis), 'open'],
  ['its owner with a key for other plants', key('owner', onlyOthers), 'closed'],
  [
    'its owner with an expired key',
    key('owner', () => ({ expiresAt: Date.parse(SCENE_NOW) + 1 })),
    { refused: 'keyRefused' },
  ],
  ['its owner, disabled', key('owner'), { refused: 'keyRefused' }, 'disabled'],
  ['the owner of an archived plant', key('owner'), 'closed', 'archived'],
  [
    'the owner of an archived plant with a key for it',
    key('owner', onlyThis),
    'closed',
    'archived',
  ],
  ['the former owner of a plant that went to another', key('owner'), 'closed', 'transferred'],
  ['another owner', key('other'), 'closed'],
  ['another owner with a key that names it', key('other', onlyThis), 'closed'],
  ['an installer with a share for reading', key('other'), 'open', 'read'],
  ['an installer with a share for control', key('other'), 'open', 'control'],
  [
    'an installer with a share and a key for other plants',
    key('other', onlyOthers),
    'closed',
    'control',
  ],
  ['an installer whose share was withdrawn', key('other'), 'closed', 'withdrawn'],
  ['somebody with a share of a disabled owner', key('other'), 'closed', 'disabled'],
  ['somebody with a share of an archived plant', key('other'), 'closed', 'archived'],
  [
    'somebody with a share of a plant that went to another owner',
    key('other'),
    'closed',
    'transferred',
  ],
  ['an application with the owner’s full consent', token('owner'), 'open'],
  ['an application with consent for this plant', token('owner', onlyThis), 'open'],
  ['an application with consent for another plant', token('owner', onlyOthers), 'closed'],
  [
    'an application with consent for a plant that was archived',
    token('owner', onlyThis),
    'closed',
    'archived',
  ],
  [
    'an application with consent for a plant that went to another owner',
    token('owner', onlyThis),
    'closed',
    'transferred',
  ],
  [
    'an application without the scope',
    token('owner', () => ({ scopes: ['control_device'] })),
    { refused: 'scopeMissing' },
  ],
  [
    'an application whose token was revoked',
    token('owner', undefined, true),
    { refused: 'notAuthenticated' },
  ],
  [
    'an application of a disabled owner',
    token('owner'),
    { refused: 'notAuthenticated' },
    'disabled',
  ],
  ['an application of an installer with a share', token('other'), 'closed', 'control'],
  ['its owner at the portal', session('owner'), 'open'],
  [
    'its owner at the portal, logged out',
    session('owner', 'ended'),
    { refused: 'notAuthenticated' },
  ],
  [
    'its owner at the portal, disabled',
    session('owner'),
    { refused: 'notAuthenticated' },
    'disabled',
  ],
  ['another owner at the portal', session('other'), 'closed'],
  ['an installer with a share for reading at the portal', session('other'), 'open', 'read'],
  ['an installer whose share was withdrawn at the portal', session('other'), 'closed', 'withdrawn'],
  [
    'somebody with a share of a disabled owner at the portal',
    session('other'),
    'closed',
    'disabled',
  ],
  [
    'somebody with a share who has become an operator, at the portal',
    session('other'),
    { refused: 'noPermission' },
    'operator',
  ],
  [
    'somebody with a share who has become an operator, with a key',
    key('other'),
    { refused: 'keyRefused' },
    'operator',
  ],
  [
    'an application of an owner who has become an operator',
    token('owner'),
    { refused: 'notAuthenticated' },
    'operator',
  ],
  ['a member of a company that may control it', key('other'), 'open', 'member'],
  ['a member of a company that may control it, at the portal', session('other'), 'open', 'member'],
  ['an application of a member of such a company', token('other'), 'closed', 'member'],
  ['a former member of such a company', key('other'), 'closed', 'left'],
  ['a former member of such a company at the portal', session('other'), 'closed', 'left'],
  ['a member of a company that was dissolved', session('other'), 'closed', 'dissolved'],
  ['a member of a company whose access has ended', session('other'), 'closed', 'companyEnded'],
  ['its installer', session('other'), 'open', 'installer'],
  ['an application of its installer', token('other'), 'closed', 'installer'],
  ['its former installer', session('other'), 'closed', 'installerEnded'],
  ['somebody who may install it', key('other'), 'open', 'mayInstall'],
  ['somebody who may install it, at the portal', session('other'), 'open', 'mayInstall'],
  [
    'somebody who may install it, with a key for other plants',
    key('other', onlyOthers),
    'closed',
    'mayInstall',
  ],
  ['an application of somebody who may install it', token('other'), 'closed', 'mayInstall'],
  ['the support of somebody who may install it', support('other'), 'closed', 'mayInstall'],
  ['somebody who might install it until that ended', session('other'), 'closed', 'mayInstallEnded'],
  [
    'somebody who might install it until that ended, with a key',
    key('other'),
    'closed',
    'mayInstallEnded',
  ],
  ['who has sold it', session('owner'), 'closed', 'sold'],
  ['who has sold it, with a key for it', key('owner', onlyThis), 'closed', 'sold'],
  ['an application of an owner who has sold it', token('owner', onlyThis), 'closed', 'sold'],
  ['its installer, once it is sold', session('other'), 'open', 'soldWithInstaller'],
  ['who has sold it with an installer', session('owner'), 'closed', 'soldWithInstaller'],
  [
    'who has sold it, and whose company installed it',
    session('owner'),
    'closed',
    'soldWithColleague',
  ],
  ['a colleague of the seller who installed it', session('other'), 'closed', 'soldWithColleague'],
  [
    'a colleague of the seller, with a key for it',
    key('other', onlyThis),
    'closed',
    'soldWithColleague',
  ],
  [
    'a member of a company that was dissolved, with a key for it',
    key('other', onlyThis),
    'closed',
    'dissolved',
  ],
  ['an application of a former member of a company', token('other'), 'closed', 'left'],
  [
    'a member of a company whose access has ended, with a key',
    key('other'),
    'closed',
    'companyEnded',
  ],
  ['its installer, with a key', key('other'), 'open', 'installer'],
  ['its former installer, with a key for it', key('other', onlyThis), 'closed', 'installerEnded'],
  ['an application of its former installer', token('other'), 'closed', 'installerEnded'],
  ['its installer, once it is sold, with a key', key('other'), 'open', 'soldWithInstaller'],
  [
    'an application of its installer, once it is sold',
    token('other'),
    'closed',
    'soldWithInstaller',
  ],
  [
    'the former owner of a plant that went to another, at the portal',
    session('owner'),
    'closed',
    'transferred',
  ],
  ['the support, with the permission of its owner', support('owner'), 'open'],
  ['the support of a former member of a company', support('other'), 'closed', 'left'],
  ['the support of a former installer', support('other'), 'closed', 'installerEnded'],
  [
    'the support of a seller whose company installed it',
    support('owner'),
    'closed',
    'soldWithColleague',
  ],
  ['the support of an owner whose plant is archived', support('owner'), 'closed', 'archived'],
  [
    'the support, with a permission that has ended',
    support('owner', 'ended'),
    { refused: 'noPermission' },
  ],
  ['the support of an owner who has sold it', support('owner'), 'closed', 'sold'],
  ['the support of somebody with a share', support('other'), 'closed', 'control'],
  ['the support of its installer', support('other'), 'closed', 'installer'],
  ['the support of a member of a company', support('other'), 'closed', 'member'],
];

/** What becomes of live streams and of news of alarms, for its former owner and for somebody else. */
const notifiedOf: readonly (readonly [Change, owner: boolean, other: boolean])[] = [
  ['read', true, true],
  ['withdrawn', true, false],
  ['transferred', false, false],
  ['archived', false, false],
  ['member', true, true],
  ['left', true, false],
  ['dissolved', true, false],
  ['companyEnded', true, false],
  ['installer', true, true],
  ['installerEnded', true, false],
  ['mayInstall', true, true],
  ['mayInstallEnded', true, false],
  ['sold', false, false],
  ['soldWithInstaller', false, true],
  ['soldWithColleague', false, false],
];

const doorOf = (credentials: Credentials): Door =>
  'key' in credentials
    ? 'signed'
    : 'token' in credentials
      ? 'oauth'
      : 'support' in credentials
        ? 'support'
        : 'portal';

const reading = plantOperations.filter(({ write }) => !write);

describe('the access matrix', () => {
  test('asks every operation that changes nothing, by each name that it takes for what it is asked about', () => {
    expect(Object.keys(questions).toSorted()).toEqual(
      reading.map(({ id }) => id as string).toSorted(),
    );
    for (const operation of reading) {
      expect(allQuestions.filter(({ id }) => id === operation.id).length).toBeGreaterThan(
        namesOf(operation).length,
      );
      // A new parameter must say whether it names something.
      expect([
        operation.id,
        wireNamesOf(operation).filter((name) => isNaming(name) === plainNames.has(name)),
      ]).toEqual([operation.id, []]);
    }
  });
});

describeEngines('doors that an operation does not have', (database) => {
  const clock = settableClock(SCENE_NOW);
  const fleet = createFleet(database, clock);

  test('are closed: its listener has no such path, no matter who asks', async () => {
    const interfaces = await startInterfaces(database, clock, fleet);
    const { id: of } = await fleet.person();
    const [signed, authorized] = [
      await interfaces.askAs({ key: {}, of }),
      await interfaces.askAs({ token: {}, of }),
    ];
    const atPortal = await interfaces.askAs({ session: 'open', of });
    for (const operation of Object.values(operations)) {
      for (const [door, ask] of [
        ['signed', signed],
        ['oauth', authorized],
        ['portal', atPortal],
      ] as const) {
        if (hasDoor(operation, door)) continue;
        clock.at += 1000;
        expect([operation.id, door, await ask(operation.id, {})]).toMatchObject([
          operation.id,
          door,
          { status: 404, body: { code: '404' } },
        ]);
      }
    }
    await interfaces.close();
  });
});

/**
 * All, or in a brief run a third, and of the slower engine a twelfth: others for each who asks. An operation has its questions one after another, so
 * that a third has one of each with several.
 */
const questionsOf = (engine: string, row: number) =>
  allQuestions.filter((_, i) => proving || (i + row) % (engine === 'SQLite' ? 3 : 12) === 0);

describeEngines('who may ask what', (database, engine) => {
  const clock = settableClock(SCENE_NOW);
  const fleet = createFleet(database, clock);
  let interfaces: Interfaces;
  /** What no caller of any test may hear of; in every list, counter and sum, were it not for access. */
  let neighbour: MeteredScene;

  let meters = 0;
  const metered = async (): Promise<MeteredScene> => {
    const scene = await createScene(fleet);
    const nmiCode = `NMI${String(++meters).padStart(7, '0')}`;
    await database()
      .db.updateTable('plant')
      .set({ nmiCode })
      .where('id', '=', scene.plantId)
      .execute();
    return { ...scene, nmiCode };
  };

  beforeAll(async () => {
    interfaces = await startInterfaces(database, clock, fleet);
    neighbour = await metered();
  });
  afterAll(() => interfaces.close());
  afterEach(() => {
    clock.at = Date.parse(SCENE_NOW);
  });

  const relate = createRelations({
    as: (accountId, id, body) => fleet.wire(id, userCaller(accountId), body),
    person: () => fleet.person(),
  });

  const changed = async (change: Change | undefined): Promise<MeteredScene> => {
    const scene = await metered();
    if (isRelation(change)) {
      await relate[change](scene);
      return scene;
    }
    const { plantId, otherEmail } = scene;
    await fleet.write(async (trx) => {
      const act = fleet.act();
      if (change === 'read' || change === 'control')
        await sharePlant(trx, act, plantId, otherEmail, change);
      else if (change) await sharePlant(trx, act, plantId, otherEmail, 'control');
      if (change === 'withdrawn') await unsharePlant(trx, act, plantId, otherEmail);
      if (change === 'archived') await archivePlant(trx, act, plantId);
      if (change === 'transferred') await transferPlant(trx, act, plantId, neighbour.owner);
    });
    return scene;
  };

  const disable = ({ owner }: Scene): Promise<void> =>
    fleet.write((trx) => disableOwner(trx, fleet.act(), owner));

  const expectedOf = (credentials: Credentials, outcome: Outcome, id: OperationId): Outcome =>
    hasDoor(operations[id], doorOf(credentials)) ? outcome : 'absent';

  const idsOf = ({ plantId, nmiCode, devices }: Target): string[] => [
    plantId,
    nmiCode,
    ...Object.values(devices).flatMap(({ id, sn }) => [id, sn]),
  ];
  const isAmong = (traces: readonly string[], answer: Answer): boolean => {
    const text = JSON.stringify(answer);
    return traces.some((trace) => text.includes(trace));
  };

  test.each(
    requesters.map(([name, of, outcome, change], row) => [name, of, outcome, change, row] as const),
  )('%s', async (_, requesterOf, outcome, change, row) => {
    const scene = await changed(change);
    const credentials = requesterOf(scene);
    const ask = await interfaces.askAs(credentials);
    // A key's last millisecond is over.
    if ('key' in credentials && credentials.key.expiresAt) clock.at = credentials.key.expiresAt;
    if (change === 'disabled') await disable(scene);
    if (change === 'operator')
      await database()
        .db.updateTable('account')
        .set({ role: 'operator' })
        .where('id', '=', credentials.of)
        .execute();
    const traces = [...idsOf(scene), '1234', '1.234'];
    const strange = idsOf(neighbour);
    for (const { id, body: bodyOf } of questionsOf(engine, row)) {
      const expected = expectedOf(credentials, outcome, id);
      const body = bodyOf(scene);
      const answer = await ask(id, body);
      expect({ id, body, tells: isAmong(traces, answer) }).toEqual({
        id,
        body,
        tells: expected === 'open',
      });
      if (change !== 'transferred')
        expect({ id, body, strange: isAmong(strange, answer) }).toEqual({
          id,
          body,
          strange: false,
        });
      if (expected === 'open') {
        expect([answer.status, answer.body.code]).toEqual([200, '0']);
        expectCountsOf(id, body, answer);
      }
      // Foreign is the same as unknown, to the byte.
      else if (expected === 'closed') {
        expect(answer.status).toBe(200);
        expect([id, body, JSON.stringify(answer)]).toEqual([
          id,
          body,
          JSON.stringify(await ask(id, bodyOf(NOTHING))),
        ]);
      } else if (expected === 'absent')
        expect(answer).toMatchObject({ status: 404, body: { code: '404' } });
      else
        expect(answer).toMatchObject({
          status: errors[expected.refused].status,
          body: { code: errors[expected.refused].code },
        });
    }
  });

  test.each(notifiedOf)(
    'live streams and news of alarms end when access does: %s',
    async (change, owner, other) => {
      const scene = await changed(change);
      const { db } = database();
      const { plantId } = scene;
      const alarms = await db
        .selectFrom('alarm')
        .select('id')
        .where('plantId', '=', plantId)
        .execute();
      const ids = alarms.map(({ id }) => id);
      expect(ids.length).toBeGreaterThan(0);
      for (const [accountId, isNotified] of [
        [scene.owner, owner],
        [scene.other, other],
      ] as const) {
        const streams = await listReaders(db, [accountId], [plantId]);
        const news = await readNotifiedAlarms(db, accountId, ids);
        expect([accountId, streams.length > 0, news.length > 0]).toEqual([
          accountId,
          isNotified,
          isNotified,
        ]);
      }
    },
  );

  /** Totals and counters know of nothing but the records: all of a scene fits on one page. */
  const expectCountsOf = (id: OperationId, body: Body, { body: { data } }: Answer): void => {
    const page = data.page ?? data;
    if (!Array.isArray(page.records)) return;
    // A cursor changes no totals.
    if (!('minId' in body)) expect([id, page.total]).toEqual([id, page.records.length]);
    for (const [name, counts] of Object.entries(data))
      if (name.endsWith('StatusVo'))
        expect([id, (counts as { all: number }).all]).toEqual([id, page.total]);
  };

  test('who sees nothing gets the same lists and counters, whatever is withheld', async () => {
    const nobody = await fleet.person();
    const own = { key: {}, of: nobody.id };
    const asNobody = await interfaces.askAs(own);
    const asNobodysApplication = await interfaces.askAs({ token: {}, of: nobody.id });
    const asNobodyAtPortal = await interfaces.askAs({ session: 'open', of: nobody.id });
    const asNobodysSupport = await interfaces.askAs({ support: 'open', of: nobody.id });
    const nobodyBy: Readonly<Partial<Record<Door, Ask>>> = {
      signed: asNobody,
      oauth: asNobodysApplication,
      portal: asNobodyAtPortal,
      support: asNobodysSupport,
    };
    const withheld: [Ask, Ask][] = [];
    for (const [, requesterOf, outcome, change] of requesters) {
      if (outcome !== 'closed') continue;
      const scene = await changed(change);
      const credentials = requesterOf(scene);
      withheld.push([await interfaces.askAs(credentials), nobodyBy[doorOf(credentials)]!]);
      if (change === 'disabled') await disable(scene);
    }
    for (const { id } of reading.filter(({ request }) => 'pageNo' in request)) {
      const period = periodOf(id as QueryId);
      for (const [ask, nobodys] of withheld)
        expect([id, await ask(id, period)]).toEqual([id, await nobodys(id, period)]);
    }
  });

  test('a list of one’s own and foreign things is the list of one’s own and unknown things', async () => {
    const scene = await metered();
    for (const credentials of [key('owner')(scene), token('owner')(scene)]) {
      const ask = await interfaces.askAs(credentials);
      for (const operation of reading) {
        const { id } = operation;
        if ('token' in credentials && !hasDoor(operation, 'oauth')) continue;
        const lists = namesOf(operation).filter(
          (name) => listNames.includes(name) || (name === 'sn' && id === 'inverter/shelfTime'),
        );
        for (const name of lists) {
          const mixed = (target: Target, form: (items: unknown[]) => unknown): Body => ({
            ...periodOf(id as QueryId),
            [name]: form(
              [nameBy(id as QueryId, name, scene), nameBy(id as QueryId, name, target)].flat(),
            ),
          });
          for (const form of [
            (items: unknown[]) => items,
            (items: unknown[]) => items.toReversed().join(','),
          ]) {
            const answer = await ask(id, mixed(neighbour, form));
            expect([id, name, answer]).toEqual([id, name, await ask(id, mixed(NOTHING, form))]);
            expect(isAmong(idsOf(scene), answer)).toBe(true);
            expectCountsOf(id, {}, answer);
          }
        }
      }
    }
  });

  test('one’s own and a foreign name together are answered as one’s own and an unknown one', async () => {
    const scene = await metered();
    const ask = await interfaces.askAs(key('owner')(scene));
    for (const operation of reading) {
      const id = operation.id as QueryId;
      const names = namesOf(operation).filter(
        (name) => !listNames.includes(name) && name !== 'minId',
      );
      for (const one of names) {
        for (const other of names) {
          if (one === other) continue;
          const bodyOf = (target: Target): Body => ({
            ...periodOf(id),
            [one]: nameBy(id, one, scene),
            [other]: nameBy(id, other, target),
          });
          expect([id, one, other, await ask(id, bodyOf(neighbour))]).toEqual([
            id,
            one,
            other,
            await ask(id, bodyOf(NOTHING)),
          ]);
        }
      }
    }
  });

  test('what is wrong in a request about something foreign is answered as about something unknown', async () => {
    const wrong: Readonly<Record<string, unknown>> = {
      pageSize: 101,
      pageNo: 'abc',
      time: '2026-02-30',
      month: '2026-13',
      year: '9999',
      timeZone: 99,
      money: 'x'.repeat(1000),
      state: 7,
      alarmBeginTime: 'yesterday',
      searchinfo: 'nothing',
      stationType: 'guest',
    };
    const scene = await metered();
    const asks = [
      await interfaces.askAs(key('other')(scene)),
      await interfaces.askAs(token('other')(scene)),
    ];
    for (const operation of reading) {
      const id = operation.id as QueryId;
      for (const { names } of Object.values(operation.request)) {
        for (const [name, by] of (names as readonly string[]).flatMap((one) =>
          one in wrong ? namesOf(operation).map((other) => [one, other] as const) : [],
        )) {
          // Under each of its names alone.
          const period = Object.fromEntries(
            Object.entries(periodOf(id)).filter(
              ([each]) => !(names as readonly string[]).includes(each),
            ),
          );
          const bodyOf = (target: Target): Body => ({
            ...period,
            [by]: nameBy(id, by, target),
            [name]: wrong[name],
          });
          for (const [i, ask] of asks.entries()) {
            if (i === 1 && !hasDoor(operation, 'oauth')) continue;
            const answer = await ask(id, bodyOf(scene));
            expect(answer.body).toMatchObject({
              code: 'H0001',
              data: { field: expect.any(String) },
            });
            expect([id, answer]).toEqual([id, await ask(id, bodyOf(NOTHING))]);
          }
        }
      }
    }
  });

  test.each([
    ['with a share for reading', 'read', key('other')],
    ['with a share for control', 'control', key('other')],
    ['with a key for one plant', undefined, key('owner', onlyThis)],
    ['by an application with consent for one plant', undefined, token('owner', onlyThis)],
  ] as const)(
    'the owner’s other plants and what stands there stay unheard of %s',
    async (_, change, requesterOf) => {
      const scene = await changed(change);
      const besides = await fleet.plant(scene.owner);
      const box = await fleet.device(besides, { kind: 'collector' });
      const [here, there] = [await fleet.device(besides), await fleet.device(scene.plantId)];
      // A collector in each plant that reports for a device in the other.
      for (const [device, collector] of [
        [scene.devices.inverter, box],
        [there, box],
        [here, scene.devices.collector],
      ] as const) {
        await fleet.write((trx) => assignCollector(trx, device.id, collector.id));
      }
      const ask = await interfaces.askAs(requesterOf(scene));
      const traces = [besides, ...[box, here].flatMap(({ id, sn }) => [id, sn])];
      for (const { id, body: bodyOf } of allQuestions) {
        if (!hasDoor(operations[id], 'oauth') && 'token' in requesterOf(scene)) continue;
        const answer = await ask(id, bodyOf(scene));
        expect(answer.body.code).toBe('0');
        expect({ id, tells: isAmong(traces, answer) }).toEqual({ id, tells: false });
      }
      const { data } = (await ask('collectorDetail', { sn: scene.devices.collector.sn })).body;
      // EPM unit, weather station and ammeter of the scene.
      expect(data.actualNumber).toBe(3);
      const owner = await interfaces.askAs(key('owner')(scene));
      expect(
        (await owner('collectorDetail', { sn: scene.devices.collector.sn })).body.data.actualNumber,
      ).toBe(4);
      expect(
        (await owner('inverterDetail', { sn: scene.devices.inverter.sn })).body.data.collectorId,
      ).toBe(box.id);
    },
  );

  test('a share that is withdrawn between two pages ends with the first, totals and all', async () => {
    const scene = await changed('read');
    const circumstances = { now: clock.at, newId: fleet.newId };
    for (const code of ['TEST2', 'TEST3']) {
      const raise = { code, level: 1, message: 'made up', beginAt: clock.at } as const;
      await fleet.write((trx) =>
        changeAlarms(trx, circumstances, scene.devices.inverter.id, [{ raise }]),
      );
    }
    const ask = await interfaces.askAs(key('other')(scene));
    const asNobody = await interfaces.askAs({ key: {}, of: (await fleet.person()).id });
    const paged = reading
      .filter(({ request }) => 'pageNo' in request)
      .map(({ id }) => id as QueryId);
    const pageOf = (id: QueryId, pageNo: number): Body => ({
      ...periodOf(id),
      pageNo,
      pageSize: 1,
    });
    for (const id of paged) expect((await ask(id, pageOf(id, 1))).body.code).toBe('0');
    await fleet.write((trx) => unsharePlant(trx, fleet.act(), scene.plantId, scene.otherEmail));
    for (const id of paged)
      expect([id, await ask(id, pageOf(id, 2))]).toEqual([id, await asNobody(id, pageOf(id, 2))]);
  });
});
