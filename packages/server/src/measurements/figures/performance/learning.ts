import type { Inverter } from './units.ts';
import type { SunObserver } from '../../../fleet/devices/sun.ts';
import { addDays } from '../../../platform/calendar/plant-calendar.ts';
import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../../platform/storage/prepare.ts';
import { clearLight } from '../../expected/clear-light.ts';
import type { DayPowers } from '../../expected/day-powers.ts';
import {
  clearPowerW,
  DAYS_AT_LEAST,
  learnInverter,
  SMOOTH,
  type LearnedInverter,
} from '../../expected/learned.ts';
import { MEANS_STEP_MS } from '../../expected/step-means.ts';
import { readRow } from './power-days.ts';

/** So many days back, clear days are learned from. */
const HISTORY_DAYS = 400;
/** How often something is learned anew: of inverters of which something is known, and of the others. */
const [KNOWN_DAYS, UNKNOWN_DAYS] = [30, 3];
/** What differs by less on clear days is the same, so that nothing has to be worked out anew. */
const SAME = 0.03;
/** Clear days of another season, degrees of declination, are something new. */
const SEASON = 8;

/** What is known of an inverter. */
export interface KnownInverter {
  readonly version: number;
  readonly learned: LearnedInverter | undefined;
}

const selectLearned = prepareQuery((db, p: ParameterOf<{ nos: unknown }>) =>
  db
    .selectFrom('learnedInverter')
    .selectAll()
    .where(anyOf(db, 'bindingNo', p('nos'))),
);

const selectSmooth = prepareQuery(
  (db, p: ParameterOf<{ no: number; fromDay: number; smooth: number }>) =>
    db
      .selectFrom('inverterDay')
      .select(['day', 'startAt', 'powers'])
      .where('bindingNo', '=', p('no'))
      .where('day', '>=', p('fromDay'))
      .where('roughness', '<', p('smooth'))
      .orderBy('day'),
);

const selectEnough = prepareQuery((db, p: ParameterOf<{ no: number; fromDay: number }>) =>
  db
    .selectFrom('inverterDay')
    .select('day')
    .where('bindingNo', '=', p('no'))
    .where('day', '>=', p('fromDay'))
    .limit(DAYS_AT_LEAST),
);

/** What was learned of inverters, by the number of their binding. */
export async function readLearned(
  db: Db,
  nos: readonly number[],
): Promise<ReadonlyMap<number, KnownInverter>> {
  const rows = await selectLearned(db, { nos: listParameter(db, nos) });
  return new Map(
    rows.map(({ bindingNo, version, learned }) => [
      bindingNo,
      { version, learned: learned === null ? undefined : (JSON.parse(learned) as LearnedInverter) },
    ]),
  );
}

/** The smooth days of an inverter, by which clear ones are known. */
export const smoothDays = async (db: Db, no: number, fromDay: number): Promise<DayPowers[]> =>
  (await selectSmooth(db, { no, fromDay, smooth: SMOOTH })).map(readRow);

/** Learns of the inverters of a plant what is due, from the kept powers of days up to `toDay`. */
export async function learnInverters(
  db: Db,
  place: SunObserver,
  inverters: readonly Inverter[],
  toDay: number,
): Promise<void> {
  const nos = inverters.map(({ binding }) => binding.no);
  const known = await selectLearned(db, { nos: listParameter(db, nos) });
  const rows = new Map(known.map((row) => [row.bindingNo, row]));
  const fromDay = addDays(toDay, -HISTORY_DAYS);
  for (const { binding, ratedW } of inverters) {
    const { no } = binding;
    const row = rows.get(no);
    const every = row?.learned ? KNOWN_DAYS : UNKNOWN_DAYS;
    if (row && toDay < addDays(row.throughDay, every)) continue;
    const isEnough = (await selectEnough(db, { no, fromDay })).length === DAYS_AT_LEAST;
    const smooth = isEnough ? await smoothDays(db, no, fromDay) : [];
    const before = row?.learned ? (JSON.parse(row.learned) as LearnedInverter) : undefined;
    const found = isEnough ? learnInverter(place, smooth, ratedW) : undefined;
    const isSame = before && found && differ(place, before, found, smooth) < SAME;
    // A season without clear days is no reason to forget.
    const learned = isSame || !found ? before : found;
    const next = {
      throughDay: toDay,
      version: (row?.version ?? 0) + (learned === before ? 0 : 1),
      learned: learned ? JSON.stringify(learned) : null,
    };
    await db
      .insertInto('learnedInverter')
      .values({ bindingNo: no, ...next })
      .onConflict((conflict) => conflict.column('bindingNo').doUpdateSet(next))
      .execute();
  }
}

/** By how much two models differ on some days, as a share of energy. */
function differ(
  place: SunObserver,
  a: LearnedInverter,
  b: LearnedInverter,
  days: readonly DayPowers[],
): number {
  let [difference, sum] = [0, 0];
  for (const { startAt, powersW } of days.slice(-DAYS_AT_LEAST))
    for (const step of powersW.keys()) {
      const clear = clearLight(place, startAt + (step + 0.5) * MEANS_STEP_MS);
      if (!clear) continue;
      const [ofA, ofB] = [clearPowerW(a, clear), clearPowerW(b, clear)];
      difference += Math.abs(ofA - ofB);
      sum += ofA;
    }
  const isSeasonKnown = b.declinations.every(
    (declination, i) => Math.abs(declination - a.declinations[i]!) < SEASON,
  );
  return isSeasonKnown ? difference / sum : Infinity;
}
