import type { DeviceFacts, InverterRecord, WarrantyRecord } from '@helioport/contract';
import type { VisibleDevice } from '../plants/device-access.ts';
import { deviceRecord, type DeviceMeasurements } from './device-record.ts';

export function inverterRecord(inverter: DeviceMeasurements): InverterRecord {
  const { device, stretches, today } = inverter;
  const newest = stretches.findLast(({ latest }) => latest)?.latest;
  const peaked = newest?.day === today && newest.peakPowerW !== null;
  return {
    ...deviceRecord(inverter),
    ratedPowerW: device.ratedPowerW,
    peakPowerW: peaked ? newest.peakPowerW : undefined,
    peakPowerAt: peaked ? newest.peakPowerAt : undefined,
  };
}

/** As far as somebody entered when the warranty begins and ends. */
export function warrantyRecord({ id, sn, facts }: VisibleDevice, now: number): WarrantyRecord {
  const { warrantyFromAt, warrantyUntilAt } = JSON.parse(facts) as DeviceFacts;
  const known = typeof warrantyUntilAt === 'number';
  return { id, sn, fromAt: warrantyFromAt, untilAt: warrantyUntilAt, state: !known ? 'unknown' : now < warrantyUntilAt ? 'inWarranty' : 'over' };
}
