import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { openStorage, type Storage } from '../../packages/server/src/platform/storage/open.ts';
import { createStrategyDevices } from '../../packages/server/src/control/strategies/device/run.ts';
import { effort } from '../support/effort.ts';
import { runOf } from '../support/runs.ts';
import { describeStrategies, type Battery, type Partner } from './scene.ts';

type Step =
  /** `hourly`: only from one to two o'clock. */
  | {
      readonly do: 'dispatch';
      readonly inMinutes: number;
      readonly minutes: number;
      readonly powerKw: number;
      readonly hourly: boolean;
    }
  | { readonly do: 'amend'; readonly which: number; readonly powerKw: number }
  | { readonly do: 'cancel' | 'stop'; readonly which: number }
  | { readonly do: 'write'; readonly value: string }
  | { readonly do: 'wait'; readonly minutes: number }
  /** The collector loses its way to the service, and finds it again. */
  | { readonly do: 'leave' | 'return' }
  /** The next instruction is lost: before the device has done it, or its result. */
  | { readonly do: 'lose'; readonly what: 'instruction' | 'result' }
  /** An instance dies in the middle of its work. */
  | { readonly do: 'kill' };

const which = fc.nat(3);
const powerKw = fc.constantFrom(1, 2, 3);
const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('dispatch' as const),
        inMinutes: fc.constantFrom(0, 0, 20),
        minutes: fc.constantFrom(30, 90),
        powerKw,
        hourly: fc.boolean(),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('amend' as const), which, powerKw }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constantFrom('cancel' as const, 'stop' as const), which }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('write' as const),
        value: fc.constantFrom('1500', '4000', '7000'),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('wait' as const),
        minutes: fc.constantFrom(1, 15, 40),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constantFrom('leave' as const, 'return' as const) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('lose' as const),
        what: fc.constantFrom('instruction' as const, 'result' as const),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('kill' as const) }) },
  ),
  { minLength: 3, maxLength: 10 },
);

/** A strategy as somebody keeps book of it who sees everything. */
interface Booked {
  readonly id: string;
  readonly startAt: number;
  readonly endAt: number;
  readonly hourly: boolean;
  powerKw: number;
  /** It was cancelled, somebody wrote by hand, or it failed. */
  isOver: boolean;
  /** It is paused: no other strategy gets its device before its time is over. */
  isPaused: boolean;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const NOON = Date.parse('2026-06-15T12:00:00Z');

describeStrategies('strategies on two instances', (scene) => {
  const { clock, database } = scene;

  const intervals = (kw: number, hourly: boolean) => [
    {
      ...(hourly ? { start: '13:00', end: '14:00' } : { start: '00:00', end: '24:00' }),
      payload: { type: 'exportLimit', powerKw: kw },
    },
  ];

  async function play(todo: readonly Step[], storages: readonly Storage[]): Promise<void> {
    // Each begins at noon of a day of its own.
    clock.at = NOON + DAY_MS * Math.ceil((clock.at - NOON) / DAY_MS);
    const here: Battery = await scene.battery();
    const partner: Partner = await scene.partner(here.ownerId);
    const booked: Booked[] = [];
    /** What the owner has set. */
    const own = here.registers();
    const losses: ('instruction' | 'result')[] = [];
    let hasLost = false;

    const expected = (): Record<string, string> => {
      const going = booked.find(({ startAt, endAt, isOver, hourly }) => {
        const hour = new Date(clock.at).getUTCHours();
        return !isOver && startAt <= clock.at && endAt > clock.at && (!hourly || hour === 13);
      });
      if (!going) return own;
      return {
        ...own,
        230: String(Math.min(going.powerKw * 1000, Number(own['230']))),
        636: String((Number(own['636']) & ~64) | 1),
      };
    };
    const obey = async (): Promise<number> => {
      if (!here.isOnline) return 0;
      const handed = await here.box.fetch();
      for (const instruction of handed) {
        const loss = losses.shift();
        hasLost ||= loss !== undefined;
        if (loss === 'instruction') continue;
        const result = scene.carryOut(here, instruction);
        if (loss === undefined) await here.box.report(result);
      }
      return handed.length;
    };
    /** Whether something is still under way, or to be tried again. */
    const isBusy = async (): Promise<boolean> => {
      const { db } = database();
      const open = await db
        .selectFrom('command')
        .select('id')
        .where('deviceId', '=', here.deviceId)
        .where('endedAt', 'is', null)
        .executeTakeFirst();
      const left = await db
        .selectFrom('strategyDevice')
        .select('strategyId')
        .where('deviceId', '=', here.deviceId)
        .where('restoredAt', 'is', null)
        .where((eb) => eb.or([eb('endedAt', 'is not', null), eb('retryAt', '>', clock.at)]))
        .executeTakeFirst();
      return open !== undefined || left !== undefined;
    };
    /** Both instances work, and what was lost is found out in time. */
    const settle = async (): Promise<void> => {
      for (let round = 0; round < 200; round++) {
        await Promise.all(storages.map(({ db }) => scene.work(db)));
        if ((await obey()) > 0) continue;
        if (!here.isOnline || !(await isBusy())) break;
        clock.at += 5_000;
      }
      // A write that was lost on its way is not repeated: the strategy has failed on this device.
      for (const one of booked.filter(({ isOver }) => !isOver)) {
        const { state } = await scene.stored(one.id, here);
        if (state !== 'failed') continue;
        expect(hasLost || !here.isOnline || one.endAt <= clock.at).toBe(true);
        one.isOver = true;
      }
    };

    for (const step of todo) {
      const one =
        'which' in step && booked.length > 0 ? booked[step.which % booked.length] : undefined;
      const isGoing = one && !one.isOver && one.endAt > clock.at;
      if (step.do === 'dispatch') {
        const startAt = clock.at + step.inMinutes * MINUTE_MS;
        const endAt = startAt + step.minutes * MINUTE_MS;
        const request = scene.request({
          sn: here.sn,
          start: startAt,
          end: endAt,
          intervals: intervals(step.powerKw, step.hourly),
        });
        const { id } = await scene.ask('strategy/create', partner.caller, request);
        const overlaps = booked.some(
          (other) =>
            (!other.isOver || other.isPaused) &&
            other.endAt > clock.at &&
            other.startAt < endAt &&
            other.endAt > startAt,
        );
        const dispatched = scene.ask('strategy/dispatch', partner.caller, { id });
        if (overlaps) await expect(dispatched).rejects.toMatchObject({ code: 'deviceBusy' });
        else {
          await dispatched;
          booked.push({
            id,
            startAt,
            endAt,
            hourly: step.hourly,
            powerKw: step.powerKw,
            isOver: false,
            isPaused: false,
          });
        }
      } else if (step.do === 'amend' && one) {
        const amended = scene.ask('strategy/amend', partner.caller, {
          id: one.id,
          intervals: intervals(step.powerKw, one.hourly),
        });
        // One that is paused, or has failed on this device, takes it for its other devices.
        if (isGoing) {
          await amended;
          one.powerKw = step.powerKw;
        } else
          await amended.catch((error: unknown) =>
            expect(error).toMatchObject({ code: 'strategyOver' }),
          );
      } else if (step.do === 'cancel' && one) {
        await scene.ask('strategy/cancel', partner.caller, { id: one.id });
        Object.assign(one, { isOver: true, isPaused: false });
      } else if (step.do === 'stop' && one) {
        await scene.ask('strategy/stop', here.owner, { id: one.id });
        Object.assign(one, { isOver: true, isPaused: false });
      } else if (step.do === 'write' && here.isOnline && losses.length === 0) {
        await settle();
        await scene.send(here, '230', step.value);
        own['230'] = step.value;
        for (const other of booked.filter(
          ({ isOver, startAt, endAt }) => !isOver && startAt <= clock.at && endAt > clock.at,
        ))
          Object.assign(other, { isOver: true, isPaused: true });
      } else if (step.do === 'wait') clock.at += step.minutes * MINUTE_MS;
      else if (step.do === 'leave') here.isOnline = false;
      else if (step.do === 'return') here.isOnline = true;
      else if (step.do === 'lose') losses.push(step.what);
      else if (step.do === 'kill') {
        const died = new Error('killed');
        const execute = (work: (trx: Db) => Promise<unknown>): Promise<never> =>
          storages[1]!.db.transaction().execute(async (trx) => {
            await work(trx);
            throw died;
          });
        const dying = createStrategyDevices({
          db: { transaction: () => ({ execute }) } as never,
          clock,
          ids: scene.newId,
          telemetry: scene.telemetryOf(storages[1]!.db),
        });
        await expect(dying.run(runOf(storages[1]!.db, here.deviceId))).rejects.toBe(died);
      }
      await settle();
      if (here.isOnline)
        expect([step, new Date(clock.at).toISOString(), here.registers()]).toEqual([
          step,
          expect.any(String),
          expected(),
        ]);
    }

    // In the end, the owner has everything back.
    here.isOnline = true;
    losses.length = 0;
    await settle();
    clock.at += 4 * 3_600_000;
    await settle();
    clock.at += 3_600_000;
    await settle();
    expect(here.registers()).toEqual(own);
    const open = await database()
      .db.selectFrom('strategyDevice')
      .select('state')
      .where('deviceId', '=', here.deviceId)
      .where('restoredAt', 'is', null)
      .where('state', '!=', 'draft')
      .execute();
    expect(open).toEqual([]);
    // Each command has written at most once, and what it wrote is what was asked for.
    const sent = await database()
      .db.selectFrom('command')
      .select('id')
      .where('deviceId', '=', here.deviceId)
      .where('writeTurn', 'is not', null)
      .execute();
    expect(here.written.length).toBeLessThanOrEqual(sent.length);
  }

  test(
    'leave on each device what a naive book says, whatever is overridden, lost, killed or done by two at once (C31, C32)',
    { timeout: effort(180_000, 3_600_000) },
    async () => {
      const storages = [openStorage(database().address), openStorage(database().address)];
      try {
        await fc.assert(
          fc.asyncProperty(steps, (todo) => play(todo, storages)),
          { numRuns: effort(12, 500) },
        );
      } finally {
        for (const storage of storages) await storage.close();
      }
    },
  );
});
