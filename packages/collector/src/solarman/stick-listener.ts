import { DAY_MS, HOUR_MS, MINUTE_MS } from '@helioport/contract/durations';
import { createServer, type Server, type Socket } from 'node:net';
import type { Clock } from '../clock.ts';
import { BusFault } from '../bus/faults.ts';
import type { Dial, LineEvents } from '../bus/line.ts';
import { readPushed, type PushedReading } from './push-data.ts';
import { createRecent } from './recent.ts';
import { createV4Parser, type V4Reading } from './v4-frame.ts';
import {
  answerToGreeting,
  createV5Parser,
  encodeV5,
  isGreeting,
  V5_CODES,
  type V5Frame,
} from './v5-frame.ts';

export interface StickListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly clock: Clock;
  /** Serial numbers that may report; all if there are none. */
  readonly sticks: readonly number[];
  /** Whether the clock is right; until then nothing is answered, since an answer sets the stick's clock and has it delete its data. */
  readonly isTimeKnown?: () => boolean;
  /** Keeps a reading; the stick deletes its own copy once this has returned. */
  readonly onReading: (serial: number, reading: PushedReading & { readonly at: number }) => void;
}

export interface StickCounters {
  frames: number;
  /** Measurements that a stick had kept while it had no server. */
  kept: number;
  undated: number;
  repeated: number;
  /** Values that cannot be. */
  dropped: number;
  /** Connections that were ended: too many, too fast, or of a stick that may not report. */
  refused: number;
}

/** Takes what sticks push, as their maker's cloud does, and reaches them over the same connections. */
export interface StickListener {
  readonly counters: Readonly<StickCounters>;
  /** Serial numbers of sticks that wanted to report and may not. */
  readonly strangers: readonly number[];
  readonly port: number;
  /** Reaches a stick that is connected. */
  dial(serial: number): Dial;
  close(): Promise<void>;
}

const SOCKETS_AT_MOST = 32;
const STRANGERS_AT_MOST = 20;
/** Without a list, this many sticks may report. */
const STICKS_AT_MOST = 16;
/** A stick delivers what it has kept in a burst, but not more than this in a minute. */
const FRAMES_A_MINUTE = 1_200;
const IDLE_MS = 900_000;
/** A stick introduces itself at once. */
const FIRST_FRAME_MS = 30_000;
const V4_START = 0x68;
/** A measurement may be as late as a stick keeps any, and as early as a clock may be wrong. */
const [LATE_MS, EARLY_MS] = [7 * DAY_MS, HOUR_MS];

export async function listenToSticks(options: StickListenerOptions): Promise<StickListener> {
  const { host, port, clock, sticks, onReading, isTimeKnown = () => true } = options;
  const counters = { frames: 0, kept: 0, undated: 0, repeated: 0, dropped: 0, refused: 0 };
  const strangers = new Set<number>();
  const accepted = new Set(sticks);
  /** Those that have delivered a measurement; the others make room. */
  const proven = new Set(sticks);
  /** In the order in which they came, with the stick that spoke over each. */
  const sockets = new Map<Socket, number | undefined>();
  const connected = new Map<number, { readonly socket: Socket; readonly lines: Set<LineEvents> }>();
  const recent = createRecent();

  function mayReport(serial: number): boolean {
    if (accepted.has(serial)) return true;
    if (sticks.length === 0 && hasRoom()) {
      accepted.add(serial);
      return true;
    }
    if (strangers.size < STRANGERS_AT_MOST) strangers.add(serial);
    return false;
  }

  /** Whether one more stick may report; of those that only say who they are, the first makes room for it. */
  function hasRoom(): boolean {
    if (accepted.size < STICKS_AT_MOST) return true;
    const unproven = [...accepted].find((serial) => !proven.has(serial));
    return unproven !== undefined && accepted.delete(unproven);
  }

  /** Whether one more may connect; of those over which no stick has reported, the first makes room for it. */
  function hasSocket(): boolean {
    if (sockets.size < SOCKETS_AT_MOST) return true;
    for (const [socket, serial] of sockets)
      if (serial === undefined || !proven.has(serial)) {
        refuse(socket);
        return sockets.delete(socket);
      }
    return false;
  }

  function keep(serial: number, reading: PushedReading): void {
    const { at, isKept, dropped, sn } = reading;
    const now = clock.now();
    counters.dropped += dropped;
    if (at === undefined || at < now - LATE_MS || at > now + EARLY_MS) {
      counters.undated++;
      return;
    }
    const name = `${sn} ${at}`;
    if (recent.has(name)) {
      counters.repeated++;
      return;
    }
    if (isKept) counters.kept++;
    onReading(serial, { ...reading, at });
    proven.add(serial);
    recent.add(name);
  }

  function take(frame: V5Frame, socket: Socket): void {
    const { serial } = frame;
    counters.frames++;
    if (!mayReport(serial)) return refuse(socket);
    speaks(serial, socket);
    if (connected.get(serial)?.socket !== socket)
      connected.set(serial, { socket, lines: new Set() });
    if (!isGreeting(frame)) {
      const bytes = encodeV5(frame);
      for (const line of connected.get(serial)!.lines) line.onBytes(bytes);
      return;
    }
    if (frame.code === V5_CODES.data) {
      const reading = readPushed(frame);
      if (reading) keep(serial, reading);
    }
    // Last: the stick deletes what is answered.
    socket.write(answerToGreeting(frame, clock.now() / 1000));
  }

  /** Old sticks have no clock: what they push is of now, and nothing need be answered. */
  function takeOld({ serial, sn, values, dropped }: V4Reading, socket: Socket): void {
    counters.frames++;
    if (!mayReport(serial)) return refuse(socket);
    speaks(serial, socket);
    keep(serial, { sn, at: clock.now(), isKept: false, values, dropped });
  }

  function speaks(serial: number, socket: Socket): void {
    sockets.set(socket, serial);
    socket.setTimeout(IDLE_MS);
  }

  function refuse(socket: Socket): void {
    counters.refused++;
    socket.destroy();
  }

  const server: Server = createServer((socket) => {
    if (!isTimeKnown()) return void socket.destroy();
    if (!hasSocket()) return refuse(socket);
    sockets.set(socket, undefined);
    socket.setTimeout(FIRST_FRAME_MS, () => socket.destroy());
    socket.on('error', () => {});
    socket.once('close', () => {
      sockets.delete(socket);
      for (const [serial, one] of connected) {
        if (one.socket !== socket) continue;
        connected.delete(serial);
        for (const line of one.lines) line.onEnd();
      }
    });
    const parser = createV5Parser();
    let old: ReturnType<typeof createV4Parser> | undefined;
    let [minute, count, isFirst] = [0, 0, true];
    const isTooFast = (frames: number): boolean => {
      const now = Math.floor(clock.now() / MINUTE_MS);
      [minute, count] = [now, (now === minute ? count : 0) + frames];
      return count > FRAMES_A_MINUTE;
    };
    socket.on('data', (bytes: Buffer) => {
      if (isFirst && bytes[0] === V4_START) old = createV4Parser();
      isFirst = false;
      try {
        if (old) {
          const readings = old(bytes);
          if (isTooFast(readings.length)) return refuse(socket);
          for (const reading of readings) takeOld(reading, socket);
          return;
        }
        const frames = parser.take(bytes);
        if (isTooFast(frames.length) || parser.skipped > 65_536) return refuse(socket);
        for (const frame of frames) if (!socket.destroyed) take(frame, socket);
      } catch {
        // It could not be kept: without an answer, the stick keeps it and tries again.
        socket.destroy();
      }
    });
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });

  return {
    counters,
    get strangers() {
      return [...strangers];
    },
    port: (server.address() as { port: number }).port,
    dial: (serial) => async (events) => {
      const one = connected.get(serial);
      if (!one)
        throw new BusFault('unreachable', `stick ${serial} has not connected to this machine yet`);
      one.lines.add(events);
      return {
        send: (bytes) => void one.socket.write(bytes),
        // Only this side's use of the connection ends: it is the stick's own.
        close: () => void one.lines.delete(events),
      };
    },
    async close() {
      for (const socket of sockets.keys()) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
