import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { recalculateWaiting } from '../../packages/server/src/measurements/ingest/recalculation/recalculate.ts';
import { createStories, NOW, type Hands, type Reading } from '../series/stories.ts';
import { effort } from '../support/effort.ts';
import { describeEngines } from '../support/engines.ts';
import { stepwiseCommits, stepwiseSeries } from '../support/step-by-step.ts';
import { settableClock } from '../support/world.ts';
import { createReportingWorld, type Installation } from '../telemetry/installation.ts';

const KILLS_AT_LEAST = 50;
const SCRIPT = fileURLToPath(new URL('./storing-instance.ts', import.meta.url));

/** What a process does before it kills itself: it stores the readings of a collector, or recalculates what was asked for. */
export interface Deed {
  readonly collectorId?: string;
  readonly readings?: readonly unknown[];
  readonly now: number;
  /** Counted from 0. */
  readonly killAt: number;
}

describeEngines('kill -9 at a step', (database) => {
  const clock = settableClock(NOW);
  const world = createReportingWorld(database, clock);
  const { stories, tell, expectRight } = createStories(world, database);
  const named = (to: Installation, readings: readonly Reading[]) =>
    readings.map((each) => ({ sn: to.sn, ...each }));

  /** In this process; `step` is called as often as the other one would count. */
  function handsHere(step: () => void): Hands {
    const db = stepwiseCommits(database().db, step);
    const series = stepwiseSeries(world.parts().series, step);
    return {
      report: (to, readings) =>
        createIngest({ db, clock, series })({ collectorId: to.collectorId }, named(to, readings)),
      recalculate: () => recalculateWaiting(db, series, () => {}),
    };
  }

  async function killed(deed: Deed): Promise<never> {
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', SCRIPT, database().address, JSON.stringify(deed)],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    throw new Killed(`${code} ${signal}`);
  }
  const handsThere = (killAt: number): Hands => ({
    report: (to, readings) =>
      killed({ collectorId: to.collectorId, readings: named(to, readings), now: clock.at, killAt }),
    recalculate: () => killed({ now: clock.at, killAt }),
  });

  test('loses nothing, stores nothing twice, and leaves roll-ups as a recalculation makes them', async () => {
    const here = handsHere(() => {});
    const places: [story: string, step: number][] = [];
    for (const [name, story] of Object.entries(stories)) {
      const chapter = await tell(story);
      await story.begin(chapter, here);
      let steps = 0;
      await story.act(
        chapter,
        handsHere(() => void (steps += 1)),
      );
      for (let step = 0; step < steps; step++) places.push([name, step]);
    }
    // At full counts at every step of every story, else evenly from all of them.
    const kills = effort(4, Math.max(KILLS_AT_LEAST, places.length));
    for (let kill = 0; kill < kills; kill++) {
      const [name, step] = places[Math.floor((kill * places.length) / kills)]!;
      const story = stories[name]!;
      const chapter = await tell(story);
      await story.begin(chapter, here);
      expect([
        name,
        step,
        await story.act(chapter, handsThere(step)).catch((error: unknown) => String(error)),
      ]).toEqual([name, step, 'Error: null SIGKILL']);
      await story.act(chapter, here);
      await expectRight(chapter);
    }
  });
});

class Killed extends Error {}
