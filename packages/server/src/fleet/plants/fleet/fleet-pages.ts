import { sql } from 'kysely';
import type { Db, DeviceTable } from '../../../platform/storage/database.ts';
import { plannedOnce } from '../../../platform/storage/sqlite/planned-once.ts';
import { prepareQuery, type ParameterOf } from '../../../platform/storage/prepare.ts';
import { reachParameters, visible, type Reach, type ReachParameters } from '../access.ts';

/** For a caller with at least this many devices, a page is searched for among all devices in id order. */
export const FLEET_FROM = 5_000;

const WINDOW_AT_LEAST = 100;
const WINDOW_AT_MOST = 5_000;

interface WindowParameters extends ReachParameters {
  kind: DeviceTable['kind'];
  bound: string;
  limit: number;
}

// Tests device by device, with a scalar subquery instead of a join, so that no planner goes through all plants of the caller.
const window = (db: Db, p: ParameterOf<WindowParameters>) =>
  db
    .selectFrom('device')
    .select([
      'device.id',
      sql<number | null>`(${visible(db, p)
        .select(sql`1`.as('one'))
        .where('access.plantId', '=', sql.ref<string>('device.plantId'))
        .limit(sql.lit(1))})`.as('seen'),
    ])
    .where('device.kind', '=', plannedOnce(db, p('kind')))
    .where('device.plantId', 'is not', null)
    .limit(p('limit'));

const nextDevices = prepareQuery((db, p: ParameterOf<WindowParameters>) =>
  window(db, p).where('device.id', '>=', p('bound')).orderBy('device.id'),
);

// Series are numbered consecutively, so the highest one approximates the number of devices.
const newest = prepareQuery<object, { series: number }>((db) =>
  db.selectFrom('device').select((eb) => eb.fn.max('series').as('series')),
);

const DIGITS = 19;

/** A part of a list of devices; `visible` is their number on all pages. */
export interface FleetPage {
  readonly reach: Reach;
  readonly kind: DeviceTable['kind'];
  /** Ids of the page start from this one; 19 digits. */
  readonly fromId: string;
  /** Number of the caller's devices to skip from there. */
  readonly offset: number;
  readonly limit: number;
  readonly visible: number;
}

/**
 * The ids of a page near a known place in a very long list of devices. It goes through the devices of all plants until it has found enough of the
 * caller's, which takes time proportional to the page. Undefined if going through the caller's own devices would be faster.
 */
export async function findFleetPage(
  db: Db,
  { reach, kind, fromId, offset, limit, visible: amount }: FleetPage,
): Promise<readonly string[] | undefined> {
  const need = offset + limit;
  const [fleet] = await newest(db, {});
  const share = amount / fleet!.series;
  if (need / share > amount) return undefined;
  const parameters = { ...reachParameters(db, reach), kind };
  const ids = await meet(
    (bound, size) => nextDevices(db, { ...parameters, bound, limit: size }),
    fromId,
    { need, share, budget: amount },
  );
  return ids?.slice(offset);
}

interface Walk {
  readonly need: number;
  /** The caller's approximate share of the devices visited. */
  readonly share: number;
  /** Maximum number of devices to visit. */
  readonly budget: number;
}

type Met = readonly { readonly id: string; readonly seen: number | null }[];

async function meet(
  look: (bound: string, size: number) => Promise<Met>,
  from: string,
  { need, share, budget }: Walk,
): Promise<string[] | undefined> {
  const ids: string[] = [];
  let bound = from;
  let met = 0;
  let size = Math.max(
    WINDOW_AT_LEAST,
    Math.min(WINDOW_AT_MOST, budget, Math.ceil((2 * need) / share)),
  );
  for (;;) {
    const devices = await look(bound, size);
    for (const { id, seen } of devices) if (seen !== null && ids.length < need) ids.push(id);
    if (ids.length === need || devices.length < size) return ids;
    if ((met += devices.length) > budget) return undefined;
    bound = String(BigInt(devices.at(-1)!.id) + 1n).padStart(DIGITS, '0');
    size = Math.min(WINDOW_AT_MOST, 2 * size);
  }
}
