import type { OperationId, PlanInterval } from '@helioport/contract';
import { createMemory, type Memory } from '../../packages/simulator/src/devices/memory.ts';
import type { Caller } from '../../packages/server/src/identity/accounts/caller.ts';
import type { HandedInstruction } from '../../packages/server/src/control/commands/instruction.ts';
import {
  COMMAND_TIME,
  STRATEGY_DEVICE,
} from '../../packages/server/src/control/commands/open-commands.ts';
import { createCommandTime } from '../../packages/server/src/control/commands/time.ts';
import { profileOf } from '../../packages/devices/src/profiles/profiles.ts';
import { findLivingToken } from '../../packages/server/src/identity/oauth/bearer.ts';
import { readAccessToken } from '../../packages/server/src/identity/oauth/tokens.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { createStrategyDevices } from '../../packages/server/src/control/strategies/device/run.ts';
import {
  createSetPoints,
  SET_POINTS,
} from '../../packages/server/src/control/strategies/set-points.ts';
import {
  createStrategyWatch,
  STRATEGY_WATCH,
} from '../../packages/server/src/control/strategies/watch.ts';
import { createTelemetry } from '../../packages/server/src/measurements/telemetry/create-telemetry.ts';
import { settledReads } from '../../packages/server/src/measurements/ingest/settled-reads.ts';
import type { Lanes } from '../../packages/server/src/platform/work/lane.ts';
import { createRunner } from '../../packages/server/src/platform/work/runner.ts';
import { MODEL, type Home } from '../commands/scene.ts';
import { describeControl, type ControlWire, type WireAnswer } from '../commands/wire.ts';
import { describeEngines } from '../support/engines.ts';

/** A home whose inverter is a simulated one, with a battery: what counts is what its registers hold. */
export interface Battery extends Home {
  readonly memory: Memory;
  /** Every write that reached it. */
  readonly written: [parameter: string, value: string][];
  /** Whether its collector fetches instructions. */
  isOnline: boolean;
  /** Parameters of which each write is lost on its way. */
  readonly lost: Set<string>;
  /** All settings, by parameter. */
  registers(): Record<string, string>;
}

/** An application with the owner's authorization. */
export interface Partner {
  readonly token: string;
  readonly refreshToken: string;
  readonly client: Awaited<ReturnType<ControlWire['pair']>>['client'];
  readonly caller: Extract<Caller, { kind: 'application' }>;
  ask(id: OperationId, body: Record<string, unknown>): Promise<WireAnswer>;
  /** Creates a strategy and dispatches it; returns its id. */
  dispatch(body: Record<string, unknown>): Promise<string>;
}

/** Settings that differ from what strategies make of them. */
const INITIAL = {
  230: '8000',
  636: '96',
  157: '30',
  158: '10',
  7963: '100',
  5916: '1',
  5946: '01:00-02:00',
  5948: '20',
  5928: '80',
};

const PARAMETERS = profileOf(MODEL).parameters;

/** Limits the export at all times: two settings, so that tests are quick. */
export const LIMITED: readonly PlanInterval[] = [
  { start: '00:00', end: '24:00', payload: { type: 'exportLimit', powerKw: 1 } },
];
export const EVENING: readonly PlanInterval[] = [
  { start: '02:00', end: '05:00', payload: { type: 'charge', socPercent: 90, powerKw: 3 } },
  { start: '17:00', end: '20:00', payload: { type: 'discharge', socPercent: 20, powerKw: 2.5 } },
];

const HOUR_MS = 3_600_000;

export function createStrategyScene(wire: ControlWire) {
  const { clock, database } = wire;
  let references = 0;

  const telemetryOf = (db: Db) => createTelemetry(settledReads(db, createSqlSeries(db)));
  const lanes = (db: Db) => ({
    [COMMAND_TIME]: { runsAtOnce: 2, limitSeconds: 60, ...createCommandTime({ db, clock }) },
    [STRATEGY_DEVICE]: {
      runsAtOnce: 2,
      limitSeconds: 60,
      ...createStrategyDevices({ db, clock, ids: wire.newId, telemetry: telemetryOf(db) }),
    },
    [STRATEGY_WATCH]: {
      runsAtOnce: 1,
      limitSeconds: 60,
      ...createStrategyWatch({ db, clock, ids: wire.newId }),
    },
  });
  const setPoints = (db: Db) => ({
    [SET_POINTS]: {
      runsAtOnce: 1,
      limitSeconds: 60,
      ...createSetPoints({ db, clock, telemetry: telemetryOf(db) }),
    },
  });
  const runDue = (db: Db, due: Lanes): Promise<number> =>
    createRunner({
      db,
      clock,
      lanes: due,
      logger: {
        error: (fault: unknown) => {
          throw (fault as { err?: unknown }).err ?? fault;
        },
        warn: () => {},
      },
    }).runDue();
  /** Does everything that is due, but for the division of set points. */
  const work = (db: Db = database().db): Promise<number> => runDue(db, lanes(db));
  /** Divides set points over their devices, if that is due. */
  const divide = (): Promise<number> => runDue(database().db, setPoints(database().db));

  const carryOut = (
    battery: Battery,
    { id, action, parameter, value }: HandedInstruction,
  ): object => {
    try {
      if (action === 'read')
        return { id, ok: true, ...battery.memory.read(parameter, clock.now()) };
      battery.written.push([parameter, value!]);
      if (!battery.lost.has(parameter)) battery.memory.write(parameter, value!, clock.now());
      return { id, ok: true };
    } catch (error) {
      return { id, ok: false, error: (error as Error).message };
    }
  };
  const obey = async (battery: Battery): Promise<number> => {
    if (!battery.isOnline) return 0;
    const handed = await battery.box.fetch();
    if (handed.length > 0) await battery.box.report(...handed.map((one) => carryOut(battery, one)));
    return handed.length;
  };

  const scene = {
    ...wire,
    telemetryOf,
    work,
    divide,
    carryOut,
    async battery(change: Parameters<ControlWire['home']>[0] = {}): Promise<Battery> {
      const here = await wire.home({ facts: { displayVersion: '4b00' }, ...change });
      const memory = createMemory({
        parameters: PARAMETERS,
        displayVersion: 0x4b00,
        initial: INITIAL,
      });
      for (const parameter of ['5916'] as const)
        memory.write(parameter, INITIAL[parameter], clock.now());
      const registers = (): Record<string, string> =>
        Object.fromEntries(
          [...PARAMETERS.keys()].flatMap((id) =>
            memory.get(id) === undefined ? [] : [[id, memory.get(id)!]],
          ),
        );
      return { ...here, memory, written: [], isOnline: true, lost: new Set(), registers };
    },
    /** Batteries of one owner, each in a plant of its own. */
    async batteries(amount: number, ratedPowerW: number): Promise<Battery[]> {
      const all: Battery[] = [];
      for (let i = 0; i < amount; i++) all.push(await scene.battery());
      const [{ ownerId }] = all as [Battery];
      const { db } = database();
      for (const { plantId, deviceId } of all) {
        await db.updateTable('plant').set({ ownerId }).where('id', '=', plantId).execute();
        await db
          .updateTable('plantAccess')
          .set({ accountId: ownerId })
          .where('plantId', '=', plantId)
          .execute();
        await db.updateTable('device').set({ ratedPowerW }).where('id', '=', deviceId).execute();
      }
      return all;
    },
    async partner(
      ownerId: string,
      terms: {
        plantIds?: readonly string[];
        scopes?: readonly ('access_data' | 'control_device')[];
      } = {},
    ): Promise<Partner> {
      const {
        client,
        access_token: token,
        refresh_token: refreshToken,
      } = await wire.pair(ownerId, terms);
      const { caller } = (await findLivingToken(
        database().db,
        clock.now(),
        readAccessToken(token)!,
      ))!;
      const ask: Partner['ask'] = (id, body) => wire.bear(token, id, body);
      return {
        token,
        refreshToken,
        client,
        caller,
        ask,
        async dispatch(body) {
          const { body: created } = await ask('strategy/create', scene.request(body));
          if (created.code !== '0') throw new Error(JSON.stringify(created));
          const { body: dispatched } = await ask('strategy/dispatch', { id: created.data.id });
          if (dispatched.code !== '0') throw new Error(JSON.stringify(dispatched));
          return created.data.id as string;
        },
      };
    },
    /** What `strategy/create` is asked for: from now on, for two hours. */
    request: (body: Record<string, unknown>): Record<string, unknown> => ({
      reference: `strategy-${++references}`,
      name: 'Evening peak',
      end: clock.at + 2 * HOUR_MS,
      ...('powerKw' in body ? {} : { intervals: LIMITED }),
      ...body,
    }),
    /** Until nothing is left to do: the service works, and those that are online obey. */
    async settle(...batteries: readonly Battery[]): Promise<void> {
      for (let handed = 1; handed > 0;) {
        await work();
        handed = 0;
        for (const battery of batteries) handed += await obey(battery);
      }
    },
    /** Lets time pass, in steps in which the service works. */
    async wait(ms: number, ...batteries: readonly Battery[]): Promise<void> {
      clock.at += ms;
      await scene.settle(...batteries);
    },
    /** How a strategy stands on the device of a battery, as stored. */
    stored: (id: string, { deviceId }: Home) =>
      database()
        .db.selectFrom('strategyDevice')
        .select(['state', 'reason', 'appliedAt', 'endedAt', 'restoredAt'])
        .where('strategyId', '=', id)
        .where('deviceId', '=', deviceId)
        .executeTakeFirstOrThrow(),
  };
  return scene;
}

export type StrategyScene = ReturnType<typeof createStrategyScene>;

/** A suite about strategies against both interfaces, on both engines unless set otherwise. */
export const describeStrategies = (
  name: string,
  suite: (scene: StrategyScene) => void,
  engines = describeEngines,
): void =>
  describeControl(name, (wire) => suite(createStrategyScene(wire)), { patienceMs: 100, engines });
