import { DAY_MS } from '@helioport/contract/durations';
import type { FieldListSource } from '../../energy/codec/day-codec.ts';
import type { DaySample } from '../../energy/day-state.ts';
import { packSample, unpackSample } from '../packed-sample.ts';
import type { SampleRow } from '../port.ts';
import { eachOf } from '../../../platform/kernel/each-of.ts';
import type { Cluster, Row, Statement } from './cluster.ts';

/** Above this many days, it is looked up which ones have samples. */
const BUCKETS_UNSEEN = 40;
/** Days of a device, and devices, that are read at once. */
const BUCKETS_AT_ONCE = 16;
const DEVICES_AT_ONCE = 64;
const NUMBER_BYTES = 2;

interface StoredSample {
  readonly at: number;
  readonly state: Buffer;
}

/** The samples of a cluster. */
export interface CassandraSampleTable {
  puts(rows: readonly SampleRow[], timestamp: number): Statement[];
  /** Says that rows have been written, and their days listed. */
  listed(rows: readonly SampleRow[]): void;
  range(seriesId: number, fromAt: number, toAt: number, limit?: number): Promise<StoredSample[]>;
  ranges(
    seriesIds: readonly number[],
    fromAt: number,
    toAt: number,
  ): Promise<Map<number, StoredSample[]>>;
  /** Removes what was written before a timestamp. */
  removeBefore(seriesId: number, fromAt: number, toAt: number, timestamp: number): Promise<void>;
}

export function createSampleTable(cluster: Cluster): CassandraSampleTable {
  const { keyspace } = cluster.address;
  const insert = `insert into ${keyspace}.sample (series, bucket, ms, state) values (?, ?, ?, ?) using timestamp ?`;
  const insertBucket = `insert into ${keyspace}.sample_bucket (series, bucket) values (?, ?) using timestamp ?`;
  const select = `select ms, state from ${keyspace}.sample where series = ? and bucket = ? and ms >= ? and ms < ?`;
  const selectBuckets = `select bucket from ${keyspace}.sample_bucket where series = ? and bucket >= ? and bucket <= ?`;
  const remove = `delete from ${keyspace}.sample using timestamp ? where series = ? and bucket = ? and ms >= ? and ms < ?`;
  /** The newest bucket of each device that is known to be listed. */
  const newestListed = new Map<number, number>();

  /** The days of samples that may not be listed yet. */
  function unlisted(rows: readonly SampleRow[], timestamp: number): Statement[] {
    const days = new Map<string, Statement>();
    for (const { seriesId, sample } of rows) {
      const bucket = bucketOf(sample.at);
      if (newestListed.get(seriesId) !== bucket)
        days.set(`${seriesId} ${bucket}`, {
          query: insertBucket,
          params: [seriesId, bucket, timestamp],
        });
    }
    return [...days.values()];
  }

  async function bucketsIn(seriesId: number, first: number, last: number): Promise<number[]> {
    if (last - first < BUCKETS_UNSEEN)
      return Array.from({ length: last - first + 1 }, (_, i) => first + i);
    return (await cluster.read(selectBuckets, [seriesId, first, last])).map(
      (row) => row['bucket'] as number,
    );
  }

  async function range(
    seriesId: number,
    fromAt: number,
    toAt: number,
    limit = Infinity,
  ): Promise<StoredSample[]> {
    if (toAt <= fromAt) return [];
    const last = Math.min(bucketOf(toAt - 1), LAST_BUCKET);
    const buckets = await bucketsIn(seriesId, Math.max(bucketOf(fromAt), 0), last);
    const found: StoredSample[] = [];
    // With a limit, usually the first days are enough.
    const atOnce = limit < Infinity ? 1 : BUCKETS_AT_ONCE;
    for (let next = 0; next < buckets.length && found.length < limit; next += atOnce) {
      const some = buckets.slice(next, next + atOnce);
      const parts: StoredSample[][] = some.map(() => []);
      await eachOf(some, atOnce, async (bucket, i) => {
        const startAt = bucket * DAY_MS;
        const asked = [
          seriesId,
          bucket,
          Math.max(fromAt - startAt, 0),
          Math.min(toAt - startAt, DAY_MS),
        ];
        const rows =
          limit < Infinity
            ? await cluster.readSome(`${select} limit ?`, asked, limit - found.length)
            : await cluster.read(select, asked);
        parts[i] = rows.map((row: Row) => ({
          at: startAt + (row['ms'] as number),
          state: row['state'] as Buffer,
        }));
      });
      for (const part of parts) for (const sample of part) found.push(sample);
    }
    return found;
  }

  return {
    puts: (rows, timestamp) => [
      ...unlisted(rows, timestamp),
      ...rows.map(({ seriesId, sample }) => {
        const bucket = bucketOf(sample.at);
        return {
          query: insert,
          params: [seriesId, bucket, sample.at - bucket * DAY_MS, encodeSample(sample), timestamp],
        };
      }),
    ],
    listed(rows) {
      for (const { seriesId, sample } of rows)
        newestListed.set(seriesId, Math.max(bucketOf(sample.at), newestListed.get(seriesId) ?? 0));
    },
    range,
    async ranges(seriesIds, fromAt, toAt) {
      const found: StoredSample[][] = [];
      await eachOf(seriesIds, DEVICES_AT_ONCE, async (seriesId, i) => {
        found[i] = await range(seriesId, fromAt, toAt);
      });
      return new Map(
        seriesIds.flatMap((seriesId, i) =>
          found[i]!.length > 0 ? [[seriesId, found[i]!] as const] : [],
        ),
      );
    },
    async removeBefore(seriesId, fromAt, toAt, timestamp) {
      const statements: Statement[] = [];
      for (let bucket = bucketOf(fromAt); bucket * DAY_MS < toAt; bucket++) {
        const startAt = bucket * DAY_MS;
        statements.push({
          query: remove,
          params: [
            timestamp,
            seriesId,
            bucket,
            Math.max(fromAt - startAt, 0),
            Math.min(toAt - startAt, DAY_MS),
          ],
        });
      }
      await cluster.write(statements);
    },
  };
}

const bucketOf = (at: number): number => Math.floor(at / DAY_MS);

const LAST_BUCKET = 2 ** 31 - 1;

// Numbers of lists have 15 bits.
const SPARSE = 0x8000;

/** The number of the field list, and whether it is sparse; then the packed values. */
function encodeSample(sample: DaySample): Buffer {
  const { isSparse, bytes: packed } = packSample(sample);
  const bytes = Buffer.allocUnsafe(NUMBER_BYTES + packed.length);
  bytes.writeUInt16LE(sample.fields.id | (isSparse ? SPARSE : 0), 0);
  bytes.set(packed, NUMBER_BYTES);
  return bytes;
}

export function decodeSample({ at, state }: StoredSample, listOf: FieldListSource): DaySample {
  const number = state.readUInt16LE(0);
  const packed = {
    isSparse: (number & SPARSE) !== 0,
    bytes: new Uint8Array(state.subarray(NUMBER_BYTES)),
  };
  return unpackSample(at, number & ~SPARSE, packed, listOf);
}
