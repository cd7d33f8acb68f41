import { sql } from 'kysely';
import type { Db } from '../../../platform/storage/database.ts';
import { plannedOnce } from '../../../platform/storage/sqlite/planned-once.ts';
import { prepareQuery, type ParameterOf } from '../../../platform/storage/prepare.ts';
import { reachParameters, visible, type Reach, type ReachParameters } from '../access.ts';
import type { CountedKind } from './counters.ts';

/** State -> number of things in it; empty states are omitted. */
export type StateNumbers = ReadonlyMap<number, number>;

interface CounterParameters {
  accountId: string;
  kind: CountedKind;
  /** 1 = only in plants that the account owns. */
  owned: number;
}

const fromCounters = prepareQuery((db, p: ParameterOf<CounterParameters>) =>
  db
    .selectFrom('visibleCount')
    .select(['state', sql<number>`cast(sum(amount) as bigint)`.as('amount')])
    .where('accountId', '=', p('accountId'))
    .where('kind', '=', p('kind'))
    .where('owned', '>=', p('owned') as 0 | 1)
    .groupBy('state'),
);

const amount = sql<number>`count(*)`.as('amount');
const plants = prepareQuery((db, p: ParameterOf<ReachParameters>) =>
  visible(db, p).select(['plant.state', amount]).groupBy('plant.state'),
);
const devices = prepareQuery((db, p: ParameterOf<ReachParameters & { kind: string }>) =>
  visible(db, p)
    .innerJoin('device', 'device.plantId', 'plant.id')
    .where(sql<boolean>`device.kind = ${plannedOnce(db, p('kind'))}`)
    .select(['device.state', amount])
    .groupBy('device.state'),
);
const alarms = prepareQuery((db, p: ParameterOf<ReachParameters>) =>
  visible(db, p)
    .innerJoin('alarm', 'alarm.plantId', 'plant.id')
    .select(['alarm.state', amount])
    .groupBy('alarm.state'),
);
const ammeterAlarms = prepareQuery((db, p: ParameterOf<ReachParameters>) =>
  visible(db, p)
    .innerJoin('alarm', 'alarm.plantId', 'plant.id')
    .where('alarm.kind', '=', sql.lit('ammeter'))
    .select(['alarm.state', amount])
    .groupBy('alarm.state'),
);

/**
 * How many plants, devices of a kind, or alarms of a reach are in which state. The numbers of a whole fleet are read from kept
 * counters; if the reach is a list of plants, they are counted.
 */
export async function countStates(db: Db, reach: Reach, kind: CountedKind): Promise<StateNumbers> {
  const { accountId, levels } = reach;
  const rows = await (accountId !== null && isWhole(reach)
    ? fromCounters(db, { accountId, kind, owned: levels.length === 1 ? 1 : 0 })
    : count(db, reach, kind));
  const numbers = new Map(rows.map((row) => [row.state, row.amount]));
  // The stored counters include alarms of ammeters; since there are few, they are counted and subtracted.
  if (kind === 'alarm' && reach.withoutAmmeters)
    for (const { state, amount: number } of await ammeterAlarms(db, reachParameters(db, reach)))
      numbers.set(state, (numbers.get(state) ?? 0) - number);
  return new Map([...numbers].filter(([, number]) => number !== 0));
}

// Counters are kept only for all levels together and for owners.
const isWhole = ({ plantIds, levels }: Reach): boolean => plantIds === null && levels.length !== 2;

function count(
  db: Db,
  reach: Reach,
  kind: CountedKind,
): Promise<{ state: number; amount: number }[]> {
  const parameters = reachParameters(db, reach);
  if (kind === 'plant') return plants(db, parameters);
  return kind === 'alarm' ? alarms(db, parameters) : devices(db, { ...parameters, kind });
}

/** The sum over all states. */
export const totalOf = (numbers: StateNumbers): number =>
  numbers.values().reduce((sum, number) => sum + number, 0);
