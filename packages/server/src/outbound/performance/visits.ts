import type { LossCause, PlantVisit } from '@helioport/contract';
import { sql } from 'kysely';
import {
  visible,
  reachParameters,
  type Reach,
  type ReachParameters,
} from '../../fleet/plants/access.ts';
import { addDays, calendarOfZone } from '../../platform/calendar/plant-calendar.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';
import { roundedFigure } from '../../measurements/figures/performance/performance-rows.ts';
import type { FigureSources } from '../../measurements/figures/sources.ts';
import type { LossEvidence } from './causes/loss-tally.ts';
import { energyOfYear } from './year-ahead.ts';

/** What somebody who goes there, or calls, can put right. Clipping and limits of feeding in are meant to be, and snow melts. */
const WORTH_A_VISIT: ReadonlySet<LossCause> = new Set([
  'silent',
  'standstill',
  'grid',
  'limit',
  'string',
  'lag',
]);

/** A loss counts as going on if it was there on one of so many last days with figures. */
const LATEST_DAYS = 7;
/** Its size is taken from so many last days. */
const RECENT_DAYS = 30;
/** It began after the last pause of more than so many days. */
const PAUSE_DAYS = 14;
const DAYS_AT_LEAST = 2;

type Asked = ReachParameters & { fromDay: number };

const selectLosses = prepareQuery((db, p: ParameterOf<Asked>) =>
  visible(db, p)
    .innerJoin('performanceLoss as loss', 'loss.plantId', 'plant.id')
    .select(['plant.id', 'plant.name', 'plant.currency', 'plant.latitude', 'plant.longitude'])
    .select(['loss.day', 'loss.cause', 'loss.sn', 'loss.kwh', 'loss.amount', 'loss.evidence'])
    .where('loss.day', '>=', p('fromDay'))
    .where(
      'loss.cause',
      'in',
      [...WORTH_A_VISIT].map((cause) => sql.lit(cause)),
    )
    .orderBy('loss.day'),
);

const selectDays = prepareQuery((db, p: ParameterOf<Asked>) =>
  visible(db, p)
    .innerJoin('performanceDay as of', 'of.plantId', 'plant.id')
    .select(['plant.id', 'of.day', 'of.expectedKwh'])
    .where('of.day', '>=', p('fromDay'))
    .where('of.expectedKwh', 'is not', null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('performanceLoss as any')
          .select('any.day')
          .whereRef('any.plantId', '=', 'plant.id')
          .where('any.day', '>=', p('fromDay')),
      ),
    )
    .orderBy('of.day')
    .$narrowType<{ expectedKwh: number }>(),
);

/** What visits to plants of a reach would bring, the largest loss of energy in a year first, from the losses that are kept. */
export async function listVisits(
  { db, clock }: Pick<FigureSources, 'db' | 'clock'>,
  reach: Reach,
): Promise<PlantVisit[]> {
  const today = calendarOfZone('UTC').dayOf(clock.now());
  const asked = { ...reachParameters(db, reach), fromDay: addDays(today, -366) };
  const losses = await selectLosses(db, asked);
  if (losses.length === 0) return [];
  const expected = Map.groupBy(await selectDays(db, asked), ({ id }) => id);
  const groups = Map.groupBy(losses, ({ id, cause, sn }) => `${id} ${cause} ${sn}`);
  return [...groups.values()]
    .flatMap((rows) => visitOf(rows, expected.get(rows[0]!.id) ?? []) ?? [])
    .toSorted((a, b) => b.kwhPerYear - a.kwhPerYear);
}

type LossRow = Awaited<ReturnType<typeof selectLosses>>[number];
type ExpectedRow = Awaited<ReturnType<typeof selectDays>>[number];

/** What a visit because of one loss would bring; undefined if it does not go on. */
function visitOf(
  rows: readonly LossRow[],
  expected: readonly ExpectedRow[],
): PlantVisit | undefined {
  const latest = expected.slice(-LATEST_DAYS)[0]?.day;
  const last = rows.at(-1)!;
  if (latest === undefined || last.day < latest) return undefined;
  const lasting = sincePause(rows, expected);
  if (lasting.length < DAYS_AT_LEAST) return undefined;
  const since = lasting[0]!.day;
  const recent = expected.slice(-RECENT_DAYS).filter(({ day }) => day >= since);
  const from = recent[0]?.day ?? since;
  const recentKwh = sumOf(
    lasting.filter(({ day }) => day >= from),
    ({ kwh }) => kwh,
  );
  const share = recentKwh / sumOf(recent, ({ expectedKwh }) => expectedKwh);
  const { id, name, currency, latitude, longitude, cause, sn } = last;
  const lostKwh = sumOf(lasting, ({ kwh }) => kwh);
  const lostAmount = lasting.some(({ amount }) => amount !== null)
    ? sumOf(lasting, ({ amount }) => amount ?? 0)
    : undefined;
  const kwhPerYear = share * energyOfYear(latitude, longitude, expected);
  const { sharePercent, limitW, ...evidence } = JSON.parse(last.evidence) as LossEvidence;
  return {
    plantId: id,
    plantName: name,
    cause: cause as LossCause,
    ...(sn !== '' && { sn }),
    kwhPerYear: roundedFigure(kwhPerYear, 1),
    ...(lostAmount !== undefined && {
      amountPerYear: roundedFigure((kwhPerYear * lostAmount) / lostKwh, 100),
      lostAmount: roundedFigure(lostAmount, 100),
    }),
    currency,
    lostKwh: roundedFigure(lostKwh, 10),
    since,
    days: lasting.length,
    ...evidence,
    ...(typeof sharePercent === 'number' && { sharePercent: roundedFigure(sharePercent, 10) }),
    ...(typeof limitW === 'number' && { limitW: Math.round(limitW) }),
  };
}

const sumOf = <T>(rows: readonly T[], of: (row: T) => number): number =>
  rows.reduce((sum, row) => sum + of(row), 0);

/** The days of a loss after its last long pause: days without figures make none. */
function sincePause(
  rows: readonly LossRow[],
  expected: readonly ExpectedRow[],
): readonly LossRow[] {
  const place = new Map(expected.map(({ day }, i) => [day, i]));
  const begin = rows.findLastIndex(
    ({ day }, i) =>
      i === 0 || (place.get(day) ?? 0) - (place.get(rows[i - 1]!.day) ?? 0) > PAUSE_DAYS,
  );
  return rows.slice(begin);
}
