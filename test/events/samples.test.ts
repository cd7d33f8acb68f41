import { sql } from 'kysely';
import { eventKinds } from '@helioport/contract';
import { expect, test } from 'vitest';
import { appendEntries } from '../../packages/server/src/platform/events/append.ts';
import { appendSamples } from '../../packages/server/src/platform/events/append-samples.ts';
import { headPosition } from '../../packages/server/src/platform/events/position.ts';
import { readEntries, type LoggedEvent } from '../../packages/server/src/platform/events/read.ts';
import type { NewSamples } from '../../packages/server/src/platform/events/samples.ts';
import { describeEngines } from '../support/engines.ts';
import { createForwardingScene } from '../forwarding/scene.ts';

const power = { names: ['acPowerW', 'energyTotalKwh'] };
const warmth = { names: ['temperatureC'] };

const device = (
  subject: string,
  samples: readonly [at: number, fields: { names: readonly string[] }, values: number[]][],
  amended = false,
): NewSamples => ({
  subject,
  seriesId: Number(subject),
  sn: `SN-${subject}`,
  samples: samples.map(([at, fields, values]) => ({
    at,
    fields,
    values: Float64Array.from(values),
  })),
  amended,
});

describeEngines('samples in the event log', (database) => {
  const scene = createForwardingScene(database);
  const { clock } = scene;
  const append = (...plants: { plantId: string; accountId?: string; devices: NewSamples[] }[]) =>
    scene.write((trx) =>
      appendSamples(
        trx,
        plants.map((plant) => ({ accountId: '7', ...plant })),
        clock.at,
      ),
    );
  const appended = async (write: () => Promise<void>) => {
    const from = await headPosition(database().db);
    await write();
    await scene.settled();
    return readEntries(database().db, from, 100);
  };
  const numbered = ({ subject, sequence, data }: LoggedEvent) => [
    subject,
    sequence,
    JSON.parse(data()),
  ];

  test('keep their devices, quantities and numbers, whatever is mixed in a report', async () => {
    const [entry, ...others] = await appended(() =>
      append({
        plantId: '1',
        devices: [
          device('11', [
            [1, power, [1234.5, 0.1]],
            [2, warmth, [-0.5]],
            [3, power, [Number.NaN, 812.25]],
          ]),
          device('12', [[1, power, [5e-324, 1.7976931348623157e308]]], true),
          device('13', []),
        ],
      }),
    );
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      kind: 'telemetry.sample',
      accountId: '7',
      plantId: '1',
      applicationId: null,
      recordedAt: clock.at,
    });
    expect(entry!.events.map(numbered)).toEqual([
      ['11', 1, { at: 1, values: { acPowerW: 1234.5, energyTotalKwh: 0.1 } }],
      ['11', 2, { at: 2, values: { temperatureC: -0.5 } }],
      ['11', 3, { at: 3, values: { energyTotalKwh: 812.25 } }],
      [
        '12',
        1,
        {
          at: 1,
          values: { acPowerW: 5e-324, energyTotalKwh: 1.7976931348623157e308 },
          amended: true,
        },
      ],
    ]);
    expect(entry!.events.map(({ sn, occurredAt }) => [sn, occurredAt])).toEqual([
      ['SN-11', 1],
      ['SN-11', 2],
      ['SN-11', 3],
      ['SN-12', 1],
    ]);
  });

  test.each([
    [36, [0.001, -0.5, 1234.567, Number.NaN, 2_147_483.647, -2_147_483.647, 0]],
    [64, [0.0001, -0.5, 1234.567, Number.NaN, 2_147_483.647, -2_147_483.647, 0]],
    [64, [0.001, -0.5, 1234.567, Number.NaN, 2_147_483.648, 1, 0]],
    [64, [0.001, -0.5, 1234.567, Number.NaN, -2_147_483.648, 1, 0]],
  ])('keep each value as it is, in %i bytes', async (bytes, values) => {
    const names = values.map((_, i) => `quantity${i}`);
    const [entry] = await appended(() =>
      append({ plantId: '1', devices: [device('13', [[1_793_963_100_123, { names }, values]])] }),
    );
    expect(JSON.parse(entry!.events[0]!.data())).toEqual({
      at: 1_793_963_100_123,
      values: Object.fromEntries(
        values.flatMap((value, i) => (Number.isNaN(value) ? [] : [[names[i], value]])),
      ),
    });
    const { samples } = await database()
      .db.selectFrom('event')
      .select('samples')
      .where('no', '=', entry!.no)
      .executeTakeFirstOrThrow();
    expect(samples).toHaveLength(bytes);
  });

  test('say when the one before was recorded, and that there is none where it belonged to another plant or owner', async () => {
    const one = (at: number) => device('21', [[at, warmth, [at]]]);
    const first = clock.at;
    const before = await appended(() => append({ plantId: '1', devices: [one(1), one(2)] }));
    clock.at += 1_000;
    const after = await appended(() =>
      append(
        { plantId: '1', devices: [one(3)] },
        { plantId: '2', devices: [one(4)] },
        { plantId: '2', devices: [one(5)] },
      ),
    );
    const sold = await appended(() => append({ plantId: '2', accountId: '8', devices: [one(6)] }));
    expect(
      [...before, ...after, ...sold].flatMap(({ plantId, events }) =>
        events.map(({ sequence, previousAt, data }) => [
          plantId,
          sequence,
          previousAt,
          JSON.parse(data()).at,
        ]),
      ),
    ).toEqual([
      ['1', 1, 0, 1],
      ['1', 2, first, 2],
      ['1', 3, first, 3],
      ['2', 4, 0, 4],
      ['2', 5, clock.at, 5],
      ['2', 6, 0, 6],
    ]);
  });

  test('are divided among entries of at most 200, and are numbered on', async () => {
    const many = (subject: string, count: number) =>
      device(
        subject,
        Array.from({ length: count }, (_, i) => [
          i,
          i < 210 ? power : warmth,
          i < 210 ? [i, i] : [i],
        ]),
      );
    const entries = await appended(() =>
      append({ plantId: '1', devices: [many('31', 450), many('32', 60)] }),
    );
    expect(entries.map(({ events }) => events.length)).toEqual([200, 200, 110]);
    const events = entries.flatMap((entry) => entry.events);
    for (const [subject, count] of [
      ['31', 450],
      ['32', 60],
    ] as const) {
      const its = events.filter((event) => event.subject === subject);
      expect(its.map(({ sequence, occurredAt }) => [sequence, occurredAt])).toEqual(
        Array.from({ length: count }, (_, i) => [i + 1, i]),
      );
      expect(its.map(({ previousAt }) => previousAt)).toEqual([
        0,
        ...Array(count - 1).fill(clock.at),
      ]);
    }
    expect(new Set(events.map(({ id }) => id)).size).toBe(510);
    expect(JSON.parse(events[449]!.data())).toEqual({ at: 449, values: { temperatureC: 449 } });
  });

  test('of many plants are stored together, each plant by itself', async () => {
    const plants = Array.from({ length: 23 }, (_, i) => ({
      plantId: `${4000 + i}`,
      devices: [device(`${5000 + i}`, [[i, warmth, [i]]])],
    }));
    const entries = await appended(() => append(...plants));
    expect(entries.map(({ plantId, events }) => [plantId, events.map(numbered)])).toEqual(
      plants.map(({ plantId }, i) => [
        plantId,
        [[`${5000 + i}`, 1, { at: i, values: { temperatureC: i } }]],
      ]),
    );
  });

  test('take their numbers back when the transaction is rolled back', async () => {
    const one = () => ({ plantId: '1', devices: [device('61', [[1, warmth, [1]]])] });
    await append(one());
    await scene
      .write(async (trx) => {
        await appendSamples(trx, [{ ...one(), accountId: '7' }], clock.at);
        throw new Error('rolled back');
      })
      .catch(() => {});
    const [entry] = await appended(() => append(one()));
    expect(entry!.events.map(({ sequence }) => sequence)).toEqual([2]);
  });

  test('of neighbours are numbered without gaps by transactions that run at once', async () => {
    const writers = Array.from({ length: 8 }, (_, i) => [800 + i, 816 + i]);
    const entries = await appended(async () => {
      await Promise.all(
        writers.map(async ([one, other], i) => {
          for (let n = 0; n < 5; n++) {
            const devices = [
              device(`${one}`, [[n, warmth, [n]]]),
              device(`${other}`, [[n, warmth, [n]]]),
            ];
            await append({
              plantId: `${i}`,
              devices: i % 2 === 0 ? devices : devices.toReversed(),
            });
          }
        }),
      );
    });
    const events = entries.flatMap((entry) => entry.events);
    for (const subject of writers.flat().map(String)) {
      expect(
        events.filter((event) => event.subject === subject).map(({ sequence }) => sequence),
      ).toEqual([1, 2, 3, 4, 5]);
    }
  });

  test('of the first two neighbours that report at once are both numbered on', async () => {
    const { db, engine } = database();
    const entry = (subject: string) => ({
      plantId: '1',
      accountId: '7',
      devices: [device(subject, [[1, warmth, [1]]])],
    });
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const first = scene.write(async (trx) => {
      await appendSamples(trx, [entry('901')], clock.at);
      begun.resolve();
      await gate.promise;
    });
    await begun.promise;
    const second = append(entry('902'));
    // On SQLite, the second transaction begins only when the first has ended.
    if (engine === 'postgres') {
      const waiting = sql<{
        pid: number;
      }>`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(async () => (await waiting.execute(db)).rows.length).toBe(1);
    }
    gate.resolve();
    await Promise.all([first, second]);
    const [again] = await appended(() =>
      append({ plantId: '1', devices: [...entry('901').devices, ...entry('902').devices] }),
    );
    expect(again!.events.map(({ subject, sequence }) => [subject, sequence])).toEqual([
      ['901', 2],
      ['902', 2],
    ]);
  });

  test('that were stored as JSON, by an earlier version, are read as well', async () => {
    const data = { at: 9, values: { temperatureC: 3 } };
    const events = [{ subject: '71', sn: 'SN-71', occurredAt: 9, data: JSON.stringify(data) }];
    const [entry] = await appended(() =>
      scene.write(async (trx) => {
        await appendEntries(
          trx,
          [{ kind: 'device.state', accountId: '7', plantId: '1', events }],
          clock.at,
        );
        const kind = eventKinds['telemetry.sample'].bit;
        await trx
          .updateTable('event')
          .set({ kind })
          .where('plantId', '=', '1')
          .where('kind', '=', eventKinds['device.state'].bit)
          .execute();
      }),
    );
    expect(entry!.events.map(numbered)).toEqual([['71', 1, data]]);
  });
});
