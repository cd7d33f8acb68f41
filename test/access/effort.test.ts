import { operations, readRequest } from '@helioport/contract';
import { expect, test } from 'vitest';
import type { RouteHandler } from '../../packages/server/src/interfaces/edges/http/mount.ts';
import { createFleet } from '../operations/fleet.ts';
import { createScene, SCENE_NOW } from '../operations/scene.ts';
import { describeEngines } from '../support/engines.ts';
import { listening } from '../support/listening.ts';
import { applicationCaller, settableClock, userCaller } from '../support/world.ts';
import { allQuestions, NOTHING, type Target } from './questions.ts';
import { operationsOn } from '../support/operations.ts';

describeEngines('the work for an answer', (database) => {
  const clock = settableClock(SCENE_NOW);
  const fleet = createFleet(database, clock);

  test('is the same for something foreign as for something unknown: the time it takes tells nothing', async () => {
    const foreign = { ...(await createScene(fleet)), nmiCode: 'NMI0000001' };
    await database()
      .db.updateTable('plant')
      .set({ nmiCode: foreign.nmiCode })
      .where('id', '=', foreign.plantId)
      .execute();
    // Somebody who has things of the same kinds.
    const { owner } = await createScene(fleet);
    const { db, texts } = listening(database().db);
    const handlers = operationsOn(db, clock, fleet.newId) as unknown as Record<
      string,
      RouteHandler
    >;
    for (const caller of [
      userCaller(owner),
      userCaller(owner, { plantIds: ['1300000000000000009'] }),
      applicationCaller(owner),
    ]) {
      for (const { id, body } of allQuestions) {
        const textsFor = async (target: Target): Promise<string[]> => {
          const read = readRequest(operations[id] as never, body(target)) as unknown as {
            input: never;
          };
          texts.length = 0;
          await handlers[id]!(caller, read.input).catch(() => {});
          return [...texts];
        };
        // What is read once and kept is read here.
        await textsFor(NOTHING);
        expect([id, body(foreign), await textsFor(foreign)]).toEqual([
          id,
          body(foreign),
          await textsFor(NOTHING),
        ]);
      }
    }
  });
});
