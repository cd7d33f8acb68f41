import { hash } from 'node:crypto';
import type { AlarmRecord, PageRecord } from '@helioport/contract';
import { sql } from 'kysely';
import type { Caller } from '../../identity/accounts/caller.ts';
import { narrow, reachOf } from '../../fleet/plants/access.ts';
import {
  companyNamesOf,
  presentNameOf,
  type AttributedAction,
} from '../../fleet/plants/companies/names.ts';
import { pageParameters, type PageOf } from '../../fleet/plants/fleet/plant-list.ts';
import { countStates, totalOf } from '../../fleet/plants/fleet/visible-counts.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';
import { alarmStateNumbers } from './alarm-rows.ts';
import { findPageEnd, keepPageEnd } from '../../identity/accounts/page-ends.ts';
import { adviceFor } from './rules.ts';
import {
  chooseWay,
  passed,
  selectionParameters,
  ways,
  type AlarmSelection,
  type SelectionParameters,
  type Way,
} from './selection.ts';

/** Which alarms a caller asks for. */
export interface AlarmFilter extends Omit<AlarmSelection, 'reach'> {
  readonly plantId?: string | undefined;
  /** Whether those come first that have cost most, and not the newest. */
  readonly costliestFirst?: boolean | undefined;
}

type PageParameters = SelectionParameters & ReturnType<typeof pageParameters>;

function statementsOf(way: Way) {
  const page = (direction: 'asc' | 'desc', costliestFirst = false) =>
    prepareQuery((db, p: ParameterOf<PageParameters>) =>
      ways[way](db, p)
        .innerJoin('device', 'device.id', 'alarm.deviceId')
        .select([
          'alarm.id',
          'alarm.plantId',
          'plant.name as plantName',
          'plant.timeZone',
          'alarm.deviceId',
          'alarm.kind',
          'alarm.sn',
          'device.model',
        ])
        .select([
          'alarm.level',
          'alarm.code',
          'alarm.message',
          'alarm.state',
          'alarm.beginAt',
          'alarm.endAt',
        ])
        .select(['alarm.lostKwh', 'alarm.lostAmount', 'plant.currency'])
        .select(['alarm.processedAt', 'alarm.processedBy', 'alarm.note', 'alarm.notedAt'])
        .$if(costliestFirst, (query) => query.orderBy(sql`coalesce(alarm."lostKwh", -1)`, 'desc'))
        // The alarms of a few plants should be found first and then sorted. If the plain column were used for sorting, PostgreSQL would instead read
        // everybody's alarms in this order until it has found enough.
        .orderBy(way === 'byPlants' ? sql`alarm.id || ''` : 'alarm.id', direction)
        .limit(p('limit'))
        .offset(p('offset')),
    );
  return {
    newestFirst: page('desc'),
    oldestFirst: page('asc'),
    costliestFirst: page('desc', true),
    count: prepareQuery((db, p: ParameterOf<SelectionParameters & { limit: number }>) =>
      db
        .selectFrom(
          ways[way](db, p)
            .select(sql`1`.as('one'))
            .limit(p('limit'))
            .as('counted'),
        )
        .select(sql<number>`count(*)`.as('number')),
    ),
  };
}

const statements = { byPlants: statementsOf('byPlants'), byTime: statementsOf('byTime') };

/**
 * The alarms of plants that the caller may see, newest first. A page continues where the reader's previous page ended,
 * so that nobody sees an alarm twice or misses one while others begin and end.
 */
export async function listAlarms(
  db: Db,
  caller: Caller,
  filter: AlarmFilter,
  page: PageOf,
  now: Instant,
): Promise<PageRecord<AlarmRecord>> {
  const { plantId, costliestFirst = false, ...others } = filter;
  const reach = narrow(reachOf(caller, 'read'), plantId === undefined ? undefined : [plantId]);
  const selection: AlarmSelection = { reach, ...others };
  const { nmiCode, deviceSn, fromDay, toDay, underWayFrom, state, minLevel, fromId } = others;
  const { way, plantIds } = await chooseWay(db, selection);
  // If the plants change, this becomes a different list. Otherwise, its stored total would still include plants that are no longer shared.
  const plants = hash('sha256', plantIds.toSorted().join(), 'base64');
  const list = {
    caller,
    id: 'alarmList',
    filter: [
      page.pageSize,
      plantId,
      nmiCode,
      deviceSn,
      fromDay,
      toDay,
      underWayFrom,
      state,
      minLevel,
      fromId,
      plants,
      ...(costliestFirst ? ['costliestFirst'] : []),
    ],
  } as const;
  // A cost changes every night: pages by it are counted from the beginning.
  const before = costliestFirst ? undefined : await findPageEnd(db, list, page.pageNo - 1, now);
  const parameters = selectionParameters(db, selection, plantIds, before?.lastId);
  const { total, atLeast } =
    before?.total && !before.atLeast
      ? { total: before.total, atLeast: false }
      : await countAlarms(db, selection, way, parameters, page, before !== undefined);
  const rows = costliestFirst
    ? await statements[way].costliestFirst(db, { ...parameters, ...pageParameters(page) })
    : await readPage(
        db,
        way,
        parameters,
        before ? { ...page, pageNo: 1 } : page,
        atLeast ? Infinity : total,
      );
  const isLast = rows.length < page.pageSize || page.pageNo * page.pageSize >= total;
  if (!isLast && !costliestFirst)
    await keepPageEnd(
      db,
      list,
      page.pageNo,
      { lastId: rows.at(-1)!.id, total, atLeast },
      now,
    ).catch(() => undefined);
  const takings = rows.map(takingOf);
  const emailOf = await companyNamesOf(db, caller, takings);
  const isOfToday = await presentNameOf(db, takings);
  const mayKnow = (taking: AttributedAction): boolean =>
    caller.accountId === null || caller.accountId === taking.accountId || isOfToday(taking);
  return {
    ...page,
    total,
    records: rows.map((row) => ({
      ...alarmRecord(mayKnow(takingOf(row)) ? row : withoutNote(row), caller, now),
      processedByEmail: emailOf(takingOf(row)),
    })),
  };
}

const idAt = (direction: 'asc' | 'desc') =>
  prepareQuery((db, p: ParameterOf<SelectionParameters & { offset: number }>) =>
    passed(db, p)
      .select('alarm.id')
      .orderBy('alarm.id', direction)
      .limit(sql.lit(1))
      .offset(p('offset')),
  );
const idFromNewest = idAt('desc');
const idFromOldest = idAt('asc');

/** For pages this far into a list, the first alarm is looked up on its own before the rest of the page is read. */
const FAR = 1_000;

/** A page in the second half is read from the end, so that the last one costs no more than the first. `total` is Infinity if it is not known. */
async function readPage(
  db: Db,
  way: Way,
  parameters: SelectionParameters,
  page: PageOf,
  total: number,
): Promise<Row[]> {
  const { newestFirst, oldestFirst } = statements[way];
  const { limit, offset } = pageParameters(page);
  const left = Math.min(limit, total - offset);
  if (left <= 0) return [];
  const isEarly = offset === 0 || offset < total / 2;
  if (way === 'byPlants' || Math.min(offset, total - offset) < FAR) {
    if (isEarly) return newestFirst(db, { ...parameters, limit, offset });
    return (
      await oldestFirst(db, { ...parameters, limit: left, offset: total - offset - left })
    ).toReversed();
  }
  const [first] = await (isEarly
    ? idFromNewest(db, { ...parameters, offset })
    : idFromOldest(db, { ...parameters, offset: total - offset - 1 }));
  return first
    ? newestFirst(db, { ...parameters, beforeId: String(BigInt(first.id) + 1n), limit, offset: 0 })
    : [];
}

/** How many alarms of a selection are counted beyond the requested page: the installer of a whole fleet may see millions. */
const COUNTED_AT_MOST = 10_000;

interface Total {
  readonly total: number;
  /** Whether counting stopped at `total`, so that there may be more. */
  readonly atLeast: boolean;
}

/**
 * Counts the alarms of a selection. If the state is the only filter, the number comes from the
 * stored counters. `goesOn`: the parameters already leave out the alarms of earlier pages.
 */
async function countAlarms(
  db: Db,
  selection: AlarmSelection,
  way: Way,
  parameters: SelectionParameters,
  page: PageOf,
  goesOn: boolean,
): Promise<Total> {
  const { reach, state, ...others } = selection;
  if (Object.values(others).every((filter) => filter === undefined)) {
    const numbers = await countStates(db, reach, 'alarm');
    return {
      total: state === undefined ? totalOf(numbers) : (numbers.get(state) ?? 0),
      atLeast: false,
    };
  }
  const { offset } = pageParameters(page);
  const limit = goesOn ? COUNTED_AT_MOST : offset + COUNTED_AT_MOST;
  const [counted] = await statements[way].count(db, { ...parameters, limit });
  return {
    total: goesOn ? offset + counted!.number : counted!.number,
    atLeast: counted!.number === limit,
  };
}

type Row = Awaited<ReturnType<(typeof statements)['byTime']['newestFirst']>>[number];

const takingOf = ({ plantId, processedBy, processedAt }: Row): AttributedAction => ({
  plantId,
  accountId: processedBy?.startsWith('account:') ? processedBy.slice('account:'.length) : null,
  at: processedAt ?? 0,
});

/** What people said of an alarm is not shown to those who came after them. */
const withoutNote = (row: Row): Row => ({ ...row, note: null, notedAt: null });

const LEVELS = { 1: 'tip', 2: 'general', 3: 'emergency' } as const;
const STATES = {
  [alarmStateNumbers.pending]: 'pending',
  [alarmStateNumbers.processed]: 'processed',
  [alarmStateNumbers.restored]: 'restored',
} as const;

const alarmRecord = (row: Row, caller: Caller, now: Instant): AlarmRecord => ({
  id: row.id,
  plant: { id: row.plantId, name: row.plantName, timeZone: row.timeZone },
  device: { id: row.deviceId, kind: row.kind, sn: row.sn, model: row.model },
  level: LEVELS[row.level as keyof typeof LEVELS],
  code: row.code,
  message: row.message,
  advice: adviceFor(row.code, row.message),
  state: STATES[row.state as keyof typeof STATES],
  beginAt: row.beginAt,
  endAt: row.endAt,
  processedAt: row.processedAt,
  // Applications need not know who people are, nor what they tell each other.
  ...(caller.kind !== 'application' && {
    processedBy: row.processedBy,
    note: row.note,
    notedAt: row.notedAt,
  }),
  ...(row.lostKwh !== null && {
    lostKwh: Math.round(row.lostKwh * 10) / 10,
    lostAmount: row.lostAmount === null ? undefined : Math.round(row.lostAmount * 100) / 100,
    currency: row.currency,
  }),
  durationMs: Math.max(0, (row.endAt ?? now) - row.beginAt),
});
