import {
  errors,
  hasDoor,
  operations,
  operationsBy,
  type Operation,
  type OperationId,
} from '@helioport/contract';
import { expect, test } from 'vitest';
import { sharePlant, unsharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { archivePlant } from '../../packages/server/src/fleet/plants/plants.ts';
import { proving } from '../support/effort.ts';
import type { Home } from './scene.ts';
import { describeControl, type WireAnswer } from './wire.ts';

/** What each operation is asked about; `order` is a command of the plant. */
type Place = Pick<Home, 'plantId' | 'sn' | 'deviceId'> & { readonly order: string };

const NOTHING: Place = {
  plantId: '1300000000000000000',
  sn: 'UNKNOWN-1',
  deviceId: '1300000000000000001',
  order: '1300000000000000002',
};

/** How each is asked; an operation without a row fails the first test. */
const requests: { readonly [id: string]: (place: Place) => Record<string, unknown> } = {
  control: ({ sn }) => ({ inverterSn: sn, cid: '157', value: '20' }),
  atRead: ({ deviceId }) => ({ inverterId: deviceId, cid: '157' }),
  atReadBatch: ({ sn }) => ({ inverterSn: sn, cids: '157,158' }),
  atReadSAPN: ({ sn }) => ({ inverterSn: sn, cid: '157,158' }),
  result: ({ order }) => ({ orderId: order }),
  'command/send': ({ sn }) => ({ sn, cid: '158', value: '12' }),
  'command/list': ({ sn }) => ({ sn }),
  'command/show': ({ order }) => ({ id: order }),
  'command/cancel': ({ order }) => ({ id: order }),
  'command/undo': ({ sn }) => ({ sn }),
  'command/byOthers': ({ plantId }) => ({ plantId }),
  'command/seen': ({ order }) => ({ id: order }),
  'command/parameters': ({ sn }) => ({ sn }),
  'control/stop': ({ plantId }) => ({ plantId }),
  'control/release': ({ plantId }) => ({ plantId }),
  'control/state': ({ plantId }) => ({ plantId }),
};

// Who may log in does not depend on a plant: log-in.test.ts.
const all = operationsBy('signed').filter(
  ({ family, id }) => family === 'control' && id !== 'login',
) as (Operation & { readonly id: OperationId })[];

test('every operation of control is asked', () => {
  expect(Object.keys(requests).toSorted()).toEqual(all.map(({ id }) => id as string).toSorted());
});

// interface C2. Nobody fetches, so what waits is cancelled: what counts here is who is let in.
describeControl(
  'who may control what',
  (wire) => {
    const { home, call, bear, pair, write, act, database } = wire;

    const place = async (here: Home): Promise<Place> => ({
      ...here,
      order: (await wire.send(here, '160', '9', { expirySeconds: 86_400 })).id,
    });
    const stored = () =>
      database().db.selectFrom('command').select(['id', 'state']).orderBy('id').execute();
    const isLetIn = ({ body: { code, msg } }: WireAnswer): boolean =>
      code === '0' || msg === 'there is no change to undo';

    type Ask = (id: OperationId, body: Record<string, unknown>) => Promise<WireAnswer>;
    const keyHolder = async (terms: object): Promise<Ask> => {
      const key = await wire.key(terms);
      return (id, body) => call(key, id, body);
    };
    const sharer =
      (level: 'read' | 'control', terms: object = {}) =>
      async (here: Home): Promise<Ask> => {
        const { id, email } = await wire.person();
        await write((trx) => sharePlant(trx, act(), here.plantId, email, level));
        return keyHolder({ accountId: id, ...terms });
      };
    const application =
      (terms: object = {}) =>
      async ({ ownerId }: Home): Promise<Ask> => {
        const { access_token: token } = await pair(ownerId, terms);
        return (id, body) => bear(token, id, body);
      };

    /** Which permissions a requester has on the plant, by what it needs. */
    const requesters: readonly [
      string,
      (here: Home) => Promise<Ask>,
      { read: boolean; control: boolean; manage: boolean },
    ][] = [
      [
        'its owner',
        ({ ownerId }) => keyHolder({ accountId: ownerId }),
        { read: true, control: true, manage: true },
      ],
      [
        'its owner with a key for it',
        ({ ownerId, plantId }) => keyHolder({ accountId: ownerId, plantIds: [plantId] }),
        { read: true, control: true, manage: true },
      ],
      [
        'its owner with a key for reading',
        ({ ownerId }) => keyHolder({ accountId: ownerId, canControl: false }),
        { read: true, control: false, manage: false },
      ],
      [
        'its owner with a key for other plants',
        ({ ownerId }) => keyHolder({ accountId: ownerId, plantIds: [NOTHING.plantId] }),
        { read: false, control: false, manage: false },
      ],
      [
        'somebody with a share for control',
        sharer('control'),
        { read: true, control: true, manage: false },
      ],
      [
        'somebody with a share for control and a key for reading',
        sharer('control', { canControl: false }),
        { read: true, control: false, manage: false },
      ],
      [
        'somebody with a share for reading',
        sharer('read'),
        { read: true, control: false, manage: false },
      ],
      ['a stranger', async () => keyHolder({}), { read: false, control: false, manage: false }],
      [
        'somebody whose share was withdrawn',
        async (here) => {
          const { id, email } = await wire.person();
          await write((trx) => sharePlant(trx, act(), here.plantId, email, 'control'));
          await write((trx) => unsharePlant(trx, act(), here.plantId, email));
          return keyHolder({ accountId: id });
        },
        { read: false, control: false, manage: false },
      ],
      [
        'the owner of an archived plant',
        async ({ ownerId, plantId }) => {
          await write((trx) => archivePlant(trx, act(), plantId));
          return keyHolder({ accountId: ownerId });
        },
        { read: false, control: false, manage: false },
      ],
      ['an application of its owner', application(), { read: true, control: true, manage: false }],
      [
        'an application with consent for it',
        (here) => application({ plantIds: [here.plantId] })(here),
        { read: true, control: true, manage: false },
      ],
      [
        'an application with consent for another plant',
        application({ plantIds: [NOTHING.plantId] }),
        { read: false, control: false, manage: false },
      ],
    ];

    test.each(requesters)('%s', async (who, asking, may) => {
      const here = await home();
      const it = await place(here);
      const ask = await asking(here);
      for (const operation of all.toSorted(
        (a, b) => Number(a.id === 'command/cancel') - Number(b.id === 'command/cancel'),
      )) {
        const { id, permission } = operation;
        if (who.startsWith('an application') && !hasDoor(operation, 'oauth')) continue;
        const before = await stored();
        const answer = await ask(id, requests[id]!(it));
        expect([id, answer.body, isLetIn(answer)]).toEqual([
          id,
          answer.body,
          permission !== 'install' && may[permission],
        ]);
        if (isLetIn(answer)) continue;
        expect(await stored()).toEqual(before);
        // Foreign is like unknown, to the byte.
        expect([id, JSON.stringify(answer.body)]).toEqual([
          id,
          JSON.stringify((await ask(id, requests[id]!(NOTHING))).body),
        ]);
      }
    });

    test('a token without the scope, and the path of another scope, open nothing', async () => {
      const here = await home();
      const { access_token: token } = await pair(here.ownerId, { scopes: ['access_data'] });
      for (const operation of all.filter((one) => hasDoor(one, 'oauth')))
        expect([
          operation.id,
          await bear(token, operation.id, requests[operation.id]!(await place(here))),
        ]).toMatchObject([operation.id, { status: 403 }]);
      const response = await fetch(`${wire.running.oauth.url}/api/access_data/control`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: '{}',
      });
      expect(response.status).toBe(404);
    });

    const odd = [
      null,
      true,
      false,
      [],
      {},
      [null],
      [{}],
      0,
      -1,
      0.1,
      1e300,
      '',
      '   ',
      'abc',
      '-1',
      '1e3',
      'NaN',
      '１２',
      ',,,',
      'a\u0000b',
      'a\nb',
      '\ud800',
    ];
    const odder = [
      "' or 1=1 --",
      '%',
      '__proto__',
      'constructor',
      '😀'.repeat(2000),
      'x'.repeat(1000),
      Array.from({ length: 1001 }, (_, i) => `SN${i}`),
    ];

    let met = 0;
    /** All of them in a long proof; in a brief run each parameter meets some, and each value some parameter. */
    const someValues = (): readonly unknown[] => {
      const share = database().engine === 'sqlite' ? 3 : 7;
      return [...odd, ...odder].filter(() => proving || met++ % share === 0);
    };

    test.each(all.map((operation) => [operation.id, operation] as const))(
      '%s answers clearly whatever a parameter is sent',
      { timeout: 120_000 },
      async (id, operation) => {
        const here = await home();
        const it = await place(here);
        const ask = await keyHolder({ accountId: here.ownerId });
        const declared = ['0', ...operation.errors.map((error) => errors[error].code)];
        for (const { names } of Object.values(operation.request)) {
          for (const name of names) {
            for (const value of someValues()) {
              const before = await stored();
              const rest = Object.fromEntries(
                Object.entries(requests[id]!(it)).filter(
                  ([other]) => !(names as readonly string[]).includes(other),
                ),
              );
              const { status, body } = await ask(id, { ...rest, [name]: value });
              const given = {
                id,
                name,
                value: JSON.stringify(value).slice(0, 60),
                code: body.code,
              };
              expect({
                ...given,
                isDeclared: declared.includes(body.code),
                isFine: status === 200 || status === 429,
              }).toEqual({
                ...given,
                isDeclared: true,
                isFine: true,
              });
              if (body.code === errors.invalidValue.code)
                expect(body.data).toMatchObject({
                  field: expect.any(String),
                  expected: expect.stringMatching(/./),
                });
              if (body.code !== '0') expect(await stored()).toEqual(before);
            }
          }
        }
      },
    );
  },
  { patienceMs: 0 },
);

test('what is declared for the family belongs to the scope of control', () => {
  for (const { id, scope } of all)
    expect([id, scope ?? null]).toEqual([
      id,
      hasDoor(operations[id], 'oauth') ? 'control_device' : null,
    ]);
});
