import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createEgress } from '../../../packages/server/src/platform/egress/egress.ts';
import { openSink } from '../../../packages/server/src/outbound/sinks/open.ts';
import type {
  OpenDestination,
  DeliveryOutcome,
  OutgoingEvent,
  Sink,
  SinkDeps,
} from '../../../packages/server/src/outbound/sinks/sink.ts';
import { makeEvents } from './events.ts';
import { faults, type Fault, type Gate } from './gate.ts';

/** What a peer says that it has received. */
export interface Received {
  readonly id: string;
  readonly body: string;
}

/** A receiver behind a gate. */
export interface Peer {
  readonly gate: Gate;
  /** Through the gate, with everything that the peer asks for. */
  readonly destination: OpenDestination;
  /** In the order of arrival, repetitions included. */
  received(): readonly Received[];
}

export const LOOPBACK = ['127.0.0.0/8'];

/** A clock near the real one: receivers compare the times of webhooks with theirs. */
export function createClock(): { now(): number; advance(ms: number): void } {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    advance(ms) {
      ahead += ms;
    },
  };
}

export const silent = pino({ level: 'silent' });

export const unstopped = new AbortController().signal;

export const delivered: DeliveryOutcome = { kind: 'delivered' };

/** Sends until it succeeds; clients reconnect after pauses of their own. */
export const sendUntilDelivered = (sink: Sink, events: readonly OutgoingEvent[]): Promise<void> =>
  vi.waitFor(async () => expect(await sink.send(events, unstopped)).toEqual(delivered), {
    timeout: 60_000,
    interval: 50,
  });

interface SuiteOptions {
  readonly peer: () => Peer;
  /** Time limit of attempts that fail: what a client needs to connect, and not much more. */
  readonly limitMs: number;
  /** How a peer fails that has never been met; clients that take seconds to see it are tried with few. */
  readonly strangers?: readonly Fault[];
}

/** What every sink does, whatever its transport. */
export function describeSink({ peer, limitMs, strangers = faults }: SuiteOptions): void {
  describe('like every sink', () => {
    const clock = createClock();
    const sinks: Sink[] = [];
    const open = async (
      deps: Partial<SinkDeps> = {},
      destination = peer().destination,
    ): Promise<Sink> => {
      const sink = await openSink(destination, {
        egress: createEgress({ allow: LOOPBACK }),
        clock,
        logger: silent,
        ...deps,
      });
      sinks.push(sink);
      return sink;
    };
    /** What has arrived of these events, without repetitions. */
    const arrived = (events: readonly OutgoingEvent[]): Received[] => {
      const ids = new Set(events.map(({ id }) => id));
      return [
        ...new Map(
          peer()
            .received()
            .flatMap((one) => (ids.has(one.id) ? [[one.id, one] as const] : [])),
        ).values(),
      ];
    };
    const expectArrival = (events: readonly OutgoingEvent[]): Promise<void> =>
      vi.waitFor(() => {
        expect(arrived(events).map(({ id, body }) => ({ id, body }))).toEqual(
          events.map(({ id, body }) => ({ id, body })),
        );
      }, 60_000);
    /** As a dispatcher sends: no more at once than the sink takes. */
    const sendAll = async (sink: Sink, events: readonly OutgoingEvent[]): Promise<void> => {
      for (let i = 0; i < events.length; i += sink.atMost)
        expect(await sink.send(events.slice(i, i + sink.atMost), unstopped)).toEqual(delivered);
    };

    afterEach(async () => {
      await Promise.all(sinks.splice(0).map((sink) => sink.close()));
    });

    test('delivers events in their order, byte for byte', async () => {
      const events = makeEvents(12);
      await sendAll(await open(), events);
      await expectArrival(events);
    });

    test('delivers events of several devices at a time, each in its order', async () => {
      const sink = await open();
      const devices = ['A/1', 'B+2', 'C#3', null];
      const lines = devices.map((device) => makeEvents(5, [device]));
      await Promise.all(lines.map((line) => sendAll(sink, line)));
      for (const line of lines) await expectArrival(line);
    });

    test.each(faults)(
      'says so in time when the peer fails (%s), and delivers once it is back, without being opened again',
      async (fault) => {
        const { gate } = peer();
        const sink = await open({ limitMs });
        const [before, after] = [makeEvents(1), makeEvents(3)];
        // On a busy machine, even connecting may take longer than the limit of this test.
        await sendUntilDelivered(sink, before);
        await gate.fail(fault);
        const outcome = await sink.send(after.slice(0, sink.atMost), unstopped);
        expect(outcome).toMatchObject({ kind: 'failed', reason: expect.stringMatching(/\w{5}/) });
        await gate.heal();
        for (let i = 0; i < after.length; i += sink.atMost)
          await sendUntilDelivered(sink, after.slice(i, i + sink.atMost));
        await expectArrival([...before, ...after]);
      },
    );

    test.each(strangers)('says so in time when it has never met its peer (%s)', async (fault) => {
      await peer().gate.fail(fault);
      const sink = await open({ limitMs });
      expect(await sink.send(makeEvents(1), unstopped)).toMatchObject({ kind: 'failed' });
      await peer().gate.heal();
    });

    test('ends at once when it is asked to, and sends nothing of it later', async () => {
      const { gate } = peer();
      const sink = await open();
      const [first, stopped, last] = [makeEvents(1), makeEvents(1), makeEvents(1)];
      await sendAll(sink, first);
      await gate.fail('hang');
      const stop = new AbortController();
      const sending = sink.send(stopped, stop.signal);
      await setImmediate();
      stop.abort();
      expect(await sending).toEqual({ kind: 'failed', reason: 'stopped' });
      await gate.heal();
      await sendUntilDelivered(sink, last);
      await expectArrival(last);
      expect(arrived(stopped)).toEqual([]);
      expect(await sink.send(stopped, stop.signal), 'asked before it began').toEqual({
        kind: 'failed',
        reason: 'stopped',
      });
    });

    test('connects to no host that it may not reach', async () => {
      const { gate } = peer();
      const before = gate.accepted;
      const sink = await open({ egress: createEgress({ allow: [] }) });
      expect(await sink.send(makeEvents(1), unstopped)).toEqual({
        kind: 'failed',
        reason: 'the host is not on the public internet',
      });
      expect(gate.accepted).toBe(before);
    });

    test('trusts the certificate authorities of its destination alone', async () => {
      const { destination } = peer();
      const sink = await open({ limitMs }, { ...destination, caCertificates: null });
      const events = makeEvents(1);
      expect(await sink.send(events, unstopped)).toMatchObject({ kind: 'failed' });
      expect(arrived(events)).toEqual([]);
    });

    test('leaves no connection behind when it is closed', async () => {
      const { gate } = peer();
      const sink = await open();
      await sendAll(sink, makeEvents(2));
      expect(gate.open).toBeGreaterThan(0);
      await sink.close();
      await vi.waitFor(() => expect(gate.open).toBe(0), 60_000);
      await (await open()).close();
    });
  });
}
