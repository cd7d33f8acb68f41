import { appendEntries, type NewEntry, type NewEvent } from '../events/append.ts';
import type { Sample } from '../energy/day-state.ts';
import type { Db, Instant } from '../storage/database.ts';
import type { BoundDevice } from './bound-device.ts';

/** Samples of a device that have just been stored. */
export interface ToldSamples {
  readonly device: Pick<BoundDevice, 'told'>;
  readonly samples: readonly Sample[];
  /** Whether they came late or replace what was stored. */
  readonly amended?: boolean;
}

/** Records samples as events where somebody could want them; does nothing otherwise. The devices are locked. */
export async function tellSamples(trx: Db, all: readonly ToldSamples[], now: Instant): Promise<void> {
  const byPlant = new Map<string, { readonly accountId: string; readonly events: NewEvent[] }>();
  for (const { device, samples, amended = false } of all) {
    const { told } = device;
    if (!told) continue;
    const { deviceId: subject, sn, plantId, ownerId } = told;
    let place = byPlant.get(plantId);
    if (!place) byPlant.set(plantId, (place = { accountId: ownerId, events: [] }));
    for (const sample of samples) place.events.push({ subject, sn, occurredAt: sample.at, data: dataOf(sample, amended) });
  }
  if (byPlant.size === 0) return;
  const entries = Array.from(byPlant, ([plantId, { accountId, events }]): NewEntry => ({ kind: 'telemetry.sample', plantId, accountId, events }));
  await appendEntries(
    trx,
    entries.filter(({ events }) => events.length > 0),
    now,
  );
}

// Written in one pass, since every sample needs it. Names of quantities need no escapes.
function dataOf({ at, fields, values }: Sample, amended: boolean): string {
  let text = '';
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (!Number.isNaN(value)) text += `${text === '' ? '' : ','}"${fields.names[i]!}":${value}`;
  }
  return `{"at":${at},"values":{${text}}${amended ? ',"amended":true' : ''}}`;
}
