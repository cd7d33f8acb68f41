import { expect } from 'vitest';
import type { IngestAnswer } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { unbindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import { setTariff } from '../../packages/server/src/fleet/plants/tariffs/prices.ts';
import { requestRecalculation } from '../../packages/server/src/fleet/plants/tariffs/recalculation.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import type { createReportingWorld, Installation } from '../telemetry/installation.ts';
import { energyFromCounter, energyFromPower, localDate } from '../telemetry/naive-model.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export type Reading = { readonly at: number; readonly values: Record<string, number> };

export const NOW = Date.parse('2026-08-01T00:00:00Z');

/** A device with readings, as a story leaves it. */
export interface Chapter {
  readonly device: Installation;
  readonly timeZone: string;
  /** What was reported and must be stored, by instant. */
  readonly known: Map<number, Record<string, number>>;
}

/** Sends readings until they are accepted, or asks for work until it is done: no matter who does it, over what may fail. */
export interface Hands {
  report(to: Installation, readings: readonly Reading[]): Promise<IngestAnswer>;
  recalculate(): Promise<unknown>;
}

/** What happens to a device; `begin` is not made to fail, `act` is and is then repeated, as a collector or a worker repeats it. */
export interface Story {
  readonly timeZone?: string;
  readonly corrected?: string;
  begin(chapter: Chapter, hands: Hands): Promise<void>;
  act(chapter: Chapter, hands: Hands): Promise<void>;
}

/** What can happen to a device, and what must then be stored, whatever failed on the way. */
export function createStories(
  world: ReturnType<typeof createReportingWorld>,
  database: () => { db: Db },
) {
  const { clock } = world;
  const start = Date.parse('2026-05-30T00:00:00Z');

  /** A kilowatt by the power, 1.2 kW by a counter that the sun does not govern. */
  const reading = (at: number): Reading => ({
    at,
    values: { acPowerW: 1000, loadTotalKwh: 500 + Math.round(((at - start) / HOUR) * 12) / 10 },
  });
  const hourly = (fromAt: number, toAt: number): Reading[] =>
    Array.from({ length: Math.round((toAt - fromAt) / HOUR) }, (_, i) =>
      reading(fromAt + i * HOUR),
    );

  const learn = ({ known }: Chapter, readings: readonly Reading[]): void => {
    for (const { at, values } of readings) known.set(at, { ...known.get(at), ...values });
  };
  const send = async (
    chapter: Chapter,
    hands: Hands,
    readings: readonly Reading[],
  ): Promise<void> => {
    learn(chapter, readings);
    const answer = await hands.report(chapter.device, readings);
    expect(answer.refused).toEqual([]);
    expect(answer.accepted + answer.duplicate).toBe(readings.length);
  };

  const stories: Record<string, Story> = {
    append: {
      begin: (chapter, hands) => send(chapter, hands, hourly(start, start + 3 * HOUR)),
      act: (chapter, hands) => send(chapter, hands, hourly(start + 3 * HOUR, start + 5 * HOUR)),
    },
    'the very first report': {
      begin: async () => {},
      act: (chapter, hands) => send(chapter, hands, hourly(start + 22 * HOUR, start + 26 * HOUR)),
    },
    'midnight, at the end of a month': {
      begin: (chapter, hands) => send(chapter, hands, hourly(start, start + DAY + 22 * HOUR)),
      act: (chapter, hands) =>
        send(chapter, hands, hourly(start + DAY + 23 * HOUR, start + 2 * DAY + HOUR)),
    },
    'days without readings': {
      begin: (chapter, hands) => send(chapter, hands, hourly(start, start + 12 * HOUR)),
      act: (chapter, hands) =>
        send(chapter, hands, hourly(start + 4 * DAY, start + 4 * DAY + HOUR)),
    },
    'late readings': {
      begin: (chapter, hands) =>
        send(chapter, hands, [
          ...hourly(start, start + 10 * HOUR),
          ...hourly(start + 3 * DAY, start + 3 * DAY + 2 * HOUR),
        ]),
      act: (chapter, hands) =>
        send(chapter, hands, hourly(start + DAY + 10 * HOUR, start + DAY + 12 * HOUR)),
    },
    'readings of before everything': {
      timeZone: 'Asia/Kathmandu',
      begin: (chapter, hands) =>
        send(chapter, hands, hourly(start + 2 * DAY, start + 3 * DAY + HOUR)),
      act: (chapter, hands) => send(chapter, hands, hourly(start + 22 * HOUR, start + 25 * HOUR)),
    },
    'a corrected value': {
      begin: (chapter, hands) => send(chapter, hands, hourly(start, start + 2 * DAY)),
      act: (chapter, hands) =>
        send(chapter, hands, [
          { at: start + 12 * HOUR, values: { acPowerW: 4000 } },
          { at: start + 23 * HOUR, values: { acPowerW: 3000, temperatureC: 20 } },
        ]),
    },
    'late readings of several days at once': {
      begin: (chapter, hands) =>
        send(chapter, hands, [
          ...hourly(start, start + 2 * HOUR),
          ...hourly(start + 6 * DAY, start + 6 * DAY + HOUR),
        ]),
      act: (chapter, hands) =>
        send(chapter, hands, [
          ...hourly(start + DAY, start + DAY + HOUR),
          ...hourly(start + 5 * DAY, start + 5 * DAY + HOUR),
        ]),
    },
    'a device that was taken away': {
      async begin(chapter, hands) {
        await send(chapter, hands, hourly(start, start + 30 * HOUR));
        clock.at = start + 31 * HOUR;
        await world.write((trx) =>
          unbindDevice(trx, world.act(), chapter.device.deviceId, chapter.device.plantId),
        );
        // Its last day is asked for anew.
        await hands.recalculate();
      },
      act: (chapter, hands) => send(chapter, hands, hourly(start + 28 * HOUR, start + 31 * HOUR)),
    },
    'a price that changed': {
      async begin(chapter, hands) {
        await send(chapter, hands, hourly(start, start + 3 * DAY));
        await world.write((trx) =>
          setTariff(trx, world.act(), chapter.device.plantId, 'production', {
            fromAt: start + DAY,
            pricePerKwh: 0.25,
          }),
        );
      },
      act: async (_, hands) => void (await hands.recalculate()),
    },
    'a zone put right for the past': {
      timeZone: 'Pacific/Kiritimati',
      corrected: 'Pacific/Honolulu',
      async begin(chapter, hands) {
        await send(chapter, hands, [
          ...hourly(start + 8 * HOUR, start + 12 * HOUR),
          ...hourly(start + DAY + 9 * HOUR, start + DAY + 11 * HOUR),
        ]);
        const { plantId } = chapter.device;
        const { db } = database();
        for (const table of ['plantZone', 'plant'] as const)
          await db
            .updateTable(table)
            .set({ timeZone: 'Pacific/Honolulu' })
            .where(table === 'plant' ? 'id' : 'plantId', '=', plantId)
            .execute();
        await world.write((trx) => requestRecalculation(trx, plantId, 0, clock.at));
      },
      act: async (_, hands) => void (await hands.recalculate()),
    },
  };

  /** A reader meanwhile sees months and totals that are the sums of their days. */
  async function expectConsistent({ device: { binding } }: Chapter): Promise<void> {
    const { telemetry } = world.parts();
    const { db } = database();
    const latest = (await telemetry.latestOf(db, [binding])).get(binding);
    const days = await telemetry.daysOf(db, [binding], 0, 99_999_999);
    const months = await telemetry.monthsOf(db, [binding], 0, 999_999);
    const kwh = (
      rows: readonly {
        energies: { readonly [channel: string]: { energyKwh: number } | undefined };
      }[],
      channel: string,
    ): number => rows.reduce((sum, { energies }) => sum + (energies[channel]?.energyKwh ?? 0), 0);
    expect(kwh(months, 'production')).toBeCloseTo(kwh(days, 'production'), 5);
    expect(kwh(months, 'load')).toBeCloseTo(kwh(days, 'load'), 5);
    expect(latest?.energiesToDate(latest.day).production?.totalKwh ?? 0).toBeCloseTo(
      kwh(days, 'production'),
      5,
    );
  }

  async function expectRight(chapter: Chapter): Promise<void> {
    const { device, known, timeZone } = chapter;
    const { telemetry, series } = world.parts();
    const { db } = database();
    const stored = await telemetry.readingsBetween(db, device.series, 0, Infinity);
    expect(stored).toEqual(
      [...known].toSorted(([a], [b]) => a - b).map(([at, values]) => ({ at, values })),
    );
    const days = await telemetry.daysOf(db, [device.binding], 0, 99_999_999);
    const read = days.filter(({ samples }) => samples > 0);
    const counts = new Map<number, number>();
    for (const { at } of stored)
      counts.set(localDate(timeZone, at), (counts.get(localDate(timeZone, at)) ?? 0) + 1);
    expect(read.map(({ day, samples }) => [day, samples])).toEqual([...counts]);
    const produced = energyFromPower(known, 'acPowerW', 1, timeZone);
    const consumed = energyFromCounter(known, 'loadTotalKwh', timeZone);
    for (const { day, energies } of days) {
      expect(energies.production?.energyKwh ?? 0).toBeCloseTo(produced.get(day) ?? 0, 5);
      expect(energies.load?.energyKwh ?? 0).toBeCloseTo(consumed.get(day)?.kwh ?? 0, 5);
    }
    await expectConsistent(chapter);
    expect(await series.marks([device.binding])).toEqual([]);
    expect(await world.rollups(device.binding)).toEqual(await world.recalculated(device.binding));
  }

  return {
    stories,
    start,
    hourly,
    /** A story's device, before anything has happened. */
    async tell({ timeZone = 'UTC', corrected = timeZone }: Story): Promise<Chapter> {
      clock.at = NOW;
      return { device: await world.install({ timeZone }), timeZone: corrected, known: new Map() };
    },
    expectConsistent,
    expectRight,
  };
}
