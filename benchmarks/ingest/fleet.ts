import { createIdSource } from '../../packages/server/src/platform/kernel/ids.ts';
import { insertAccount } from '../../packages/server/src/identity/accounts/accounts.ts';
import { insertDevice } from '../../packages/server/src/fleet/devices/devices.ts';
import { bindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import { insertPlant } from '../../packages/server/src/fleet/plants/plants.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { inStoredOrder } from '../../packages/server/src/measurements/energy/field-list.ts';
import type { QuantityName } from '../../packages/contract/src/index.ts';
import type { IngestReading } from '../../packages/server/src/measurements/ingest/readings/reading.ts';
import { barePlant } from '../../test/support/world.ts';

/** The interval of samples, each with the twelve values of an inverter with two strings. */
export const INTERVAL_MS = 300_000;
export const FIRST_AT = Date.parse('2026-06-01T00:00:00Z');

/** A clock at which all readings are in the past. */
export const clock = { now: (): number => Date.parse('2026-12-31T00:00:00Z') };

/** Creates inverters in plants of ten; resolves to their serial numbers. Series numbers count from 1 in this order. */
export async function makeFleet(db: Db, size: number): Promise<string[]> {
  const newId = createIdSource(clock);
  const act = { at: clock.now(), actor: 'operator' as const, address: null, newId };
  const sns = Array.from({ length: size }, (_, i) => `BENCH-${String(i).padStart(6, '0')}`);
  await db.transaction().execute(async (trx) => {
    const owner = await insertAccount(trx, act, {
      email: 'owner@example.com',
      role: 'owner',
      timeZone: 'UTC',
      passwordHash: '',
      legacyHash: null,
    });
    let plantId = '';
    for (const [i, sn] of sns.entries()) {
      if (i % 10 === 0)
        plantId = await insertPlant(trx, act, { ...plant, ownerId: owner.id, name: `Plant ${i}` });
      await bindDevice(
        trx,
        act,
        await insertDevice(trx, act, { sn, kind: 'inverter', ratedPowerW: 10_000 }),
        plantId,
      );
    }
  });
  return sns;
}

const plant = { ...barePlant, capacityKwp: 100, timeZone: 'Europe/Berlin' };

/** The reading of a device at the n-th interval, as JSON. */
export function readingText(sn: string, n: number): string {
  const at = FIRST_AT + n * INTERVAL_MS;
  const power = Math.max(0, Math.sin(((n % 288) / 288) * 2 * Math.PI - Math.PI / 2)) * 9000;
  const watts = Math.round(power * 10) / 10;
  const values = {
    acPowerW: watts,
    dcPowerW: Math.round(power * 10.3) / 10,
    gridFrequencyHz: 50 + (n % 7) / 100,
    energyTodayKwh: Math.round((n % 288) * 2) / 10,
    energyTotalKwh: Math.round(8000 + n * 2) / 10,
    temperatureC: 20 + (n % 30) / 2,
    dcVoltage1V: 380 + (n % 11) / 10,
    dcVoltage2V: 382 + (n % 13) / 10,
    dcCurrent1A: Math.round(power / 7.6) / 100,
    dcCurrent2A: Math.round(power / 7.5) / 100,
    acVoltage1V: 230 + (n % 17) / 10,
    acCurrent1A: Math.round(power / 2.3) / 100,
  };
  return JSON.stringify({ sn, at, values });
}

/** The same samples as rows of the table: what a hand-written program would store. */
export function bareRow(series: number, reading: IngestReading): [number, number, number, Buffer] {
  const names = inStoredOrder(Object.keys(reading.values) as QuantityName[]);
  return [
    series,
    reading.at,
    1,
    Buffer.from(Float64Array.from(names, (name) => reading.values[name]!).buffer),
  ];
}
