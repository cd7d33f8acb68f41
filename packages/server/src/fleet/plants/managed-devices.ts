import { sql } from 'kysely';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db, DeviceTable } from '../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';
import {
  plantsOfDevices,
  reachParameters,
  visible,
  type Reach,
  type ReachParameters,
} from './access.ts';

/** A device of any kind in a plant of a reach. */
export interface ManagedDevice {
  readonly id: string;
  readonly kind: DeviceTable['kind'];
  readonly plantId: string;
}

type NamedParameters = ReachParameters & { names: unknown };

const named = (db: Db, p: ParameterOf<NamedParameters>, column: 'sn' | 'collectorId') =>
  visible(db, p, plantsOfDevices(db, column, p('names')))
    .innerJoin('device', 'device.plantId', 'plant.id')
    .where(anyOf(db, `device.${column}`, p('names')));

const managed = (column: 'sn' | 'collectorId') =>
  prepareQuery((db, p: ParameterOf<NamedParameters>) =>
    named(db, p, column).select(['device.id', 'device.kind', 'plant.id as plantId']),
  );

const bySerialNumbers = managed('sn');
const byCollectors = managed('collectorId');

/** The devices with certain serial numbers in the plants of a reach. */
export const listManaged = (
  db: Db,
  reach: Reach,
  serialNumbers: readonly string[],
): Promise<ManagedDevice[]> =>
  bySerialNumbers(db, { ...reachParameters(db, reach), names: listParameter(db, serialNumbers) });

/** The devices in the plants of a reach that report through certain collectors. */
export const listManagedBehind = (
  db: Db,
  reach: Reach,
  collectorIds: readonly string[],
): Promise<ManagedDevice[]> =>
  byCollectors(db, { ...reachParameters(db, reach), names: listParameter(db, collectorIds) });

const numbersBehind = prepareQuery((db, p: ParameterOf<NamedParameters>) =>
  named(db, p, 'collectorId')
    .select(['device.collectorId', sql<number>`count(*)`.as('amount')])
    .groupBy('device.collectorId'),
);

/** How many devices of a reach report through each of certain collectors; collectors without any are omitted. */
export async function countBehind(
  db: Db,
  reach: Reach,
  collectorIds: readonly string[],
): Promise<Map<string | null, number>> {
  const rows = await numbersBehind(db, {
    ...reachParameters(db, reach),
    names: listParameter(db, collectorIds),
  });
  return new Map(rows.map(({ collectorId, amount }) => [collectorId, amount]));
}
