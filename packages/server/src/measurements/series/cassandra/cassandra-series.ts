import type { ClusterAddress } from '../../../platform/config/cluster-address.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import type { DbHandle } from '../db-handle.ts';
import type { FieldLists } from '../field-lists.ts';
import type { DayRow, Series } from '../port.ts';
import { createCluster, type Cluster, type Observe, type Row } from './cluster.ts';
import { examineCluster } from './examine.ts';
import { readFault } from './faults.ts';
import { createMarkTable, type MarkTable } from './marks.ts';
import { revisionsOfFilling, type Revisions } from './revisions.ts';
import {
  createRollupTables,
  decodeDayRow,
  firstAtOf,
  LAST_DAY,
  type RollupTables,
} from './rollups.ts';
import { createSampleTable, decodeSample, type CassandraSampleTable } from './samples.ts';
import { checkSchema, createSchema, isSchemaCurrent } from './schema.ts';

export interface CassandraSources {
  readonly address: ClusterAddress;
  readonly fieldLists: FieldLists;
  /** Id of the installation, which the keyspace must belong to. */
  readonly installation: () => Promise<string>;
  readonly clock: Clock;
  readonly observe?: Observe;
}

interface Tables {
  readonly cluster: Cluster;
  readonly samples: CassandraSampleTable;
  readonly rollups: RollupTables;
  readonly marks: MarkTable;
}

const LAST_MONTH = 999_999;

/** The series on a Cassandra cluster. */
export function createCassandraSeries(sources: CassandraSources): Series {
  const cluster = createCluster(sources.address, sources.observe);
  const tables: Tables = {
    cluster,
    samples: createSampleTable(cluster),
    rollups: createRollupTables(cluster),
    marks: createMarkTable(cluster),
  };
  return seriesOver(tables, sources);
}

/** `revisions` are those of an attempt, which knows the marks of what it reads. */
function seriesOver(tables: Tables, sources: CassandraSources, revisions?: Revisions): Series {
  const { cluster, samples, rollups, marks } = tables;
  const { fieldLists, installation, clock } = sources;
  const revision = revisions ?? revisionsOfFilling(clock);

  /** Rows of days, with a word on those whose bindings are marked. */
  async function markedDays(
    db: DbHandle,
    bindings: readonly number[],
    rows: Promise<readonly Row[]>,
  ): Promise<DayRow[]> {
    const [found, marked] = await Promise.all([rows, markedOf(bindings)]);
    return fieldLists.resolving(db, (listOf) =>
      found.map((row) => withMark(decodeDayRow(row, listOf), marked)),
    );
  }

  const markedOf = async (bindings: readonly number[]): Promise<Set<number>> =>
    new Set(revisions ? [] : (await marks.of(bindings)).map(({ binding }) => binding));

  const series: Series = {
    name: `cassandra/${cluster.address.keyspace}`,
    fieldLists,
    sharesTransaction: false,
    withRevisions: (next) => seriesOver(tables, sources, next),
    async open() {
      await cluster.connect();
      try {
        await checkSchema(cluster, await installation());
      } catch (error) {
        await cluster.close();
        throw readFault(error);
      }
    },
    isMigrated: async () => isSchemaCurrent(await checkSchema(cluster, await installation())),
    migrate: async () => createSchema(cluster, await installation()),
    examine: () => examineCluster(cluster, clock),
    nodes() {
      const hosts = cluster.hosts();
      const up = hosts.filter((host) => host.isUp()).length;
      return { up, down: hosts.length - up };
    },
    async isReady() {
      await cluster.read(
        `select value from ${cluster.address.keyspace}.installation where name = 'version'`,
        [],
      );
      return true;
    },
    close: () => cluster.close(),
    async put(_, { samples: rows = [], days = [], months = [] }) {
      const timestamp = revision();
      await cluster.write([
        ...samples.puts(rows, timestamp),
        ...rollups.puts(days, months, timestamp),
      ]);
      samples.listed(rows);
    },
    async range(db, seriesId, fromAt, toAt, limit) {
      const rows = await samples.range(seriesId, fromAt, toAt, limit);
      return fieldLists.resolving(db, (listOf) => rows.map((row) => decodeSample(row, listOf)));
    },
    async ranges(db, seriesIds, fromAt, toAt) {
      const found = await samples.ranges(seriesIds, fromAt, toAt);
      return fieldLists.resolving(
        db,
        (listOf) =>
          new Map(
            found.entries().map(([id, rows]) => [id, rows.map((row) => decodeSample(row, listOf))]),
          ),
      );
    },
    firstSampleAt: async (_, seriesId, fromAt, toAt) =>
      (await samples.range(seriesId, fromAt, toAt, 1))[0]?.at,
    async newestDays(db, bindings, beforeDay = LAST_DAY) {
      const rows = await markedDays(db, bindings, rollups.newest(bindings, 1, beforeDay));
      return new Map(rows.map((row) => [row.binding, row]));
    },
    async endDays(db, newest, first) {
      const [newestRows, firstRows] = await Promise.all([
        markedDays(db, newest.bindings, rollups.newest(newest.bindings, newest.count, LAST_DAY)),
        markedDays(db, first.bindings, rollups.first(first.bindings, first.count)),
      ]);
      return { newest: newestRows, first: firstRows };
    },
    async firstReports(db, bindings) {
      const rows = await rollups.first(bindings, 1);
      return fieldLists.resolving(
        db,
        (listOf) => new Map(rows.map((row) => [row['binding'] as number, firstAtOf(row, listOf)])),
      );
    },
    days: (db, bindings, fromDay, toDay) =>
      markedDays(db, bindings, rollups.days(bindings, fromDay, toDay)),
    neighbourDay: async (db, binding, day, side) =>
      (await markedDays(db, [binding], rollups.neighbour(binding, day, side)))[0],
    async months(_, bindings, fromMonth, toMonth) {
      const [rows, marked] = await Promise.all([
        rollups.months(bindings, fromMonth, toMonth),
        markedOf(bindings),
      ]);
      return rows.map((row) => withMark(row, marked));
    },
    mark: (added) => marks.put(added, revision()),
    unmark: (removed) => marks.remove(removed, revision()),
    marks: (bindings) => (bindings ? marks.of(bindings) : marks.all()),
    remove: (_, binding, { days = [], months = [] }) =>
      rollups.remove(binding, days, months, revision()),
    async seal(db, sealed) {
      const before = revision();
      // What can be seen is written again, and then removed as it was, together with what has not arrived yet.
      for (const binding of new Set(sealed.map((mark) => mark.binding))) {
        await series.put(db, {
          days: await series.days(db, [binding], 0, LAST_DAY),
          months: await series.months(db, [binding], 0, LAST_MONTH),
        });
        await rollups.removeBefore(binding, before);
      }
      for (const mark of sealed) {
        if (!mark.samples) continue;
        const { seriesId, fromAt, toAt } = mark.samples;
        const stored = await series.range(db, seriesId, fromAt, toAt);
        await series.put(db, { samples: stored.map((sample) => ({ seriesId, sample })) });
        await samples.removeBefore(seriesId, fromAt, toAt, before);
      }
    },
  };
  return series;
}

const withMark = <R extends { readonly binding: number }>(row: R, marked: ReadonlySet<number>): R =>
  marked.has(row.binding) ? { ...row, isMarked: true } : row;
