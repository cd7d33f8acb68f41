import type { Values } from '@helioport/contract';
import type { Zones } from '../../platform/calendar/plant-calendar.ts';
import { STRATEGY_DEVICE } from '../commands/open-commands.ts';
import { gridPowerPrecedence } from '../../measurements/figures/plant/precedence.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { presence } from '../../fleet/plants/presence.ts';
import { tariffZonesOf } from '../../fleet/plants/tariffs/begin.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import type { Telemetry } from '../../measurements/telemetry/telemetry.ts';
import { armTasks } from '../../platform/work/arm.ts';
import type { LaneHandler } from '../../platform/work/lane.ts';
import { batteryVoltageOf, FRESH_MS } from './battery-voltage.ts';
import { contentOf } from './content.ts';
import { noteShare } from './delivery/note-asked.ts';
import { limitsOf, reserveOf } from './limits.ts';
import { weekMinuteAt } from './plan/occurrences.ts';
import { NOMINAL_BATTERY_V } from './plan/planned-device.ts';
import { modulo, WEEK_MINUTES, weekSpans } from './plan/week-spans.ts';
import { capabilityOf, type Battery, type Capability } from './set-point/capability.ts';
import { divideSetPoint, stillFits } from './set-point/divide.ts';
import { idleExportW } from './set-point/share-plan.ts';
import type { Strategy } from './strategy.ts';

/** Lane that divides set points over devices; it has one task while any is dispatched. */
export const SET_POINTS = 'strategySetPoints';

interface SetPointDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

const EVERY_MS = 60_000;
/** Powers that fit well enough are left alone for so long, since each change wears out memory. */
const LEFT_ALONE_MS = 10 * 60_000;

/** Divides set points when they begin, and again when batteries cannot give their shares any more, or when the plants need another power. */
export const createSetPoints = ({ db, clock, telemetry }: SetPointDeps): LaneHandler => ({
  async run({ transaction }) {
    const now = clock.now();
    const dispatched = await listDispatched(db, now);
    for (const strategy of dispatched.filter(({ startAt }) => startAt <= now)) {
      const shares = await sharesOf({ db, telemetry }, strategy, now);
      if (shares) await transaction((trx) => storeShares(trx, strategy, shares, now));
    }
    const dueAt = Math.min(
      ...dispatched.map(({ startAt }) => (startAt <= now ? now + EVERY_MS : startAt)),
    );
    return dispatched.length > 0 ? { dueAt } : undefined;
  },
});

async function listDispatched(db: Db, now: Instant): Promise<Strategy[]> {
  const dispatched = await db
    .selectFrom('strategy')
    .selectAll()
    .where('dispatchedAt', 'is not', null)
    .where('endedAt', 'is', null)
    .where('endAt', '>', now)
    .orderBy('id')
    .execute();
  return dispatched.filter((strategy) => contentOf(strategy).kind === 'setPoint');
}

/** A device on which a set point goes on. */
interface Member {
  readonly deviceId: string;
  readonly plantId: string;
  readonly powerKw: number | null;
  /** That by which its power was set. */
  readonly batteryVoltageV: number | null;
  readonly ratedPowerW: number | null;
  readonly state: number;
  readonly strategyLimits: string | null;
}

/** What a battery is to do: a power, + discharging, and the voltage by which it becomes a current. */
interface Share {
  readonly powerKw: number;
  readonly batteryVoltageV: number | null;
}

/** The shares of devices if they have to change; undefined = they do as they are. */
async function sharesOf(
  { db, telemetry }: Pick<SetPointDeps, 'db' | 'telemetry'>,
  strategy: Strategy,
  now: Instant,
): Promise<ReadonlyMap<string, Share> | undefined> {
  const content = contentOf(strategy);
  const members = await listMembers(db, strategy.id);
  if (content.kind !== 'setPoint' || members.length === 0) return undefined;
  const plants = await measure(
    { db, telemetry },
    [...new Set(members.map(({ plantId }) => plantId))],
    now,
  );
  const zones = new Map<string, Zones>();
  for (const plantId of plants.keys()) zones.set(plantId, await tariffZonesOf(db, plantId));
  const voltages = new Map(
    members.map(({ deviceId, plantId, batteryVoltageV }) => [
      deviceId,
      batteryVoltageOf(plants.get(plantId)!.devices.get(deviceId) ?? {}) ?? batteryVoltageV,
    ]),
  );
  // Currents are whole amperes.
  const capabilitiesAt = (voltageOf: (member: Member) => number | null): Capability[] =>
    members.map((member) =>
      capabilityOf(
        {
          ...batteryOf(member, plants.get(member.plantId)!, zones.get(member.plantId)!, now),
          stepW: voltageOf(member) ?? NOMINAL_BATTERY_V,
        },
        strategy.endAt - now,
      ),
    );
  const idleW = idleExportW(
    [...plants.values()].map(({ gridW, devices }) => ({
      gridW,
      batteryW: sumOf([...devices.values()].map(({ batteryPowerW }) => batteryPowerW ?? 0)),
    })),
  );
  const wantedW = content.powerKw * 1000 - idleW;
  const asked = new Map(
    members.flatMap(({ deviceId, powerKw }) =>
      powerKw === null ? [] : [[deviceId, powerKw * 1000] as const],
    ),
  );
  if (strategy.dividedAt !== null && asked.size === members.length) {
    // In the steps in which they were asked.
    const capabilities = capabilitiesAt(({ batteryVoltageV }) => batteryVoltageV);
    const isAble = stillFits(sumOf([...asked.values()]), asked, capabilities);
    const given = givenAt(asked, members, voltages, capabilities);
    if (
      isAble &&
      (stillFits(wantedW, given, capabilities) || strategy.dividedAt + LEFT_ALONE_MS > now)
    )
      return undefined;
  }
  const { shares } = divideSetPoint(
    wantedW,
    capabilitiesAt(({ deviceId }) => voltages.get(deviceId) ?? null),
  );
  return new Map(
    [...shares].map(([deviceId, powerW]) => [
      deviceId,
      { powerKw: powerW / 1000, batteryVoltageV: voltages.get(deviceId) ?? null },
    ]),
  );
}

/** What batteries give, W: their currents stay as they were set while their voltages fall or rise with their charge, and none gives more than it can. */
function givenAt(
  asked: ReadonlyMap<string, number>,
  members: readonly Member[],
  voltages: ReadonlyMap<string, number | null>,
  capabilities: readonly Capability[],
): Map<string, number> {
  return new Map(
    members.map(({ deviceId, batteryVoltageV }, i) => {
      const powerW = asked.get(deviceId)!;
      const ratio =
        (voltages.get(deviceId) ?? NOMINAL_BATTERY_V) / (batteryVoltageV ?? NOMINAL_BATTERY_V);
      const { charge, discharge } = capabilities[i]!;
      return [deviceId, Math.max(-charge.mostW, Math.min(discharge.mostW, powerW * ratio))];
    }),
  );
}

const listMembers = (db: Db, strategyId: string): Promise<Member[]> =>
  db
    .selectFrom('strategyDevice as sd')
    .innerJoin('device', 'device.id', 'sd.deviceId')
    .innerJoin('plant', 'plant.id', 'sd.plantId')
    .select([
      'sd.deviceId',
      'sd.plantId',
      'sd.powerKw',
      'sd.batteryVoltageV',
      'device.ratedPowerW',
      'device.state',
      'plant.strategyLimits',
    ])
    .where('sd.strategyId', '=', strategyId)
    .where('sd.state', 'in', ['dispatching', 'active'])
    .orderBy('sd.deviceId')
    .execute();

/** What a plant measures now. */
interface Measured {
  readonly gridW: number | null;
  /** By inverter. */
  readonly devices: ReadonlyMap<string, Values>;
}

async function measure(
  { db, telemetry }: Pick<SetPointDeps, 'db' | 'telemetry'>,
  plantIds: readonly string[],
  now: Instant,
): Promise<ReadonlyMap<string, Measured>> {
  const bindings = await db
    .selectFrom('binding')
    .innerJoin('device', 'device.id', 'binding.deviceId')
    .select(['binding.no', 'binding.plantId', 'binding.deviceId', 'device.kind'])
    .where(anyOf(db, 'binding.plantId', listParameter(db, plantIds)))
    .where('binding.toAt', 'is', null)
    .where('device.kind', 'in', [...gridPowerPrecedence])
    .orderBy('binding.no')
    .execute();
  const latest = await telemetry.latestOf(
    db,
    bindings.map(({ no }) => no),
    now,
  );
  const valuesOf = (no: number): Values => {
    const known = latest.get(no);
    return known && known.lastAt >= now - FRESH_MS ? known.values : {};
  };
  const byPlant = Map.groupBy(bindings, ({ plantId }) => plantId);
  return new Map(
    plantIds.map((plantId) => {
      const devices = byPlant.get(plantId) ?? [];
      const grids = gridPowerPrecedence.flatMap((kind) =>
        devices.filter((device) => device.kind === kind).map(({ no }) => valuesOf(no).gridPowerW),
      );
      const inverters = new Map(
        devices
          .filter(({ kind }) => kind === 'inverter')
          .map(({ no, deviceId }) => [deviceId, valuesOf(no)]),
      );
      return [
        plantId,
        { gridW: grids.find((gridW) => gridW !== undefined) ?? null, devices: inverters },
      ];
    }),
  );
}

function batteryOf(
  { deviceId, ratedPowerW, state, strategyLimits }: Member,
  { devices }: Measured,
  zones: Zones,
  now: Instant,
): Omit<Battery, 'stepW'> {
  const { batterySocPercent, dcPowerW } = devices.get(deviceId) ?? {};
  const limits = limitsOf({ strategyLimits });
  const minute = weekMinuteAt(zones, now);
  const isQuiet = weekSpans(limits.quietHours).some(
    ({ fromMinute, toMinute }) => modulo(minute - fromMinute, WEEK_MINUTES) < toMinute - fromMinute,
  );
  return {
    deviceId,
    isPresent: state !== presence.offline && !isQuiet,
    socPercent: batterySocPercent ?? null,
    capacityKwh: null,
    ratedPowerW,
    productionW: dcPowerW ?? 0,
    maxChargeW: Infinity,
    maxDischargeW: Infinity,
    reserveSocPercent: reserveOf(limits),
    fullSocPercent: 100,
  };
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

async function storeShares(
  trx: Db,
  { id }: Strategy,
  shares: ReadonlyMap<string, Share>,
  now: Instant,
): Promise<void> {
  const changed: string[] = [];
  for (const [deviceId, { powerKw, batteryVoltageV }] of shares) {
    const row = await trx
      .updateTable('strategyDevice')
      .set({ powerKw, batteryVoltageV })
      .where('strategyId', '=', id)
      .where('deviceId', '=', deviceId)
      .where((eb) => eb.or([eb('powerKw', 'is', null), eb('powerKw', '!=', powerKw)]))
      .returning('deviceId')
      .executeTakeFirst();
    if (!row) continue;
    await noteShare(trx, id, deviceId, powerKw, now);
    changed.push(deviceId);
  }
  await trx.updateTable('strategy').set({ dividedAt: now }).where('id', '=', id).execute();
  await armTasks(trx, STRATEGY_DEVICE, changed, now);
}
