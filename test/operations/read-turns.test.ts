import { operations, type OperationId } from '@helioport/contract';
import type { Caller } from '../../packages/server/src/identity/accounts/caller.ts';
import { exampleInverter, examplePlant } from '../../packages/contract/src/examples.ts';
import { expect, test } from 'vitest';
import type { Telemetry } from '../../packages/server/src/measurements/telemetry/telemetry.ts';
import {
  readingSamples,
  waitingUntil,
} from '../../packages/server/src/interfaces/operations/account-turns.ts';
import { inputOf } from '../../packages/server/src/interfaces/operations/input.ts';
import { describeEngines } from '../support/engines.ts';
import { operationSources, operationsOn } from '../support/operations.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { createFleet } from './fleet.ts';
import {
  createRichScene,
  questions,
  SCENE_DAY,
  SCENE_NOW,
  type QueryId,
  type Scene,
} from './scene.ts';

/** What reads samples one by one, as opposed to the figures of days. */
const READERS = ['readingsBetween', 'readingPages', 'chartReadings', 'eachReading', 'dayCurves'];

/** Questions about days that are over. */
const ALSO: { readonly [Id in OperationId]?: readonly object[] } = {
  'plant/report': [{}],
};

/** The example of an operation, asked about what is in a scene. */
const exampleFor = (id: OperationId, { plantId, devices }: Scene): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify(operations[id].example.request)
      .replaceAll(examplePlant.id, plantId)
      .replaceAll(exampleInverter.id, devices.inverter.id)
      .replaceAll(exampleInverter.sn, devices.inverter.sn)
      .replaceAll('2026-11-06', SCENE_DAY),
  ) as Record<string, unknown>;

describeEngines('operations that read samples', (database) => {
  const clock = settableClock(SCENE_NOW);
  const fleet = createFleet(database, clock);

  test('are all listed, and no others', async () => {
    const scene = await createRichScene(fleet);
    const { plantId } = scene;
    const place = { latitude: 52.5, longitude: 13.4 };
    await database().db.updateTable('plant').set(place).where('id', '=', plantId).execute();
    const arrays = [{ tiltDegrees: 30, azimuthDegrees: 180, capacityKwp: 10 }];
    await fleet.ask('plant/setArrays', userCaller(scene.owner), { plantId, arrays });
    const reads = new Set<OperationId>();
    let asked: OperationId;
    const telemetry = new Proxy(operationSources(database().db, clock, fleet.newId).telemetry, {
      get: (target, name) => {
        if (READERS.includes(name as string)) reads.add(asked);
        return target[name as keyof Telemetry];
      },
    });
    const handlers = operationsOn(database().db, clock, fleet.newId, { telemetry });
    for (const id of Object.keys(operations) as OperationId[]) {
      if (operations[id].write) continue;
      asked = id;
      for (const request of [
        exampleFor(id, scene),
        ...(questions[id as QueryId] ?? []).map((ask) => ask(scene)),
        ...(ALSO[id] ?? []).map((question) => ({ plantId, ...question })),
      ]) {
        // Some are answered to others, or ask about what is not there.
        try {
          await handlers[id](userCaller(scene.owner), inputOf(operations[id], request) as never);
        } catch {
          // Judged by what was read until then.
        }
      }
    }
    expect([...reads].toSorted()).toEqual([...readingSamples].toSorted());
  });

  test('wait for their account’s turn, whoever else asks; one that nobody waits for is left out', async () => {
    const [scene, other] = [await createRichScene(fleet), await createRichScene(fleet)];
    const { telemetry: real } = operationSources(database().db, clock, fleet.newId);
    const running: string[] = [];
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const telemetry: Telemetry = {
      ...real,
      dayCurves: async (db, day, parts, withTotals) => {
        running.push(String(parts[0]!.bindingNo));
        await opened;
        return real.dayCurves(db, day, parts, withTotals);
      },
    };
    const handlers = operationsOn(database().db, clock, fleet.newId, { telemetry });
    const ask = (caller: Caller, { plantId }: Scene) =>
      handlers['plant/day'](
        caller,
        inputOf(operations['plant/day'], { plantId, day: SCENE_DAY }) as never,
      );
    const leaving = new AbortController();
    const asked = Array.from({ length: 14 }, (_, i) =>
      ask(
        i < 10 ? userCaller(scene.owner) : waitingUntil(userCaller(scene.owner), leaving.signal),
        scene,
      ),
    );
    const settled = Promise.allSettled(asked);
    const others = ask(userCaller(other.owner), other);
    await expect.poll(() => running.length).toBe(3);
    // All have asked by now, and two of the account read.
    expect(new Set(running).size).toBe(2);
    leaving.abort();
    open();
    await others;
    const outcomes = await settled;
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(running).toHaveLength(11);
  });
});
