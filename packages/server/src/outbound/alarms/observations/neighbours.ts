import { sunElevation } from '../../../fleet/devices/daylight.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { prepareQuery } from '../../../platform/storage/prepare.ts';
import type { StoredReading, Telemetry } from '../../../measurements/telemetry/telemetry.ts';
import type { DueDevice } from '../due-devices.ts';
import type { Observation } from '../rule.ts';
import { powerOf, producingFromW } from '../rules/production.ts';

/** With how many other inverters of its plant an inverter is compared. */
const NEIGHBOURS = 3;
/** How long a neighbour's sample is valid. */
const HOLDS_MS = 1_800_000;
/** The sun counts as up from this elevation. */
const SUN_UP_DEGREES = 3;

const selectNeighbours = prepareQuery<
  { plantId: string; id: string },
  { seriesId: number; ratedPowerW: number }
>((db, p) =>
  db
    .selectFrom('device')
    .select(['series as seriesId', 'ratedPowerW'])
    .where('plantId', '=', p('plantId'))
    .where('kind', '=', 'inverter')
    .where('id', '!=', p('id'))
    .where('ratedPowerW', '>', 0)
    .orderBy('id')
    .limit(NEIGHBOURS)
    .$narrowType<{ ratedPowerW: number }>(),
);

/**
 * Whether an inverter should be compared with its neighbours: only if it delivers nothing while the sun is up, or repeats exactly the same power. The
 * comparison costs a statement for each neighbour.
 */
export function wantsNeighbours(
  { kind, ratedPowerW, site }: Pick<DueDevice, 'kind' | 'ratedPowerW' | 'site'>,
  samples: readonly StoredReading[],
): boolean {
  const [before, last] = samples.slice(-2);
  const powerW = last && powerOf(last.values);
  if (kind !== 'inverter' || ratedPowerW === null || powerW === undefined || site === null)
    return false;
  if (powerW >= producingFromW(ratedPowerW)) return powerOf(before!.values) === powerW;
  return (
    site.latitude === null ||
    sunElevation(site.latitude, site.longitude, last!.at) >= SUN_UP_DEGREES
  );
}

/** Reads the output of the other inverters of a device's plant. */
export const createNeighbours =
  ({ db, telemetry }: { db: Db; telemetry: Pick<Telemetry, 'readingsBetween'> }) =>
  async (
    { id, plantId }: DueDevice,
    fromAt: Instant,
    lastAt: Instant,
  ): Promise<Observation['neighboursAt']> => {
    if (plantId === null) return () => [];
    const neighbours = await Promise.all(
      (await selectNeighbours(db, { plantId, id })).map(async ({ seriesId, ratedPowerW }) => ({
        ratedPowerW,
        samples: await telemetry.readingsBetween(db, seriesId, fromAt - HOLDS_MS, lastAt + 1),
      })),
    );
    return (at) =>
      neighbours.flatMap(({ ratedPowerW, samples }) => {
        const sample = samples.findLast((each) => each.at <= at);
        const powerW = sample && at - sample.at <= HOLDS_MS ? powerOf(sample.values) : undefined;
        return powerW === undefined ? [] : [powerW / ratedPowerW];
      });
  };
