import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  createIngest,
  type IngestAnswer,
} from '../../packages/server/src/measurements/ingest/ingest.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { createForwardingScene } from '../forwarding/scene.ts';
import { effort } from '../support/effort.ts';
import { describeSeriesEngines } from '../support/engines.ts';
import { listening } from '../support/listening.ts';
import { settableClock } from '../support/world.ts';
import type { Installation } from '../telemetry/installation.ts';

const MINUTE = 60_000;
const DAY_MINUTES = 1440;
const NOWHERE = 'https://receiver.example/events';

interface Report {
  /** Number of its collector. */
  readonly from: number;
  /** Whether it was sent with a token that has been revoked since. */
  readonly isRevoked: boolean;
  readonly isBacklog: boolean;
  /** `device`: of the first collector 0 and 3, of the second 1, of the third 2; 4 is of nobody. */
  readonly readings: readonly {
    readonly device: number;
    readonly minute: number;
    readonly values: Record<string, number>;
  }[];
}

const values = fc.record(
  { acPowerW: fc.integer({ min: 0, max: 3 }), energyTotalKwh: fc.integer({ min: 0, max: 40 }) },
  { requiredKeys: ['acPowerW'] },
);
const minute = fc.oneof(
  fc.integer({ min: 0, max: 6 }),
  fc.integer({ min: -DAY_MINUTES, max: 2 * DAY_MINUTES }),
);
const beyondReach = fc.constant({ acPowerW: 9e8 });
/** Readings of the collector's own device, mostly. */
const report: fc.Arbitrary<Report> = fc.nat(2).chain((from) =>
  fc.record({
    from: fc.constant(from),
    isRevoked: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    isBacklog: fc.boolean(),
    readings: fc.array(
      fc.record({
        device: fc.oneof(
          { weight: 8, arbitrary: fc.constantFrom(from, from, from === 0 ? 3 : from) },
          { weight: 1, arbitrary: fc.nat(4) },
        ),
        minute,
        values: fc.oneof({ weight: 12, arbitrary: values }, { weight: 1, arbitrary: beyondReach }),
      }),
      { maxLength: 4 },
    ),
  }),
);

/** Reports of one device that go on where the one before ended, as they come from a fleet, or in another order. */
const goingOn = fc
  .record({
    from: fc.nat(2),
    minutes: fc.uniqueArray(fc.integer({ min: 0, max: 2 * DAY_MINUTES }), {
      minLength: 2,
      maxLength: 4,
    }),
    isSorted: fc.boolean(),
    values,
  })
  .map(({ from, minutes, isSorted, values: all }): Report[] =>
    (isSorted ? minutes.toSorted((a, b) => a - b) : minutes).map((at) => ({
      from,
      isRevoked: false,
      isBacklog: false,
      readings: [{ device: from, minute: at, values: all }],
    })),
  );
const reports = fc
  .array(
    fc.oneof(
      report.map((one) => [one]),
      goingOn,
    ),
    { minLength: 2, maxLength: 10 },
  )
  .map((lists) => lists.flat());

describeSeriesEngines('reports that arrive together', (database, seriesOf, engine) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const scene = createForwardingScene(database, clock, seriesOf);
  const engineSeries = () => seriesOf(database().db);
  const start = clock.at - 1_300 * DAY_MINUTES * MINUTE;

  /** Three collectors in plants of their own, the first one with a second device; somebody wants to know of all that they report. */
  async function fleet() {
    const plants: Installation[] = [];
    for (const timeZone of ['Europe/Berlin', 'UTC', 'Asia/Kathmandu']) {
      const { device } = await scene.connected(NOWHERE);
      await database()
        .db.updateTable('plant')
        .set({ timeZone })
        .where('id', '=', device.plantId)
        .execute();
      plants.push(device);
    }
    const second = await scene.beside(plants[0]!);
    const found = await database()
      .db.selectFrom('device')
      .innerJoin('binding', 'binding.deviceId', 'device.id')
      .select(['series', 'no'])
      .where('device.id', '=', second.id)
      .executeTakeFirstOrThrow();
    const devices = [
      ...plants,
      {
        ...plants[0]!,
        deviceId: second.id,
        sn: second.sn,
        series: found.series,
        binding: found.no,
      },
    ];
    return { plants, devices };
  }
  type Fleet = Awaited<ReturnType<typeof fleet>>;

  const beginner =
    (
      { plants, devices }: Fleet,
      ingest = createIngest({ db: database().db, clock, series: engineSeries() }),
    ) =>
    async (
      { from, isRevoked, isBacklog, readings }: Report,
      at = start,
    ): Promise<() => Promise<IngestAnswer>> => {
      const intake = ingest.begin();
      await intake.add(
        readings.map((reading) => ({
          sn: devices[reading.device]?.sn ?? 'NOBODYS',
          at: at + reading.minute * MINUTE,
          values: reading.values,
        })),
      );
      const { collectorId, tokenId } = plants[from]!;
      return () =>
        intake.store(
          { collectorId, tokenId: isRevoked ? 'gone' : tokenId },
          { isBacklog, ownerId: 'somebody' },
        );
    };

  /** Everything that reports leave behind, without what differs between two fleets. */
  async function left({ plants, devices }: Fleet) {
    const { db } = database();
    const events = await scene.logged();
    return Promise.all([
      ...devices.map(async ({ binding, series, deviceId }) => ({
        rollups: await scene.rollups(binding),
        samples: (await engineSeries().range(db, series, 0, Infinity)).map(
          ({ at, fields, values: stored }) => [at, fields.names, stored],
        ),
        state: await db
          .selectFrom('device')
          .select(['state', 'stateSince', 'checkAt', 'reportedAt'])
          .where('id', '=', deviceId)
          .executeTakeFirstOrThrow(),
        events: events
          .filter(({ subject }) => subject === deviceId)
          .map(({ kind, sequence, previousAt, occurredAt, data }) => ({
            kind,
            sequence,
            previousAt,
            occurredAt,
            data,
          }))
          .toSorted((a, b) => a.kind.localeCompare(b.kind) || a.sequence - b.sequence),
      })),
      ...plants.map(async ({ collectorId }) =>
        (
          await db
            .selectFrom('collectorRefusal')
            .select(['sn', 'reason', 'count'])
            .where('collectorId', '=', collectorId)
            .execute()
        )
          .map(
            ({ sn, reason, count }) =>
              `${devices.findIndex((device) => device.sn === sn)} ${reason} ${count}`,
          )
          .toSorted((a, b) => a.localeCompare(b)),
      ),
    ]);
  }

  const outcomeOf = (outcome: PromiseSettledResult<IngestAnswer>): unknown =>
    outcome.status === 'fulfilled' ? outcome.value : (outcome.reason as { code?: string }).code;

  test(
    'leave behind what they would leave one after the other, and are answered the same',
    { timeout: 300_000 },
    async () => {
      const [together, apart] = [await fleet(), await fleet()];
      const [begin, beginApart] = [beginner(together), beginner(apart)];
      let run = 0;
      await fc.assert(
        fc.asyncProperty(reports, async (all) => {
          // Each run goes on behind the last one; its late readings reach into days of both.
          const at = start + run++ * 3 * DAY_MINUTES * MINUTE;
          const begun = await Promise.all(all.map((one) => begin(one, at)));
          const outcomes = await Promise.allSettled(begun.map((store) => store()));
          const expected: unknown[] = [];
          for (const one of all)
            expected.push(
              outcomeOf((await Promise.allSettled([(await beginApart(one, at))()]))[0]),
            );
          expect(outcomes.map(outcomeOf)).toEqual(expected);
          expect(await left(together)).toEqual(await left(apart));
          clock.at += MINUTE;
        }),
        { numRuns: effort(engine.startsWith('Cassandra') ? 4 : 8, 400), endOnFailure: true },
      );
    },
  );

  const simple = (from: number, at: number): Report => ({
    from,
    isRevoked: false,
    isBacklog: false,
    readings: [{ device: from, minute: at, values: { acPowerW: at } }],
  });

  test('are stored in one transaction, and a fault in one of them touches no other', async () => {
    if (!engineSeries().sharesTransaction) return;
    const made = await fleet();
    const { db, texts } = listening(database().db, { transactions: true });
    const begin = beginner(made, createIngest({ db, clock, series: createSqlSeries(db) }));
    const store = async (at: number) => {
      const begun = await Promise.all([0, 1, 2].map((from) => begin(simple(from, at))));
      texts.length = 0;
      return (await Promise.allSettled(begun.map((one) => one()))).map(outcomeOf);
    };
    const written = { accepted: 1, duplicate: 0, refused: [] };
    // Field lists are created first.
    await store(0);
    expect(await store(1)).toEqual([written, written, written]);
    expect(
      texts.filter((text) => text.includes(`from "device" inner join "binding"`)),
    ).toHaveLength(1);
    const poison = made.devices[1]!.series;
    if (engine === 'SQLite') {
      await sql`create trigger poison before insert on sample when new.series = ${sql.lit(poison)} begin select raise(abort, 'own fault'); end`.execute(
        db,
      );
    } else {
      await sql`create function poison() returns trigger language plpgsql as 'begin if new.series = ${sql.raw(String(poison))} then raise exception ''own fault''; end if; return new; end'`.execute(
        db,
      );
      await sql`create trigger poison before insert on sample for each row execute function poison()`.execute(
        db,
      );
    }
    try {
      expect(await store(2)).toEqual([written, expect.anything(), written]);
      const samples = await db
        .selectFrom('sample')
        .select('series')
        .where('at', '=', start + 2 * MINUTE)
        .where(
          'series',
          'in',
          made.devices.map((device) => device.series),
        )
        .execute();
      expect(samples.map(({ series }) => series).toSorted((a, b) => a - b)).toEqual([
        made.devices[0]!.series,
        made.devices[2]!.series,
      ]);
    } finally {
      await sql`drop trigger poison ${engine === 'SQLite' ? sql`` : sql`on sample`}`.execute(db);
    }
  });

  test('wait for nobody who holds a device or changes a token, except for the report that needs it', async () => {
    // SQLite's write transactions exclude each other.
    if (!engine.includes('PostgreSQL')) return;
    const made = await fleet();
    const begin = beginner(made);
    const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = scene.write(async (trx) => {
      await sql`select pg_advisory_xact_lock(72051, ${made.devices[0]!.series})`.execute(trx);
      await trx
        .selectFrom('collectorToken')
        .select('id')
        .where('id', '=', made.plants[1]!.tokenId)
        .forUpdate()
        .execute();
      held.resolve();
      await release.promise;
    });
    await held.promise;
    const begun = await Promise.all([
      ...[0, 1, 2].map((from) => begin(simple(from, 1))),
      begin(simple(0, 2)),
    ]);
    const ended: number[] = [];
    const all = begun.map((one, i) => one().then(() => ended.push(i)));
    await all[2];
    expect(ended).toEqual([2]);
    release.resolve();
    await Promise.all([holding, ...all]);
    expect(ended.indexOf(0)).toBeLessThan(ended.indexOf(3));
  });
});
