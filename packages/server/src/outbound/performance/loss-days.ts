import type { VisiblePlant } from '../../fleet/plants/access.ts';
import { addDays, dayOf, daysBetween } from '../../platform/calendar/plant-calendar.ts';
import {
  expectedDays,
  type ExpectedPlantDay,
  type MissingFigure,
} from '../../measurements/figures/performance/expected-days.ts';
import { producedKwh } from '../../measurements/figures/performance/performance-rows.ts';
import {
  runningTimeOf,
  sumOfRunning,
} from '../../measurements/figures/performance/availability.ts';
import type { FigureSources } from '../../measurements/figures/sources.ts';
import { MEANS_STEP_MS } from '../../measurements/expected/step-means.ts';
import type { DayRatios, LossDay } from './causes/loss-day.ts';
import { nameLosses } from './causes/name-losses.ts';
import { usualAfter } from './causes/usual.ts';
import { lossDayOf } from './loss-day-of.ts';
import { measuredDay } from './measured-day.ts';
import { readFacts, type LossFacts } from './loss-facts.ts';
import { digestsOf, keepLosses, ratiosBefore, type LossesOfDay } from './stored-losses.ts';

/** Days before a day that say what is usual. */
const USUAL_DAYS = 45;

/**
 * Brings the losses of a plant up to date, between two days (yyyymmdd) that are over, the earliest first and at most some. Days of which nothing has changed since
 * are left as they are. Says how many days are left to do, or why nothing can be expected on any day.
 */
export async function settleLosses(
  sources: FigureSources,
  plant: VisiblePlant,
  { fromDay, toDay, atMost }: { fromDay: number; toDay: number; atMost: number },
): Promise<{ readonly left: number; readonly missing?: MissingFigure }> {
  const { db } = sources;
  const facts = await readFacts(sources, plant, fromDay, toDay);
  if (typeof facts === 'string') return { left: 0, missing: facts };
  const last = addDays(dayOf(facts.zones, sources.clock.now()), -1);
  const known = await digestsOf(db, plant.id, fromDay, toDay);
  const stale = daysBetween(fromDay, Math.min(toDay, last)).flatMap((day) => {
    const digest = facts.digestOf(day);
    return known.get(day) === digest ? [] : [{ day, digest }];
  });
  const next = stale.slice(0, atMost);
  if (next.length > 0) await workOut(sources, plant, facts, next);
  return { left: stale.length - next.length };
}

async function workOut(
  sources: FigureSources,
  plant: VisiblePlant,
  facts: LossFacts,
  wanted: readonly { readonly day: number; readonly digest: string }[],
): Promise<void> {
  const { days } = await expectedDays(sources, plant, () => wanted.map(({ day }) => day));
  const produced = await producedKwh(sources, plant, days);
  const before = await ratiosBefore(
    sources.db,
    plant.id,
    addDays(wanted[0]!.day, -USUAL_DAYS),
    wanted.at(-1)!.day,
  );
  const done: LossesOfDay[] = [];
  for (const [i, each] of days.entries()) {
    const lossDay = await read(sources, plant, facts, each, produced.get(each.day));
    const earliest = addDays(each.day, -USUAL_DAYS);
    const usual = [...before].flatMap(([day, ratios]) =>
      day >= earliest && day < each.day ? [ratios] : [],
    );
    const named = lossDay && nameLosses(lossDay, usualAfter(usual));
    const { expectation, missing } = each;
    const ratios: DayRatios = named?.ratios ?? {};
    before.set(each.day, ratios);
    done.push({
      day: each.day,
      digest: wanted[i]!.digest,
      expectedKwh: named ? expectation!.expectedKwh : null,
      clippedKwh: named ? expectation!.clippedKwh : null,
      producedKwh: named ? (lossDay.producedKwh ?? 0) : null,
      uncertaintyPercent: named ? expectation!.uncertaintyPercent : null,
      missing: named ? null : (missing ?? 'production'),
      price: lossDay ? meanPrice(lossDay) : null,
      ratios,
      ...(named ? runningOn(lossDay) : NEVER_RAN),
      losses: named?.losses.filter(({ cause }) => cause !== 'unexplained') ?? [],
    });
  }
  await keepLosses(sources.db, plant.id, done);
}

const NEVER_RAN = { dueSteps: null, ranSteps: null, dueKwh: null, ranKwh: null } as const;

const runningOn = ({ units }: LossDay): ReturnType<typeof sumOfRunning> =>
  sumOfRunning(
    units.map(({ expectedW, measuredW, ratedW }) => runningTimeOf(expectedW, measuredW, ratedW)),
  );

async function read(
  sources: FigureSources,
  plant: VisiblePlant,
  facts: LossFacts,
  each: ExpectedPlantDay,
  produced: number | undefined,
): Promise<LossDay | undefined> {
  if (!each.expectation) return undefined;
  const bindings = [...facts.inverters.map(({ binding }) => binding), ...facts.meters];
  const measured = await measuredDay(sources, bindings, each.span);
  return lossDayOf(plant, facts, each, each.expectation, measured, produced);
}

/** Weighted by what was expected; null = no price is known. */
function meanPrice({ units, steps, priceAt }: LossDay): number | null {
  let [weights, sum] = [0, 0];
  for (const { expectedW } of units)
    for (const [step, powerW] of expectedW.entries()) {
      const price = powerW ? priceAt(steps.startAt + step * MEANS_STEP_MS) : undefined;
      if (price === undefined) continue;
      weights += powerW!;
      sum += powerW! * price;
    }
  return weights > 0 ? sum / weights : null;
}
