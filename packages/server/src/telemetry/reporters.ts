import { anyOf, listParameter } from '../storage/any-of.ts';
import type { Db } from '../storage/database.ts';
import { prepareQuery } from '../storage/prepare.ts';
import { limitsOf, type DeviceLimits } from './energy-day.ts';
import { calendarOf, type PlantCalendar, type ZoneSince } from './plant-day.ts';

/** A device in a plant for a time: what the fold must know of it. */
export interface BoundDevice {
  /** binding.no */
  readonly binding: number;
  /** device.series */
  readonly series: number;
  readonly fromAt: number;
  /** Excluded; Infinity while it lasts. */
  readonly toAt: number;
  readonly calendar: PlantCalendar;
  readonly limits: DeviceLimits;
  /** It is the device's first. */
  readonly firstBinding: boolean;
}

/** A device that may have readings. */
export interface Reporter {
  readonly deviceId: string;
  /** The collector that reports for it; a collector reports for itself. */
  readonly collectorId: string | null;
  /** Ascending by fromAt. */
  readonly bindings: readonly BoundDevice[];
}

interface Row {
  sn: string;
  id: string;
  series: number;
  kind: string;
  collectorId: string | null;
  ratedPowerW: number | null;
  no: number;
  plantId: string;
  fromAt: number;
  toAt: number | null;
}

const selectReporters = prepareQuery<{ sns: unknown }, Row>((db, p) =>
  db
    .selectFrom('device')
    .innerJoin('binding', 'binding.deviceId', 'device.id')
    .select(['device.sn', 'device.id', 'device.series', 'device.kind', 'device.collectorId', 'device.ratedPowerW'])
    .select(['binding.no', 'binding.plantId', 'binding.fromAt', 'binding.toAt'])
    .where(anyOf(db, 'device.sn', p('sns')))
    .where('device.removedAt', 'is', null)
    .orderBy('binding.fromAt'),
);

const selectZones = prepareQuery<{ plantIds: unknown }, ZoneSince & { plantId: string }>((db, p) =>
  db.selectFrom('plantZone').select(['plantId', 'fromAt', 'timeZone']).where(anyOf(db, 'plantId', p('plantIds'))).orderBy('fromAt'),
);

/** The devices with these serial numbers that stand or stood in a plant. */
export async function findReporters(db: Db, sns: readonly string[]): Promise<Map<string, Reporter>> {
  const rows = await selectReporters(db, { sns: listParameter(db, sns) });
  const calendars = await findCalendars(db, rows);
  const bySn = Map.groupBy(rows, ({ sn }) => sn);
  return new Map([...bySn].map(([sn, ofDevice]) => [sn, reporterOf(ofDevice, calendars)]));
}

const selectBound = prepareQuery<{ binding: number }, Row>((db, p) =>
  db
    .selectFrom('binding as wanted')
    .innerJoin('device', 'device.id', 'wanted.deviceId')
    .innerJoin('binding', 'binding.deviceId', 'device.id')
    .select(['device.sn', 'device.id', 'device.series', 'device.kind', 'device.collectorId', 'device.ratedPowerW'])
    .select(['binding.no', 'binding.plantId', 'binding.fromAt', 'binding.toAt'])
    .where('wanted.no', '=', p('binding'))
    .orderBy('binding.fromAt'),
);

/** One device in one plant, by the number of the binding. */
export async function findBoundDevice(db: Db, binding: number): Promise<BoundDevice | undefined> {
  const rows = await selectBound(db, { binding });
  if (rows.length === 0) return undefined;
  return reporterOf(rows, await findCalendars(db, rows)).bindings.find((bound) => bound.binding === binding);
}

async function findCalendars(db: Db, rows: readonly Row[]): Promise<Map<string, PlantCalendar>> {
  const plantIds = [...new Set(rows.map(({ plantId }) => plantId))];
  const zones = Map.groupBy(await selectZones(db, { plantIds: listParameter(db, plantIds) }), ({ plantId }) => plantId);
  return new Map([...zones].map(([plantId, history]) => [plantId, calendarOf(history)]));
}

function reporterOf(rows: readonly Row[], calendars: ReadonlyMap<string, PlantCalendar>): Reporter {
  const { id, series, kind, collectorId, ratedPowerW } = rows[0]!;
  const limits = limitsFor(ratedPowerW);
  const bindings = rows.map(({ no, plantId, fromAt, toAt }, i): BoundDevice => {
    const calendar = calendars.get(plantId);
    if (!calendar) throw new Error(`plant ${plantId} has no time zone`);
    return { binding: no, series, fromAt, toAt: toAt ?? Number.POSITIVE_INFINITY, calendar, limits, firstBinding: i === 0 };
  });
  return { deviceId: id, collectorId: kind === 'collector' ? id : collectorId, bindings };
}

const limitsByRating = new Map<number | null, DeviceLimits>();
const RATINGS_KEPT = 1_000;

// There are few ratings and many devices.
function limitsFor(ratedPowerW: number | null): DeviceLimits {
  let limits = limitsByRating.get(ratedPowerW);
  if (!limits) {
    if (limitsByRating.size >= RATINGS_KEPT) limitsByRating.clear();
    limitsByRating.set(ratedPowerW, (limits = limitsOf(ratedPowerW)));
  }
  return limits;
}
