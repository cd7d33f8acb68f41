import { setImmediate as nextTurn } from 'node:timers/promises';
import type { VisiblePlant } from '../../../fleet/plants/access.ts';
import { declinationAt, type SunObserver } from '../../../fleet/devices/sun.ts';
import { dayWindow, type Zones } from '../../../platform/calendar/plant-calendar.ts';
import { expectedDay, isCovered } from '../../expected/day-figures.ts';
import type { DayPowers } from '../../expected/day-powers.ts';
import { learnedSteps, type LearnedUnit, type SkyObserver } from '../../expected/learned-day.ts';
import { capacityOf, type LearnedInverter } from '../../expected/learned.ts';
import { endOfSteps, type MeansSteps } from '../../expected/step-means.ts';
import { learnedUncertaintyPercent } from '../../expected/uncertainty.ts';
import type { FigureSources } from '../sources.ts';
import { isThere, type Expectation } from './expectation.ts';
import { readLearned } from './learning.ts';
import { findObservers, type Observer } from './observers.ts';
import { powerDayKey, measurePowers, readPowers } from './power-days.ts';
import type { Inverter } from './units.ts';

/** With so many others in the same plant, plants near by are not asked. */
const SIBLINGS_ENOUGH = 2;

interface AskedDay {
  readonly day: number;
  readonly span: MeansSteps;
}

/** What follows from no irradiance: from what the inverters learned, and what others made of the same sky. */
export interface LearnedDays {
  readonly found: ReadonlyMap<number, Expectation>;
  /** Why there is nothing on the other days. */
  readonly missing: (day: number) => 'irradiance' | 'clearDays' | 'gaps';
}

/** What is expected of a plant on days without irradiance. */
export async function learnedDays(
  sources: FigureSources,
  plant: VisiblePlant,
  { place, zones }: { place: SunObserver; zones: Zones },
  inverters: readonly Inverter[],
  days: readonly AskedDay[],
): Promise<LearnedDays> {
  const found = new Map<number, Expectation>();
  const gaps = new Set<number>();
  const none = (word: 'irradiance' | 'clearDays'): LearnedDays => ({ found, missing: () => word });
  if (days.length === 0) return none('irradiance');
  const observers = await findObservers(sources.db, plant, place, zones, inverters);
  if (new Set(observers.map(({ inverter }) => inverter.sn)).size < 2) return none('irradiance');
  const nos = [...inverters, ...observers.map(({ inverter }) => inverter)].map(
    ({ binding }) => binding.no,
  );
  const known = await readLearned(sources.db, [...new Set(nos)]);
  const powersOf = await powersOfDays(sources, observers, days);
  for (const { day, span } of days) {
    const there = inverters.filter(({ binding }) => isThere(binding, span));
    const models = there.map(({ binding }) => known.get(binding.no)?.learned);
    if (there.length === 0 || !models.every((model) => model !== undefined)) continue;
    const skies = observers.flatMap((observer) => {
      const { no } = observer.inverter.binding;
      const learned = known.get(no)?.learned;
      const powers = powersOf(no, day);
      return learned && powers ? [{ observer, sky: { ...observer, learned, powers } }] : [];
    });
    const units = there.map((inverter, i) => unitOf(inverter, models[i]!, place, skies));
    if (units.every(({ unit }) => unit.others.length === 0)) continue;
    const steps = learnedSteps(
      place,
      units.map(({ unit }) => unit),
      span,
    );
    const figures = expectedDay(steps);
    // A year of many inverters takes seconds; other requests are answered in between.
    await nextTurn();
    if (!isCovered(figures)) {
      gaps.add(day);
      continue;
    }
    const distanceKm = Math.max(...units.map((unit) => unit.distanceKm));
    found.set(day, {
      ...figures,
      method: 'learned',
      distanceKm,
      uncertaintyPercent: uncertaintyOf(models, units, span, distanceKm),
      coldestC: undefined,
      steps,
      units: there.map(({ sn }, i) => ({
        sn,
        arrays: models[i]!.planes.map((fitted) => ({
          plane: fitted.plane,
          capacityW: capacityOf(fitted),
        })),
        ratedW: models[i]!.ratedW ?? there[i]!.ratedW,
      })),
    });
  }
  const lack = [...known.values()].every(({ learned }) => learned) ? 'irradiance' : 'clearDays';
  const isAllKnown = nos.every((no) => known.has(no));
  return {
    found,
    missing: (day) => (gaps.has(day) ? 'gaps' : isAllKnown ? lack : 'clearDays'),
  };
}

interface Seen {
  readonly observer: Observer;
  readonly sky: SkyObserver;
}

/** An inverter with those that tell of its sky: its siblings, and if they are few, those near by. */
function unitOf(
  inverter: Inverter,
  learned: LearnedInverter,
  place: SunObserver,
  skies: readonly Seen[],
): { unit: LearnedUnit; distanceKm: number } {
  const others = skies.filter(({ observer }) => observer.inverter.sn !== inverter.sn);
  const siblings = others.filter(({ observer }) => observer.distanceKm === 0);
  const asked = siblings.length >= SIBLINGS_ENOUGH ? siblings : others;
  const own = skies.find(({ observer }) => observer.inverter.binding.no === inverter.binding.no);
  return {
    unit: {
      own: own?.sky ?? { place, learned, powers: undefined },
      others: asked.map(({ sky }) => sky),
    },
    distanceKm: Math.max(0, ...asked.map(({ observer }) => observer.distanceKm)),
  };
}

function uncertaintyOf(
  models: readonly (LearnedInverter | undefined)[],
  units: readonly { unit: LearnedUnit }[],
  span: MeansSteps,
  distanceKm: number,
): number {
  const declination = declinationAt((span.startAt + endOfSteps(span)) / 2);
  const learned = models.flatMap((model) => model ?? []);
  const beyond = learned.map(({ declinations: [low, high] }) =>
    Math.max(0, low - declination, declination - high),
  );
  return learnedUncertaintyPercent({
    errorPercent: Math.max(...learned.map(({ errorPercent }) => errorPercent)),
    observers: Math.min(...units.map(({ unit }) => unit.others.length)),
    distanceKm,
    beyondDegrees: Math.max(...beyond),
  });
}

/** The powers of observers on days: the kept ones and, of a day that is not over, what its readings say. */
async function powersOfDays(
  sources: FigureSources,
  observers: readonly Observer[],
  days: readonly AskedDay[],
): Promise<(no: number, day: number) => DayPowers | undefined> {
  const kept = await readPowers(sources.db, {
    nos: observers.map(({ inverter }) => inverter.binding.no),
    fromDay: days[0]!.day,
    toDay: days.at(-1)!.day,
  });
  const measured = new Map<string, DayPowers>();
  const now = sources.clock.now();
  for (const { day, span } of days)
    for (const each of Map.groupBy(observers, ({ zones }) => zones)) {
      const [zones, some] = each;
      if (dayWindow(zones, day).endAt <= now) continue;
      const bindings = some.map(({ inverter }) => inverter.binding);
      for (const [no, powers] of await measurePowers(sources, bindings, day, span))
        measured.set(powerDayKey(no, day), powers);
    }
  return (no, day) => measured.get(powerDayKey(no, day)) ?? kept.get(powerDayKey(no, day));
}
