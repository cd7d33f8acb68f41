import { appendSamples, type NewSampleEntry } from '../../../platform/events/append-samples.ts';
import type { NewSamples } from '../../../platform/events/samples.ts';
import type { DaySample } from '../../energy/day-state.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import type { BoundDevice } from '../../bindings/bound-device.ts';

/** Samples of a device that have just been stored. */
export interface SampleEvents {
  readonly device: Pick<BoundDevice, 'seriesId' | 'eventSubject'>;
  readonly samples: readonly DaySample[];
  /** Whether they came late or replace what was stored. */
  readonly amended?: boolean;
}

/** Records samples as events where somebody could want them; does nothing otherwise. The devices are locked. */
export async function appendSampleEvents(
  trx: Db,
  all: readonly SampleEvents[],
  now: Instant,
): Promise<void> {
  const byPlant = new Map<string, NewSampleEntry & { readonly devices: NewSamples[] }>();
  for (const { device, samples, amended = false } of all) {
    if (!device.eventSubject || samples.length === 0) continue;
    const { deviceId: subject, sn, plantId, ownerId: accountId } = device.eventSubject;
    let entry = byPlant.get(plantId);
    if (!entry) byPlant.set(plantId, (entry = { plantId, accountId, devices: [] }));
    entry.devices.push({ subject, seriesId: device.seriesId, sn, samples, amended });
  }
  if (byPlant.size > 0) await appendSamples(trx, [...byPlant.values()], now);
}
