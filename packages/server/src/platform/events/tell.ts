import type { EventKind } from '@helioport/contract';
import { sql } from 'kysely';
import { anyOf, listParameter } from '../storage/any-of.ts';
import type { Db, DeviceTable, Instant } from '../storage/database.ts';
import { appendEntries, type NewLogEntry, type NewEvent } from './append.ts';
import { isWanted } from './demand.ts';
import { appendInternal, isInternal, type InternalEvent } from './internal.ts';

/** Something that happened to a device in a plant. */
export interface DeviceEvent {
  readonly deviceId: string;
  /** Where the device was when it happened. */
  readonly plantId: string;
  readonly occurredAt: Instant;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Records events of devices, in the transaction that makes them true; the devices are locked. What no destination could want is written only if our own
 * readers hear of its kind.
 */
export async function tellOfDevices(
  trx: Db,
  kind: EventKind,
  events: readonly DeviceEvent[],
  now: Instant,
): Promise<void> {
  if (events.length === 0) return;
  const plantIds = events.map(({ plantId }) => plantId);
  const owners = await wantingOwners(trx, kind, plantIds);
  const deviceIds = owners.size > 0 ? events.map(({ deviceId }) => deviceId) : [];
  const devices = await namesOf(trx, deviceIds);
  const withheld: InternalEvent[] = [];
  const byPlant = new Map<string, NewEvent[]>();
  for (const event of events) {
    const { deviceId, plantId, occurredAt, data } = event;
    const device = devices.get(deviceId);
    // Nothing of an ammeter's own record is forwarded.
    if (!device || device.kind === 'ammeter' || !owners.has(plantId)) {
      withheld.push({ subject: deviceId, plantId, data });
      continue;
    }
    const named = { subject: deviceId, sn: device.sn, occurredAt, data: JSON.stringify(data) };
    const others = byPlant.get(plantId);
    if (others) others.push(named);
    else byPlant.set(plantId, [named]);
  }
  const entries = Array.from(byPlant, ([plantId, its]): NewLogEntry => ({
    kind,
    plantId,
    accountId: owners.get(plantId)!,
    events: its,
  }));
  await appendEntries(trx, entries, now);
  if (isInternal(kind)) await appendInternal(trx, kind, withheld, now);
}

/** Records an event of a whole plant, which is locked. */
export async function tellOfPlant(
  trx: Db,
  kind: EventKind,
  plantId: string,
  data: Readonly<Record<string, unknown>>,
  now: Instant,
): Promise<void> {
  const accountId = (await wantingOwners(trx, kind, [plantId])).get(plantId);
  if (accountId === undefined) return;
  await appendEntries(
    trx,
    [
      {
        kind,
        plantId,
        accountId,
        events: [{ subject: plantId, sn: null, occurredAt: now, data: JSON.stringify(data) }],
      },
    ],
    now,
  );
}

/** The owners of those plants of whose events of a kind somebody could want to know. */
async function wantingOwners(
  trx: Db,
  kind: EventKind,
  plantIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await trx
    .selectFrom('plant')
    .select(['id', 'ownerId'])
    .where(anyOf(trx, 'id', listParameter(trx, [...new Set(plantIds)])))
    .where(isWanted(kind, sql.ref('plant.ownerId')))
    .execute();
  return new Map(rows.map(({ id, ownerId }) => [id, ownerId]));
}

async function namesOf(
  trx: Db,
  deviceIds: readonly string[],
): Promise<Map<string, { sn: string; kind: DeviceTable['kind'] }>> {
  if (deviceIds.length === 0) return new Map();
  const rows = await trx
    .selectFrom('device')
    .select(['id', 'sn', 'kind'])
    .where(anyOf(trx, 'id', listParameter(trx, [...new Set(deviceIds)])))
    .execute();
  return new Map(rows.map(({ id, ...name }) => [id, name]));
}
