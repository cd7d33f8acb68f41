import { eventKinds, kindsOfBits } from '@helioport/contract';
import { sql } from 'kysely';
import { presenceNames } from '../../../fleet/plants/presence.ts';
import { listOpenAlarms } from '../../alarms/alarm-rows.ts';
import type { Entry, LoggedEvent } from '../../../platform/events/read.ts';
import { lastNumbers } from '../../../platform/events/sequence-blocks.ts';
import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../../platform/storage/prepare.ts';
import type { Telemetry } from '../../../measurements/telemetry/telemetry.ts';
import type { Destination } from '../destinations/destinations.ts';
import { createFilter } from '../dispatcher/filter.ts';
import type { Pending } from '../dispatcher/outgoing.ts';
import { readPermission } from '../dispatcher/permission.ts';

/** What a snapshot is made from. */
export interface SnapshotSource {
  readonly db: Db;
  readonly telemetry: Pick<Telemetry, 'latestOf'>;
  readonly destination: Destination;
  /** Of the snapshot. */
  readonly number: number;
}

/** A plant up to which a snapshot has come; plants are ordered by their owners. */
export interface SnapshotPosition {
  readonly accountId: string;
  readonly plantId: string;
}

/** A part of a snapshot, as events that the log does not have. */
export interface Piece {
  readonly events: readonly Pending[];
  /** Up to where it goes; undefined if nothing comes after it. */
  readonly place: SnapshotPosition | undefined;
}

type SnapshotKind = 'snapshot.plant' | 'snapshot.device' | 'snapshot.complete';

interface PlantRow extends SnapshotPosition {
  authorizationId: string;
  name: string;
  timeZone: string;
  capacityKwp: number;
  latitude: number | null;
  longitude: number | null;
}

const SAMPLE = 'telemetry.sample';

const PLANTS_AT_ONCE = 20;

// Whether the application may have them is another question, which is answered for each attempt.
const plantsFor = (db: Db, applicationId: string) =>
  db
    .selectFrom('oauthGrant as g')
    .innerJoin('plant', 'plant.ownerId', 'g.accountId')
    .select(['g.id as authorizationId', 'g.accountId', 'plant.id as plantId', 'plant.name'])
    .select(['plant.timeZone', 'plant.capacityKwp', 'plant.latitude', 'plant.longitude'])
    .where('g.applicationId', '=', applicationId)
    .where('g.revokedAt', 'is', null)
    .where('plant.archivedAt', 'is', null);

const selectAfter = prepareQuery(
  (db, p: ParameterOf<SnapshotPosition & { applicationId: string; limit: number }>) =>
    plantsFor(db, p('applicationId'))
      .where('g.accountId', '>=', p('accountId'))
      .where(sql<boolean>`(g."accountId", plant.id) > (${p('accountId')}, ${p('plantId')})`)
      .orderBy('g.accountId')
      .orderBy('plant.id')
      .limit(p('limit')),
);

/** The plants after a place, with their devices as they are now. Undefined if the destination is not to be served any more. */
export async function readPiece(
  source: SnapshotSource,
  { accountId, plantId }: SnapshotPosition,
  now: Instant,
): Promise<Piece | undefined> {
  const { db, destination } = source;
  const rows = await selectAfter(db, {
    applicationId: destination.applicationId,
    accountId,
    plantId,
    limit: PLANTS_AT_ONCE,
  });
  const events = await eventsOf(source, rows, now);
  return events && { events, place: rows.length < PLANTS_AT_ONCE ? undefined : rows.at(-1) };
}

/** Some plants and devices once more, as they are now; those that the destination may not have any more are left out. */
export async function readAgain(
  source: SnapshotSource,
  subjects: readonly string[],
  now: Instant,
): Promise<readonly Pending[] | undefined> {
  const { db, destination } = source;
  const given = listParameter(db, subjects);
  const devices = await db
    .selectFrom('device')
    .select('plantId')
    .where(anyOf(db, 'id', given))
    .where('plantId', 'is not', null)
    .execute();
  const plantIds = [...new Set([...subjects, ...devices.map(({ plantId }) => plantId!)])];
  const rows = await plantsFor(db, destination.applicationId)
    .where(anyOf(db, 'plant.id', listParameter(db, plantIds)))
    .execute();
  const events = await eventsOf(source, rows, now);
  return events?.filter(({ event }) => subjects.includes(event.subject));
}

/** The event that ends a snapshot, if the destination takes it. */
export function snapshotEndOf(
  { destination, number }: SnapshotSource,
  counts: { readonly plants: number; readonly devices: number; readonly refused: number },
  now: Instant,
): Pending[] {
  const { id, applicationId } = destination;
  const { entry } = pendingOf(
    'snapshot.complete',
    number,
    { accountId: '', applicationId, plantId: null },
    { subject: id, sn: null, data: counts },
    now,
  );
  return createFilter(destination)([entry]);
}

/** The events of some plants and their devices that the destination has asked for and may have. Undefined if it is not to be served any more. */
async function eventsOf(
  source: SnapshotSource,
  rows: readonly PlantRow[],
  now: Instant,
): Promise<Pending[] | undefined> {
  const { db, destination } = source;
  const plantIds = rows.map(({ plantId }) => plantId);
  const permission = await readPermission(db, destination, plantIds, now);
  if (!permission) return undefined;
  const permitted = rows.filter(
    ({ plantId, accountId }) =>
      permission.sinceOf({ plantId, accountId, applicationId: null, recordedAt: now }) !==
      undefined,
  );
  const devices = await readDevices(source, plantIds, permitted, now);
  const all = permitted.flatMap((row) => {
    const own = devices.byPlant.get(row.plantId) ?? [];
    return [
      plantEvent(source, row, devices.sequences.get(row.plantId) ?? {}, now),
      ...own.map((device) => deviceEvent(source, row, device, devices, now)),
    ];
  });
  // One entry for each event: what the destination has asked for is decided as for the log.
  return createFilter(destination)(all.map(({ entry }) => entry));
}

type Devices = Awaited<ReturnType<typeof readDevices>>;

/** The devices of permitted plants, their latest values and open alarms, and the last number of each sequence. */
async function readDevices(
  { db, telemetry, destination }: SnapshotSource,
  plantIds: readonly string[],
  permitted: readonly PlantRow[],
  now: Instant,
) {
  const given = listParameter(
    db,
    permitted.map(({ plantId }) => plantId),
  );
  const bound = await db
    .selectFrom('device')
    .select(['id', 'series'])
    .where(anyOf(db, 'plantId', given))
    .where('kind', '!=', 'ammeter')
    .execute();
  const deviceIds = bound.map(({ id }) => id);
  // Before all else: so nothing that these numbers count is missing in what is read after them.
  const sequences = await sequencesOf(db, destination, plantIds, bound);
  const devices = await db
    .selectFrom('device')
    .innerJoin('binding', (join) =>
      join.onRef('binding.deviceId', '=', 'device.id').on('binding.toAt', 'is', null),
    )
    .select([
      'device.id',
      'device.sn',
      'device.kind',
      'device.plantId',
      'device.state',
      'device.stateSince',
      'binding.no',
    ])
    .where(anyOf(db, 'device.id', listParameter(db, deviceIds)))
    .orderBy('device.id')
    .execute();
  const bindings = devices.map(({ no }) => no);
  return {
    sequences,
    latest: await telemetry.latestOf(db, bindings, now),
    alarms: Map.groupBy(await listOpenAlarms(db, deviceIds), ({ deviceId }) => deviceId),
    byPlant: Map.groupBy(devices, ({ plantId }) => plantId!),
  };
}

const placeOf = ({ accountId, plantId }: PlantRow) => ({ accountId, applicationId: null, plantId });

function plantEvent(
  { number }: SnapshotSource,
  row: PlantRow,
  sequences: Record<string, number>,
  now: Instant,
): Pending {
  const { accountId: account, plantId, authorizationId, name, timeZone } = row;
  const { capacityKwp, latitude, longitude } = row;
  const place = { timeZone, capacityKwp, latitude, longitude };
  const data = { authorizationId, account, name, ...place, sequences };
  return pendingOf(
    'snapshot.plant',
    number,
    placeOf(row),
    { subject: plantId, sn: null, data },
    now,
  );
}

function deviceEvent(
  { number }: SnapshotSource,
  row: PlantRow,
  device: Devices['byPlant'] extends Map<string, (infer D)[]> ? D : never,
  { latest, alarms, sequences }: Devices,
  now: Instant,
): Pending {
  const { id, sn, kind, state, stateSince, no } = device;
  const { lastAt = null, values = {} } = latest.get(no) ?? {};
  const open = (alarms.get(id) ?? []).filter(({ plantId }) => plantId === row.plantId);
  const data = {
    deviceKind: kind,
    state: presenceNames[state],
    stateSince,
    at: lastAt,
    values,
    alarms: open.map(({ id: alarmId, code, level, message, beginAt }) => ({
      alarmId,
      code,
      level,
      message,
      beginAt,
    })),
    sequences: sequences.get(id) ?? {},
  };
  return pendingOf('snapshot.device', number, placeOf(row), { subject: id, sn, data }, now);
}

/** The last number of each sequence of plants and devices, in kinds that the destination takes. */
async function sequencesOf(
  db: Db,
  { kinds }: Destination,
  plantIds: readonly string[],
  devices: readonly { readonly id: string; readonly series: number }[],
): Promise<Map<string, Record<string, number>>> {
  const subjects = [...plantIds, ...devices.map(({ id }) => id)];
  const rows = await db
    .selectFrom('eventStream')
    .select(['subject', 'kind', 'sequence'])
    .where(anyOf(db, 'subject', listParameter(db, subjects)))
    .execute();
  const found = new Map<string, Record<string, number>>();
  for (const { subject, kind, sequence } of rows) {
    const [name] = kindsOfBits(kind & kinds);
    if (name) found.set(subject, { ...found.get(subject), [name]: sequence });
  }
  if (!kindsOfBits(kinds).includes(SAMPLE)) return found;
  const samples = await lastNumbers(
    db,
    devices.map(({ series }) => series),
  );
  for (const { id, series } of devices)
    if (samples.has(series)) found.set(id, { ...found.get(id), [SAMPLE]: samples.get(series)! });
  return found;
}

/** `resumed`, like whatever follows a time without access: numbers of earlier snapshots are no part of this one. */
function pendingOf(
  kind: SnapshotKind,
  number: number,
  about: Pick<Entry, 'accountId' | 'applicationId' | 'plantId'>,
  { subject, sn, data }: Pick<LoggedEvent, 'subject' | 'sn'> & { readonly data: object },
  now: Instant,
): Pending {
  const { version } = eventKinds[kind];
  const id = `snapshot-${number}-${subject}`;
  const event: LoggedEvent = {
    id,
    subject,
    sn,
    kind,
    version,
    sequence: number,
    previousAt: 0,
    occurredAt: now,
    data: () => JSON.stringify(data),
  };
  return { entry: { key: 0, no: 0, kind, ...about, recordedAt: now, events: [event] }, event };
}
