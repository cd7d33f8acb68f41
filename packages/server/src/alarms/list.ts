import type { AlarmRecord, Page } from '@helioport/contract';
import { sql } from 'kysely';
import type { Caller } from '../accounts/caller.ts';
import { narrow, reachOf } from '../plants/access.ts';
import { pageParameters, type PageOf } from '../plants/plant-list.ts';
import { countStates, totalOf } from '../plants/visible-counts.ts';
import { anyOf, listParameter } from '../storage/any-of.ts';
import type { Db, Instant } from '../storage/database.ts';
import { prepareQuery, type ParameterOf } from '../storage/prepare.ts';
import { alarmStates } from './alarm-rows.ts';
import { findPageEnd, keepPageEnd, readerOf, type PageEnd } from './pages.ts';
import { adviceFor } from './rules.ts';
import { alarmsByTime, alarmsOfPlants, selectionParameters, type AlarmSelection, type SelectionParameters } from './selection.ts';

/** What a caller wants of the alarms. */
export interface AlarmFilter extends Omit<AlarmSelection, 'reach'> {
  readonly plantId?: string | undefined;
}

type PageParameters = SelectionParameters & ReturnType<typeof pageParameters>;

const columns = ['alarm.id', 'alarm.plantId', 'plant.name as plantName', 'alarm.kind', 'alarm.sn', 'device.model'] as const;
const facts = ['alarm.level', 'alarm.code', 'alarm.message', 'alarm.state', 'alarm.beginAt', 'alarm.endAt'] as const;

const pageByPlants = prepareQuery((db, p: ParameterOf<PageParameters>) =>
  alarmsOfPlants(db, p)
    .innerJoin('device', 'device.id', 'alarm.deviceId')
    .select(columns)
    .select(facts)
    // Not by the column itself: PostgreSQL would go through everybody's alarms by their ids until it has found enough.
    .orderBy(sql`alarm.id || ''`, 'desc')
    .limit(p('limit'))
    .offset(p('offset')),
);
const pageByTime = prepareQuery((db, p: ParameterOf<PageParameters>) =>
  alarmsByTime(db, p)
    .innerJoin('device', 'device.id', 'alarm.deviceId')
    .select(columns)
    .select(facts)
    .orderBy('alarm.id', 'desc')
    .limit(p('limit'))
    .offset(p('offset')),
);
const number = sql<number>`count(*)`.as('number');
const numberByPlants = prepareQuery((db, p: ParameterOf<SelectionParameters>) => alarmsOfPlants(db, p).select(number));
const numberByTime = prepareQuery((db, p: ParameterOf<SelectionParameters>) => alarmsByTime(db, p).select(number));

/** From so many plants on a caller's alarms are found by going through all. */
const MANY_PLANTS = 1_000;

/**
 * The alarms of plants that the caller may see, the newest first. A page goes on where the reader's page before it ended,
 * so that while alarms are added and end nobody sees one twice or misses one.
 */
export async function listAlarms(db: Db, caller: Caller, filter: AlarmFilter, page: PageOf, now: Instant): Promise<Page<AlarmRecord>> {
  const { plantId, nmiCode, deviceSn, fromDay, toDay, state, fromId } = filter;
  const reach = narrow(reachOf(caller, 'read'), plantId === undefined ? undefined : [plantId]);
  const selection: AlarmSelection = { reach, nmiCode, deviceSn, fromDay, toDay, state, fromId };
  const reading = { reader: readerOf(caller), filter: JSON.stringify([page.pageSize, plantId, nmiCode, deviceSn, fromDay, toDay, state, fromId]) };
  const before = page.pageNo > 1 ? await findPageEnd(db, reading, page.pageNo - 1, now) : undefined;
  const isWide = reach.plantIds === null && totalOf(await countStates(db, reach, 'plant')) > MANY_PLANTS;
  const total = before?.total ?? (await countAlarms(db, selection, isWide));
  const parameters = { ...selectionParameters(db, selection, before?.lastId), ...pageParameters(before ? { ...page, pageNo: 1 } : page) };
  const rows = await (isWide ? pageByTime : pageByPlants)(db, parameters);
  const end: PageEnd | undefined = rows.length === page.pageSize && page.pageNo * page.pageSize < total ? { lastId: rows.at(-1)!.id, total } : undefined;
  if (end) await keepPageEnd(db, reading, page.pageNo, end, now);
  return { ...page, total, records: rows.map((row) => alarmRecord(row, now)) };
}

/** Kept where nothing but the state is asked for, else counted. */
async function countAlarms(db: Db, selection: AlarmSelection, isWide: boolean): Promise<number> {
  const { reach, state, ...others } = selection;
  if (Object.values(others).every((filter) => filter === undefined)) {
    const numbers = await countStates(db, reach, 'alarm');
    return state === undefined ? totalOf(numbers) : (numbers.get(state) ?? 0);
  }
  const [counted] = await (isWide ? numberByTime : numberByPlants)(db, selectionParameters(db, selection));
  return counted!.number;
}

type Row = Awaited<ReturnType<typeof pageByTime>>[number];

const LEVELS = { 1: 'tip', 2: 'general', 3: 'emergency' } as const;
const STATES = { [alarmStates.pending]: 'pending', [alarmStates.processed]: 'processed', [alarmStates.restored]: 'restored' } as const;

const alarmRecord = (row: Row, now: Instant): AlarmRecord => ({
  id: row.id,
  plant: { id: row.plantId, name: row.plantName },
  device: { kind: row.kind, sn: row.sn, model: row.model },
  level: LEVELS[row.level as keyof typeof LEVELS],
  code: row.code,
  message: row.message,
  advice: adviceFor(row.code),
  state: STATES[row.state as keyof typeof STATES],
  beginAt: row.beginAt,
  endAt: row.endAt,
  durationMs: Math.max(0, (row.endAt ?? now) - row.beginAt),
});

const pending = prepareQuery((db, p: ParameterOf<{ plantIds: unknown; state: number }>) =>
  db
    .selectFrom('alarm')
    .select(['plantId', sql<number>`count(*)`.as('number')])
    .where(anyOf(db, 'plantId', p('plantIds')))
    .where('state', '=', p('state'))
    .groupBy('plantId'),
);

/** How many alarms of some plants are pending; plants without any are left out. The caller may see the plants. */
export async function countPendingAlarms(db: Db, plantIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await pending(db, { plantIds: listParameter(db, plantIds), state: alarmStates.pending });
  return new Map(rows.map((row) => [row.plantId, row.number]));
}
