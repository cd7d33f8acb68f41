import type { DeviceKind } from '@helioport/contract';
import { recordAudits, type Act } from '../../../identity/accounts/audit.ts';
import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { zoneRecord } from '../../../platform/calendar/zone-record.ts';
import type { Series } from '../../series/port.ts';
import { findReportableDevice } from '../../bindings/reportable-devices.ts';
import { listDevicesThere, type DeviceThere } from './devices-there.ts';
import { AccountRefusal, type HistoryAccount, type HistoryDoubts } from './account.ts';
import { askYears } from './energies-there.ts';
import { findKept } from './kept.ts';
import { findOwnDays, type MatchedDevice } from './matched-device.ts';

/** A device here that could have a history. */
export interface DeviceHere {
  readonly sn: string;
  readonly kind: DeviceKind;
  readonly plant: string;
  readonly plantId: string;
  /** Whose plant it is, and their e-mail address. */
  readonly ownerId: string;
  readonly owner: string;
}

interface Here extends DeviceHere {
  readonly id: string;
  readonly timeZone: string;
}

/** What an import would do with a device that is there and here. */
export interface PlannedImport {
  readonly there: DeviceThere;
  readonly here: DeviceHere;
  /** Undefined if the device is left out. */
  readonly device: MatchedDevice | undefined;
  /** Why it is left out. */
  readonly reason: string | undefined;
}

export interface HistoryPlan {
  readonly devices: readonly PlannedImport[];
  readonly onlyThere: readonly DeviceThere[];
  /** In the plants here to which devices of the account belong. */
  readonly onlyHere: readonly DeviceHere[];
}

export interface Planning {
  readonly account: HistoryAccount;
  readonly db: Db;
  readonly series: Series;
  readonly now: number;
  readonly doubts: HistoryDoubts;
  /** Only devices of this plant here. */
  readonly plantId?: string | undefined;
  /** Only devices in plants of this account here. */
  readonly ownerId?: string | undefined;
  /** Whether days there are those here even if the zones of the plants differ. */
  readonly anyZone?: boolean | undefined;
}

/** Finds out which device of an account is which here, by serial number. */
export async function planHistory(planning: Planning): Promise<HistoryPlan> {
  const { account, db, plantId, ownerId } = planning;
  const there = await listDevicesThere(account);
  const here = await findHere(db, [...there.keys()], { plantId, ownerId });
  const devices: PlannedImport[] = [];
  for (const one of there.values()) {
    const found = here.get(one.sn);
    if (found) devices.push(await plannedOf(planning, one, found));
  }
  const plants = new Set(
    plantId === undefined ? [...here.values()].map((one) => one.plantId) : [plantId],
  );
  return {
    devices,
    onlyThere: [...there.values()].filter(({ sn }) => !here.has(sn)),
    onlyHere: (await findInPlants(db, [...plants])).filter(({ sn }) => !there.has(sn)),
  };
}

const select = (db: Db) =>
  db
    .selectFrom('device')
    .innerJoin('plant', 'plant.id', 'device.plantId')
    .innerJoin('account', 'account.id', 'plant.ownerId')
    .select(['device.id', 'device.sn', 'device.kind', 'device.plantId', 'plant.timeZone'])
    .select(['plant.name as plant', 'plant.ownerId', 'account.email as owner'])
    .$narrowType<{ plantId: string }>();

async function findHere(
  db: Db,
  sns: readonly string[],
  { plantId, ownerId }: Pick<Planning, 'plantId' | 'ownerId'>,
): Promise<Map<string, Here>> {
  if (sns.length === 0) return new Map();
  const rows = await select(db)
    .where(anyOf(db, 'device.sn', listParameter(db, sns)))
    .$if(plantId !== undefined, (query) => query.where('device.plantId', '=', plantId!))
    .$if(ownerId !== undefined, (query) => query.where('plant.ownerId', '=', ownerId!))
    .execute();
  return new Map(rows.map((row) => [row.sn, row]));
}

async function findInPlants(db: Db, plantIds: readonly string[]): Promise<DeviceHere[]> {
  if (plantIds.length === 0) return [];
  return select(db)
    .where(anyOf(db, 'device.plantId', listParameter(db, plantIds)))
    .where('device.kind', 'in', ['inverter', 'epm'])
    .orderBy('device.sn')
    .execute();
}

/** Records in the trails of the owners that an import begins, for each plant whose devices take part. `from` is the address of the other service. */
export async function recordImport(
  trx: Db,
  act: Act,
  { devices }: Pick<HistoryPlan, 'devices'>,
  from: string,
): Promise<void> {
  const taking = devices.filter(({ device }) => device !== undefined).map(({ here }) => here);
  const byPlant = Map.groupBy(taking, ({ plantId }) => plantId);
  await recordAudits(
    trx,
    act,
    [...byPlant].map(([plantId, ofPlant]) => ({
      kind: 'history.imported',
      accountId: ofPlant[0]!.ownerId,
      data: { plantId, from, devices: ofPlant.length },
    })),
  );
}

async function plannedOf(
  { account, db, series, now, doubts, anyZone }: Planning,
  there: DeviceThere,
  here: Here,
): Promise<PlannedImport> {
  const reason =
    here.kind !== there.kind
      ? `it is of the kind ${there.kind} there, but ${here.kind} here`
      : anyZone
        ? undefined
        : zoneFault(there, here, now);
  const years = reason ?? (await askYears(account, there, doubts).catch(refusalText));
  if (typeof years === 'string') return { there, here, device: undefined, reason: years };
  const { bindings } = (await findReportableDevice(db, there.sn))!;
  const kept = await findKept(db, here.id);
  const own = await findOwnDays(db, series, bindings, kept);
  return { there, here, device: { there, bindings, kept, own, years }, reason: undefined };
}

function refusalText(error: unknown): string {
  if (error instanceof AccountRefusal) return error.message;
  throw error;
}

/** Why the days of a plant there are not the days of the plant here; undefined if they are, or it is not known. */
function zoneFault(
  { zoneHours }: DeviceThere,
  { timeZone }: Here,
  now: number,
): string | undefined {
  if (zoneHours === undefined) return undefined;
  const { standardOffsetMinutes } = zoneRecord(timeZone, now);
  // Some tell their offset in summer.
  const isSame = [0, 60].some((daylight) => zoneHours * 60 === standardOffsetMinutes + daylight);
  return isSame
    ? undefined
    : `its plant is ${signed(zoneHours)} h from UTC there, but ${signed(standardOffsetMinutes / 60)} h here (${timeZone}): correct the time zone, or say --any-zone`;
}

const signed = (hours: number): string => (hours < 0 ? String(hours) : `+${hours}`);
