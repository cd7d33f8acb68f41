import { HOUR_MS } from '@helioport/contract/durations';
import type { Binding } from '../../../fleet/plants/bindings.ts';
import { daysBetween, dayWindow, type Zones } from '../../../platform/calendar/plant-calendar.ts';
import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../../platform/storage/prepare.ts';
import { roughnessOf, type DayPowers } from '../../expected/day-powers.ts';
import { createStepMeans, MEANS_STEP_MS, type MeansSteps } from '../../expected/step-means.ts';
import type { DayRollup } from '../../telemetry/telemetry.ts';
import { boundDay, partsOfDay } from '../day-windows.ts';
import { partOfPlant } from '../plant/precedence.ts';
import type { FigureSources } from '../sources.ts';

/** Devices whose readings of a day are held at once. */
const AT_ONCE = 50;

type Sources = Pick<FigureSources, 'db' | 'telemetry'>;
type Days = { readonly nos: readonly number[]; readonly fromDay: number; readonly toDay: number };

const selectDigests = prepareQuery(
  (db, p: ParameterOf<{ nos: unknown; fromDay: number; toDay: number }>) =>
    db
      .selectFrom('inverterDay')
      .select(['bindingNo', 'day', 'digest'])
      .where(anyOf(db, 'bindingNo', p('nos')))
      .where('day', '>=', p('fromDay'))
      .where('day', '<=', p('toDay')),
);

const selectDays = prepareQuery(
  (db, p: ParameterOf<{ nos: unknown; fromDay: number; toDay: number }>) =>
    db
      .selectFrom('inverterDay')
      .select(['bindingNo', 'day', 'startAt', 'powers'])
      .where(anyOf(db, 'bindingNo', p('nos')))
      .where('day', '>=', p('fromDay'))
      .where('day', '<=', p('toDay'))
      .orderBy('day'),
);

/** Of what the kept powers of inverters were made, by number of the binding and day. */
export async function powerDigests(
  db: Db,
  { nos, fromDay, toDay }: Days,
): Promise<ReadonlyMap<string, string>> {
  const rows = await selectDigests(db, { nos: listParameter(db, nos), fromDay, toDay });
  return new Map(rows.map(({ bindingNo, day, digest }) => [powerDayKey(bindingNo, day), digest]));
}

export const powerDayKey = (bindingNo: number, day: number): string => `${bindingNo} ${day}`;

/** The kept powers of inverters, by number of the binding and day. */
export async function readPowers(
  db: Db,
  { nos, fromDay, toDay }: Days,
): Promise<ReadonlyMap<string, DayPowers>> {
  const rows = await selectDays(db, { nos: listParameter(db, nos), fromDay, toDay });
  return new Map(rows.map((row) => [powerDayKey(row.bindingNo, row.day), readRow(row)]));
}

export const readRow = (row: {
  readonly day: number;
  readonly startAt: number;
  readonly powers: string;
}): DayPowers => {
  const [skipped = 0, ...powers] = JSON.parse(row.powers) as (number | null)[];
  const night = Array.from({ length: skipped ?? 0 }, () => null);
  return { day: row.day, startAt: row.startAt, powersW: [...night, ...powers] };
};

const textOf = (powersW: readonly (number | null)[]): string => {
  const first = powersW.findIndex((powerW) => powerW !== null && powerW > 0);
  if (first < 0) return '[0]';
  const last = powersW.findLastIndex((powerW) => powerW !== null && powerW > 0);
  return JSON.stringify([first, ...powersW.slice(first, last + 1)]);
};

/** The mean powers of inverters in the steps of a span, by number of the binding. */
export async function measurePowers(
  { db, telemetry }: Sources,
  bindings: readonly Binding[],
  day: number,
  span: MeansSteps,
): Promise<Map<number, DayPowers>> {
  const { startAt, count } = span;
  const around = {
    startAt: startAt - HOUR_MS,
    endAt: startAt + count * MEANS_STEP_MS + HOUR_MS,
  };
  const found = new Map<number, DayPowers>();
  const parts = partsOfDay(bindings, around);
  for (let i = 0; i < parts.length; i += AT_ONCE) {
    const some = parts.slice(i, i + AT_ONCE);
    const means = some.map(() => createStepMeans(span));
    await telemetry.eachReading(db, some.map(boundDay), (part, { at, values: { acPowerW } }) => {
      if (acPowerW !== undefined) means[part]!.add(at, partOfPlant('acPowerW', acPowerW));
    });
    for (const [part, { binding }] of some.entries())
      found.set(binding.no, {
        day,
        startAt,
        powersW: Array.from({ length: count }, (_, step) => {
          const powerW = means[part]!.mean(step);
          return powerW === undefined ? null : Math.round(powerW);
        }),
      });
  }
  return found;
}

const digestOf = ({ samples, lastAt, peakPowerW, energies }: DayRollup): string =>
  [samples, lastAt, peakPowerW, energies.production?.energyKwh].join(' ');

/** Keeps the powers of inverters on days that are over, of those whose readings are new, the earliest first and at most some; says how many are left. */
export async function settlePowers(
  sources: Sources,
  bindings: readonly Binding[],
  zones: Zones,
  { fromDay, toDay, atMost }: { fromDay: number; toDay: number; atMost: number },
): Promise<number> {
  const { db, telemetry } = sources;
  const nos = bindings.map(({ no }) => no);
  if (nos.length === 0) return 0;
  const known = await powerDigests(db, { nos, fromDay, toDay });
  const stale = Map.groupBy(
    (await telemetry.daysOf(db, nos, fromDay, toDay)).filter(
      (each) => known.get(powerDayKey(each.bindingNo, each.day)) !== digestOf(each),
    ),
    ({ day }) => day,
  );
  const days = daysBetween(fromDay, toDay).filter((day) => stale.has(day));
  for (const day of days.slice(0, atMost)) {
    const { startAt, endAt } = dayWindow(zones, day);
    const span = { startAt, count: Math.floor((endAt - startAt) / MEANS_STEP_MS) };
    const digests = new Map(stale.get(day)!.map((each) => [each.bindingNo, digestOf(each)]));
    const own = bindings.filter(({ no }) => digests.has(no));
    const measured = await measurePowers(sources, own, day, span);
    for (const [no, { powersW }] of measured) {
      const roughness = roughnessOf(powersW) ?? null;
      const row = { digest: digests.get(no)!, startAt, roughness, powers: textOf(powersW) };
      await db
        .insertInto('inverterDay')
        .values({ bindingNo: no, day, ...row })
        .onConflict((conflict) => conflict.columns(['bindingNo', 'day']).doUpdateSet(row))
        .execute();
    }
  }
  return Math.max(0, days.length - atMost);
}
