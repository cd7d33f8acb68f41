import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  HEALTHY,
  isHeldAt,
  type Health,
} from '../../packages/server/src/outbound/delivery/health.ts';
import {
  after,
  next,
  nextOf,
  type DeliveryEvent,
  type DeliveryState,
} from '../../packages/server/src/outbound/delivery/machine.ts';
import {
  GIVEN_UP_AFTER_MS,
  MAILS,
  RETRY_AFTER_AT_MOST_MS,
} from '../../packages/server/src/outbound/delivery/schedule.ts';
import { effort } from '../support/effort.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** As docs/destinations.md says. */
const PAUSES = [1, 5, 30, 120, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map(
  (seconds) => seconds * SECOND,
);

interface Head {
  readonly no: number;
}
type State = DeliveryState<Head>;
const NEW: State = { health: HEALTHY, waiting: new Map() };
const FAILED = { kind: 'failed', reason: 'HTTP 500' } as const;

const stuck = (no: number, at: number, chance = 0.5): DeliveryEvent<Head> => ({
  is: 'stuck',
  key: 'device',
  head: { no },
  beyond: { no: no + 1 },
  outcome: FAILED,
  at,
  chance,
});
const sent = (
  kind: 'delivered' | 'failed',
  at: number,
  more: object = {},
  purpose = {},
): DeliveryEvent<Head> => ({
  is: 'sent',
  outcome: kind === 'delivered' ? { kind } : { ...FAILED, ...more },
  purpose,
  at,
  chance: 0.5,
});
const play = (state: State, events: readonly DeliveryEvent<Head>[]): State =>
  events.reduce((current, event) => after(current, next(current, event)), state);

test('what is never taken is tried after each pause of the schedule, give or take a fifth, and then given up for what comes after it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 13, maxLength: 13 }),
      (chances) => {
        let [state, at] = [NEW, 1_000_000];
        for (const [i, chance] of chances.entries()) {
          const change = next(state, stuck(7, at, chance));
          state = after(state, change);
          const device = state.waiting.get('device')!;
          if (i === PAUSES.length) {
            expect(change.dead).toEqual({ key: 'device', reason: 'HTTP 500', excerpt: null });
            expect(device).toMatchObject({ no: 8, attempts: 0, nextAt: 0 });
            return;
          }
          expect(change.dead).toBeUndefined();
          expect(device).toMatchObject({ no: 7, attempts: i + 1 });
          expect(device.nextAt - at).toBe(Math.round(PAUSES[i]! * (0.8 + 0.4 * chance)));
          at = device.nextAt;
        }
      },
    ),
  );
});

test('an e-mail is tried hourly in the end, and no longer than it is of use', () => {
  let [state, at] = [NEW, 0];
  const pauses: number[] = [];
  for (;;) {
    const change = next(state, {
      ...stuck(1, at),
      beyond: null,
      schedule: MAILS,
      endsAt: 5 * HOUR,
    } as DeliveryEvent<Head>);
    state = after(state, change);
    if (change.dead) break;
    const { nextAt } = state.waiting.get('device')!;
    pauses.push(nextAt - at);
    at = nextAt;
  }
  expect(pauses).toEqual([...PAUSES.slice(0, 6), HOUR, HOUR, HOUR, HOUR]);
  expect(at).toBeLessThanOrEqual(5 * HOUR);
  expect(state.waiting.size).toBe(0);
});

test('a circuit opens at seven failures of ten, is probed ever less often, and closes with the first success', () => {
  const failing = [stuck(1, 0), ...Array.from({ length: 9 }, (_, i) => sent('failed', i))];
  let state = play(NEW, failing);
  expect(isHeldAt(state.health, 9)).toBe(false);
  state = play(state, [sent('failed', 9)]);
  expect(state.health).toMatchObject({ probes: 1, nextAt: 9 + 5 * SECOND, failingSince: 0 });
  // Others that were under way when it opened say nothing new.
  state = play(state, [sent('failed', 10), sent('failed', 11)]);
  expect(state.health).toMatchObject({ probes: 1, nextAt: 9 + 5 * SECOND });
  const pauses: number[] = [];
  for (let probe = 0; probe < 8; probe++) {
    const at = state.health.nextAt;
    state = play(state, [sent('failed', at)]);
    pauses.push((state.health.nextAt - at) / SECOND);
  }
  expect(pauses).toEqual([10, 20, 40, 80, 160, 300, 300, 300]);
  state = play(state, [sent('delivered', state.health.nextAt)]);
  expect(state.health).toEqual(HEALTHY);
});

test('three successes among ten keep a circuit closed, and retries, whatever becomes of them, do not open it', () => {
  const outcomes = ['failed', 'failed', 'delivered'] as const;
  const mixed = Array.from({ length: 60 }, (_, i) => sent(outcomes[i % 3]!, i));
  expect(play(NEW, mixed).health.probes).toBe(0);
  const retries = Array.from({ length: 60 }, (_, i) => sent('failed', i, {}, { isRetry: true }));
  expect(play(NEW, retries).health).toMatchObject({ probes: 0, nextAt: 0, outcomes: '' });
});

test('when a probe succeeds, what waits is due at once, and its failed probe was no attempt of its schedule', () => {
  let state = play(NEW, [stuck(3, 0), stuck(3, 1_000), ...opening(2_000)]);
  const { attempts, nextAt } = state.waiting.get('device')!;
  expect(attempts).toBe(2);
  state = play(state, [stuck(3, nextAt - 1)]);
  expect(state.waiting.get('device')).toMatchObject({ attempts, nextAt });
  state = play(state, [sent('delivered', nextAt)]);
  expect(state.waiting.get('device')).toMatchObject({ no: 3, attempts: attempts - 1, nextAt: 0 });
});

test('Retry-After holds everything, for a day at most', () => {
  const held = (retryAfterMs: number) => play(NEW, [sent('failed', 5, { retryAfterMs })]).health;
  expect(held(MINUTE).nextAt).toBe(5 + MINUTE);
  expect(held(100 * HOUR).nextAt).toBe(5 + RETRY_AFTER_AT_MOST_MS);
});

test('a receiver ends after five days of failures only, or when it says so', () => {
  const fails = (...times: number[]): Health =>
    play(
      NEW,
      times.flatMap((at) => [sent('failed', at, {}, { isRetry: true }), stuck(1, at)]),
    ).health;
  expect(fails(0, GIVEN_UP_AFTER_MS - 1).endedFor).toBeNull();
  expect(fails(0, GIVEN_UP_AFTER_MS).endedFor).toBe(
    'nothing could be delivered for five days: HTTP 500',
  );
  const back = play(NEW, [sent('failed', 0), stuck(1, 0), sent('delivered', 1)]);
  expect(play(back, [sent('failed', GIVEN_UP_AFTER_MS)]).health.endedFor).toBeNull();
  // Nothing waits: what failed long ago was given up.
  expect(
    play(NEW, [sent('failed', 0), sent('failed', GIVEN_UP_AFTER_MS)]).health.endedFor,
  ).toBeNull();
  const gone = { is: 'sent', outcome: { kind: 'gone', reason: 'HTTP 410' }, purpose: {} } as const;
  expect(play(NEW, [{ ...gone, at: 1, chance: 0 }]).health.endedFor).toBe('HTTP 410');
});

/** Failures that open a circuit. */
const opening = (at: number): DeliveryEvent<Head>[] =>
  Array.from({ length: 10 }, () => sent('failed', at));

/** What a receiver does with each of the things that it is sent, and how long nobody looks. */
const tries = fc.array(
  fc.record({
    takes: fc.boolean(),
    waitMs: fc.integer({ min: 0, max: 30 * HOUR }),
    chance: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { minLength: 1, maxLength: 150 },
);

test('whatever a receiver does, each thing of a queue is taken once, in order, or given up, and the receiver is left alone for minutes at most', () => {
  fc.assert(
    fc.property(tries, (steps) => {
      const all = Array.from({ length: 12 }, (_, no) => no);
      const [taken, dead]: [number[], number[]] = [[], []];
      let [state, at, no] = [NEW, 0, 0];
      for (const { takes, waitMs, chance } of steps) {
        const { health, waiting } = state;
        const retry = waiting.get('device');
        no = retry?.no ?? no;
        if (no >= all.length || health.endedFor !== null) break;
        at = Math.max(at + waitMs, health.nextAt, health.probes > 0 ? 0 : (retry?.nextAt ?? 0));
        const moment = { at, chance };
        const events: readonly DeliveryEvent<Head>[] = [
          sent(takes ? 'delivered' : 'failed', at, {}, { isRetry: (retry?.attempts ?? 0) > 0 }),
          takes
            ? { is: 'advanced', key: 'device', head: { no: no + 1 }, ...moment }
            : stuck(no, at, chance),
        ];
        const given = JSON.stringify([health, ...waiting]);
        const change = nextOf(state, events);
        // A pure function: the same again, nothing that was given is another, and one event after the other comes to the same.
        expect(nextOf(state, events)).toEqual(change);
        expect(JSON.stringify([health, ...waiting])).toBe(given);
        expect(after(state, change)).toEqual(play(state, events));
        state = after(state, change);
        if (takes) taken.push(no);
        if (change.dead) dead.push(no);
        expect(state.health.nextAt).toBeLessThanOrEqual(at + 6 * MINUTE);
        if (!takes) expect(state.health.nextAt).toBeGreaterThanOrEqual(health.nextAt);
        else expect(state.health).toMatchObject({ probes: 0, failingSince: null });
      }
      const dealtWith = [...taken, ...dead].toSorted((a, b) => a - b);
      expect(dealtWith).toEqual(all.slice(0, dealtWith.length));
      expect(taken).toEqual(taken.toSorted((a, b) => a - b));
    }),
    { numRuns: effort(300, 20_000) },
  );
});
