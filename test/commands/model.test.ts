import fc from 'fast-check';
import { expect, test } from 'vitest';
import { authenticateCollector } from '../../packages/server/src/fleet/collectors/authenticate.ts';
import { createReportLimit } from '../../packages/server/src/fleet/collectors/limits/limit.ts';
import {
  createExchange,
  type CommandExchange,
} from '../../packages/server/src/control/commands/exchange.ts';
import type { HandedInstruction } from '../../packages/server/src/control/commands/instruction.ts';
import { openStorage, type Storage } from '../../packages/server/src/platform/storage/open.ts';
import { effort } from '../support/effort.ts';
import { describeEngines } from '../support/engines.ts';
import { createControlScene, type Home } from './scene.ts';
import { ownBuckets } from '../../packages/server/src/platform/kernel/token-buckets.ts';

type Action =
  | {
      readonly do: 'send';
      readonly parameter: string;
      readonly value: string;
      readonly expirySeconds: number;
    }
  | { readonly do: 'cancel'; readonly which: number }
  /** `lost`: the answer does not arrive, or the service dies after it has committed. */
  | { readonly do: 'fetch'; readonly by: number; readonly lost: boolean }
  /** Both instances are asked at once. */
  | { readonly do: 'fetchTwice' }
  | { readonly do: 'carryOut'; readonly which: number; readonly fails: boolean }
  /** `again`: the answer does not arrive, so that it will be reported once more. */
  | { readonly do: 'report'; readonly by: number; readonly which: number; readonly again: boolean }
  /** The collector starts anew and knows nothing of what it was handed. */
  | { readonly do: 'forget' }
  | { readonly do: 'wait'; readonly seconds: number }
  | { readonly do: 'time'; readonly by: number };

const some = fc.nat(7);
const by = fc.nat(1);
const actions = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('send' as const),
        parameter: fc.constantFrom('157', '160'),
        value: fc.constantFrom('20', '30', '40'),
        expirySeconds: fc.constantFrom(10, 60, 300),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), which: some }) },
    {
      weight: 6,
      arbitrary: fc.record({ do: fc.constant('fetch' as const), by, lost: fc.boolean() }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('fetchTwice' as const) }) },
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('carryOut' as const),
        which: some,
        fails: fc.constantFrom(false, false, false, true),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('report' as const),
        by,
        which: some,
        again: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('wait' as const),
        seconds: fc.constantFrom(1, 5, 25, 50),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('time' as const), by }) },
  ),
  { minLength: 10, maxLength: 60 },
);

/** A command as somebody keeps book of it who sees everything: what was asked, what left the service, and what the device did. */
interface Booked {
  readonly id: string;
  readonly parameter: string;
  readonly value: string;
  readonly expiresAt: number;
  /** How it ended before its write left the service. */
  ended: 'cancelled' | 'superseded' | 'expired' | 'had it already' | 'unreadable' | null;
  handedAt: number | null;
  /** How often the device was written by it. */
  writes: number;
  confirmed: boolean;
}

describeEngines('the life cycle of commands', (database) => {
  const scene = createControlScene(database);
  const { clock } = scene;

  async function play(
    steps: readonly Action[],
    instances: readonly CommandExchange[],
    storages: readonly Storage[],
    here: Home,
  ): Promise<void> {
    const values: Record<string, string> = { 157: '30', 160: '30' };
    const booked: Booked[] = [];
    const inbox: { instruction: HandedInstruction; at: number }[] = [];
    const outbox: { id: string; ok: boolean; value?: string; error?: string }[] = [];
    const bookedOf = (instructionId: string): Booked =>
      booked.find(({ id }) => instructionId.startsWith(`${id}.`))!;
    const isWaiting = (one: Booked): boolean => one.ended === null && one.handedAt === null;
    const passTime = (): void => {
      for (const one of booked)
        if (isWaiting(one) && one.expiresAt <= clock.at) one.ended = 'expired';
    };
    const sender = () => authenticateCollector(database().db, here.token, clock.now());

    const fetch = async (instance: CommandExchange): Promise<readonly HandedInstruction[]> => {
      const handed = await instance.instructions(await sender(), 0, new AbortController().signal);
      for (const { id, action } of handed) {
        const one = bookedOf(id);
        // Nothing that has ended is handed over any more, and a write leaves once.
        expect(one.ended).toBe(null);
        if (action === 'read') continue;
        expect(one.handedAt).toBe(null);
        // In order: what was asked for earlier has left or ended.
        expect(booked.filter((other) => other.id < one.id && isWaiting(other))).toEqual([]);
        one.handedAt = clock.at;
      }
      return handed;
    };
    const take = (handed: readonly HandedInstruction[]): void =>
      void inbox.push(...handed.map((instruction) => ({ instruction, at: clock.at })));

    const carryOut = (which: number, fails = false): void => {
      if (inbox.length === 0) return;
      const [{ instruction, at }] = inbox.splice(which % inbox.length, 1) as [
        (typeof inbox)[number],
      ];
      const { id, action, parameter, value, withinSeconds } = instruction;
      if (clock.at - at > withinSeconds * 1000) return;
      if (fails) return void outbox.push({ id, ok: false, error: 'the bus is silent' });
      if (action === 'read') return void outbox.push({ id, ok: true, value: values[parameter]! });
      values[parameter] = value!;
      bookedOf(id).writes += 1;
      outbox.push({ id, ok: true });
    };
    /** Which instructions were answered, so that a repetition is expected to count nothing. */
    const answered = new Set<string>();
    const wasWrite = new Set<string>();
    const report = async (
      instance: CommandExchange,
      which: number,
      again: boolean,
    ): Promise<void> => {
      if (outbox.length === 0) return;
      const result = outbox[which % outbox.length]!;
      if (!again) outbox.splice(outbox.indexOf(result), 1);
      const { accepted, duplicate, refused } = await instance.results(await sender(), () => [
        result,
      ]);
      expect([refused, accepted + duplicate]).toEqual([[], 1]);
      if (answered.has(result.id)) expect(accepted).toBe(0);
      answered.add(result.id);
      const one = bookedOf(result.id);
      if (accepted === 0) return;
      if (wasWrite.has(result.id)) one.confirmed ||= result.ok;
      else if (one.handedAt === null && one.ended === null) {
        if (!result.ok) one.ended = 'unreadable';
        else if (result.value === one.value) one.ended = 'had it already';
      }
    };

    const expected = (one: Booked): readonly string[] => {
      if (one.ended === 'had it already') return ['verified'];
      if (one.ended === 'unreadable') return ['failed'];
      if (one.ended !== null) return [one.ended];
      if (one.handedAt === null) return ['queued'];
      return one.confirmed ? ['confirmed', 'verified', 'failed'] : ['sent', 'verified', 'failed'];
    };
    const compare = async (): Promise<void> => {
      const stored = await database()
        .db.selectFrom('command')
        .select(['id', 'state', 'expiresAt'])
        .where('deviceId', '=', here.deviceId)
        .execute();
      for (const one of booked) {
        const { state } = stored.find(({ id }) => id === one.id)!;
        // What time alone ends is stored when somebody looks.
        const allowed = one.ended === 'expired' ? ['queued', 'expired'] : expected(one);
        expect([one, allowed.includes(state) || state]).toEqual([one, true]);
        expect(one.writes).toBeLessThanOrEqual(1);
        if (one.ended !== null) expect(one.writes).toBe(0);
      }
    };

    for (const step of steps) {
      passTime();
      const instance = 'by' in step ? instances[step.by]! : instances[0]!;
      if (step.do === 'send') {
        const { parameter, value, expirySeconds } = step;
        const { id } = await scene.send(here, parameter, value, { expirySeconds });
        for (const other of booked)
          if (other.parameter === parameter && isWaiting(other)) other.ended = 'superseded';
        booked.push({
          id,
          parameter,
          value,
          expiresAt: clock.at + expirySeconds * 1000,
          ended: null,
          handedAt: null,
          writes: 0,
          confirmed: false,
        });
      } else if (step.do === 'cancel' && booked.length > 0) {
        const one = booked[step.which % booked.length]!;
        const outcome = scene.ask('command/cancel', here.owner, { id: one.id });
        if (isWaiting(one)) {
          await outcome;
          one.ended = 'cancelled';
        } else await expect(outcome).rejects.toMatchObject({ code: 'noPermission' });
      } else if (step.do === 'fetch') {
        const handed = await fetch(instance);
        for (const { id, action } of handed) if (action === 'write') wasWrite.add(id);
        if (!step.lost) take(handed);
      } else if (step.do === 'fetchTwice') {
        const handed = (await Promise.all(instances.map(fetch))).flat();
        expect(handed.length).toBeLessThanOrEqual(1);
        for (const { id, action } of handed) if (action === 'write') wasWrite.add(id);
        take(handed);
      } else if (step.do === 'carryOut') carryOut(step.which, step.fails);
      else if (step.do === 'report') await report(instance, step.which, step.again);
      else if (step.do === 'forget') inbox.length = 0;
      else if (step.do === 'wait') clock.at += step.seconds * 1000;
      else if (step.do === 'time') await scene.runTime(storages[step.by]!.db);
      passTime();
      await compare();
    }

    // From now on all goes well, and every command comes to its end.
    for (let round = 0; round < 200 && booked.some(() => true); round++) {
      passTime();
      await scene.runTime();
      const handed = await fetch(instances[round % 2]!);
      for (const { id, action } of handed) if (action === 'write') wasWrite.add(id);
      take(handed);
      while (inbox.length > 0) carryOut(0);
      while (outbox.length > 0) await report(instances[(round + 1) % 2]!, 0, false);
      await compare();
      const open = await database()
        .db.selectFrom('command')
        .select('id')
        .where('deviceId', '=', here.deviceId)
        .where('endedAt', 'is', null)
        .execute();
      if (open.length === 0) break;
      clock.at += handed.length > 0 ? 100 : 6_000;
    }
    const rows = await database()
      .db.selectFrom('command')
      .selectAll()
      .where('deviceId', '=', here.deviceId)
      .orderBy('id')
      .execute();
    expect(rows.map(({ id }) => id)).toEqual(booked.map(({ id }) => id));
    for (const [i, one] of booked.entries()) {
      const { state, endedAt } = rows[i]!;
      expect(endedAt).not.toBe(null);
      if (one.ended === 'expired') expect(state).toBe('expired');
      // The device takes what it is given: what reached it is verified, what did not is not.
      if (one.writes === 1) expect([one, state]).toEqual([one, 'verified']);
      if (one.handedAt !== null && one.writes === 0)
        expect(['failed', 'verified']).toContain(state);
    }
  }

  test(
    'is as kept by somebody who sees everything, whatever is lost, repeated, reordered or done by two at once (C14)',
    { timeout: effort(180_000, 1_800_000) },
    async () => {
      const storages = [openStorage(database().address), openStorage(database().address)];
      const instances = storages.map(({ db }) =>
        createExchange({
          db,
          clock,
          limit: createReportLimit({ buckets: ownBuckets(clock), perSecond: null }),
        }),
      );
      try {
        await fc.assert(
          fc.asyncProperty(actions, async (steps) =>
            play(steps, instances, storages, await scene.home()),
          ),
          { numRuns: effort(40, 1_000) },
        );
      } finally {
        for (const storage of storages) await storage.close();
      }
    },
  );
});
