import { errors, operations, type ErrorCode, type OperationId } from '@helioport/contract';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { disableOwner } from '../packages/server/src/plants/owners.ts';
import { archivePlant } from '../packages/server/src/plants/plants.ts';
import { sharePlant, unsharePlant } from '../packages/server/src/plants/shares.ts';
import { createOperations } from '../packages/server/src/operations/index.ts';
import { createTelemetry } from '../packages/server/src/telemetry/create-telemetry.ts';
import { addClient, createRunning, type CodeTerms } from './oauth/fixture.ts';
import { startOauth, type TestOauth } from './oauth/listener.ts';
import { createFleet } from './operations/fleet.ts';
import { createScene, questions, SCENE_NOW, UNKNOWN, type Scene } from './operations/scene.ts';
import { describeEngines } from './support/engines.ts';
import { settableClock } from './support/world.ts';
import { addKey, signed, startUserApi, type TestUserApi } from './user-api/fixture.ts';

const OTHER_PLANT = '1300000000000000009';

/**
 * open: the answer tells of the plant. closed: as if there were no such plant. refused: whatever is asked, with this error.
 * absent: the interface has no such path.
 */
type Outcome = 'open' | 'closed' | { readonly refused: ErrorCode } | 'absent';

type Change = 'read' | 'control' | 'withdrawn' | 'archived' | 'disabled';

/** A caller by key pair or by token. */
type Asker = (
  scene: Scene,
) =>
  | { readonly key: Parameters<typeof addKey>[1]; readonly of: string }
  | { readonly token: Omit<CodeTerms, 'owner'>; readonly of: string; readonly revoked?: true };

const key =
  (of: 'owner' | 'other', terms: (scene: Scene) => NonNullable<Parameters<typeof addKey>[1]> = () => ({})): Asker =>
  (scene) => ({ key: terms(scene), of: scene[of] });

const token =
  (of: 'owner' | 'other', terms: (scene: Scene) => Omit<CodeTerms, 'owner'> = () => ({}), revoked?: true): Asker =>
  (scene) => ({ token: terms(scene), of: scene[of], ...(revoked && { revoked }) });

/** Who asks, what was changed before, and what becomes of reading. */
const askers: [who: string, asker: Asker, outcome: Outcome, change?: Change][] = [
  ['its owner', key('owner'), 'open'],
  ['its owner with a key for reading', key('owner', () => ({ canControl: false })), 'open'],
  ['its owner with a key for this plant', key('owner', ({ plantId }) => ({ plantIds: [plantId] })), 'open'],
  ['its owner with a key for other plants', key('owner', () => ({ plantIds: [OTHER_PLANT] })), 'closed'],
  ['its owner with an expired key', key('owner', () => ({ expiresAt: Date.parse(SCENE_NOW) + 1 })), { refused: 'keyRefused' }],
  ['its owner, disabled', key('owner'), { refused: 'keyRefused' }, 'disabled'],
  ['the owner of an archived plant', key('owner'), 'closed', 'archived'],
  ['another owner', key('other'), 'closed'],
  ['another owner with a key that names it', key('other', ({ plantId }) => ({ plantIds: [plantId] })), 'closed'],
  ['an installer with a share for reading', key('other'), 'open', 'read'],
  ['an installer with a share for control', key('other'), 'open', 'control'],
  ['an installer with a share and a key for other plants', key('other', () => ({ plantIds: [OTHER_PLANT] })), 'closed', 'control'],
  ['an installer whose share was withdrawn', key('other'), 'closed', 'withdrawn'],
  ['somebody with a share of a disabled owner', key('other'), 'closed', 'disabled'],
  ['an application with the owner’s full consent', token('owner'), 'open'],
  ['an application with consent for this plant', token('owner', ({ plantId }) => ({ plantIds: [plantId] })), 'open'],
  ['an application with consent for another plant', token('owner', () => ({ plantIds: [OTHER_PLANT] })), 'closed'],
  ['an application without the scope', token('owner', () => ({ scopes: ['control_device'] })), { refused: 'scopeMissing' }],
  ['an application whose token was revoked', token('owner', undefined, true), { refused: 'notAuthenticated' }],
  ['an application of a disabled owner', token('owner'), { refused: 'notAuthenticated' }, 'disabled'],
  ['an application of an installer with a share', token('other'), 'closed', 'control'],
];

describeEngines('who may ask what', (database) => {
  const clock = settableClock(SCENE_NOW);
  const fleet = createFleet(database, clock);
  let userApi: TestUserApi;
  let oauth: TestOauth;
  beforeAll(async () => {
    const { db } = database();
    const served = {
      operations: Object.values(operations) as never,
      handlers: createOperations({ db, clock, ids: fleet.newId, telemetry: createTelemetry({ db }) }) as never,
    };
    userApi = await startUserApi({ db }, clock, served);
    oauth = await startOauth({ db }, clock, served);
  });
  afterAll(async () => {
    await userApi.close();
    await oauth.close();
  });

  afterEach(() => {
    clock.at = Date.parse(SCENE_NOW);
  });

  const changed = async (change: Change | undefined): Promise<Scene> => {
    const scene = await createScene(fleet);
    const { plantId, otherEmail, owner } = scene;
    await fleet.write(async (trx) => {
      if (change === 'read' || change === 'control') await sharePlant(trx, fleet.act(), plantId, otherEmail, change);
      if (change === 'withdrawn' || change === 'disabled') await sharePlant(trx, fleet.act(), plantId, otherEmail, 'control');
      if (change === 'withdrawn') await unsharePlant(trx, fleet.act(), plantId, otherEmail);
      if (change === 'archived') await archivePlant(trx, fleet.act(), plantId);
    });
    return { ...scene, owner };
  };

  const disable = (scene: Scene): Promise<void> => fleet.write((trx) => disableOwner(trx, fleet.act(), scene.owner));

  interface Answer {
    readonly status: number;
    readonly body: { readonly code: string };
  }
  type Ask = (id: OperationId, body: Record<string, unknown>) => Promise<Answer>;

  /** The caller's way to ask, by the interface that takes its credentials. */
  const askAs = async (asker: ReturnType<Asker>): Promise<Ask> => {
    if ('key' in asker) {
      const pair = await addKey(fleet, { ...asker.key, accountId: asker.of });
      return async (id, body) => {
        const answer = await userApi.send(signed({ key: pair, at: clock.at, path: `/v1/api/${id}`, body: JSON.stringify(body) }));
        return { status: answer.status, body: answer.body };
      };
    }
    const running = createRunning({ clock, world: fleet, database, oauth: () => oauth });
    const client = await addClient(fleet);
    const pair = await running.pair(client, { ...asker.token, owner: { id: asker.of } as never });
    if (asker.revoked) await running.revoke(client, pair.access_token);
    return async (id, body) => {
      const headers = { Authorization: `Bearer ${pair.access_token}`, 'Content-Type': 'application/json' };
      const response = await fetch(`${oauth.url}/api/access_data/${id}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: response.status, body: (await response.json()) as Answer['body'] };
    };
  };

  const expectedOf = (asker: ReturnType<Asker>, outcome: Outcome, id: OperationId): Outcome =>
    'token' in asker && operations[id].scope === null ? 'absent' : outcome;

  test('every operation that changes nothing is asked', () => {
    const reading = Object.values(operations).filter(({ write }) => !write);
    expect(Object.keys(questions).toSorted()).toEqual(reading.map(({ id }) => id as string).toSorted());
    for (const asked of Object.values(questions)) expect(asked.length).toBeGreaterThan(0);
  });

  test.each(askers)('%s', async (_, askerOf, outcome, change) => {
    const scene = await changed(change);
    const asker = askerOf(scene);
    const ask = await askAs(asker);
    // A key's last millisecond is over.
    if ('key' in asker && asker.key?.expiresAt) clock.at = asker.key.expiresAt;
    if (change === 'disabled') await disable(scene);
    const traces = [scene.plantId, ...Object.values(scene.devices).flatMap(({ id, sn }) => [id, sn]), '1234', '1.234'];
    for (const [id, asked] of Object.entries(questions) as [OperationId, (typeof questions)[keyof typeof questions]][]) {
      const expected = expectedOf(asker, outcome, id);
      for (const question of asked) {
        const body = question(scene);
        const answer = await ask(id, body);
        const text = JSON.stringify(answer);
        const tells = traces.some((trace) => text.includes(trace));
        expect({ id, body, tells }).toEqual({ id, body, tells: expected === 'open' });
        if (expected === 'open') expect([answer.status, answer.body.code]).toEqual([200, '0']);
        // Foreign is the same as unknown, to the byte.
        else if (expected === 'closed') expect([answer.status, text]).toEqual([200, JSON.stringify(await ask(id, question(UNKNOWN)))]);
        else if (expected === 'absent') expect(answer).toMatchObject({ status: 404, body: { code: '404' } });
        else expect(answer).toMatchObject({ status: errors[expected.refused].status, body: { code: errors[expected.refused].code } });
      }
    }
  });
});
