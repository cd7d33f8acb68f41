import type { Clock, Pause } from '../clock.ts';
import { createDoubts } from './doubts.ts';
import { BusFault } from './faults.ts';
import type { Arrival, CreateFraming, Framing } from './framing.ts';
import type { Dial, Line } from './line.ts';
import { createLock, type Precedence } from './lock.ts';
import { answerTo, shapeOf, type ModbusRequest } from './modbus-pdu.ts';

export interface MasterOptions {
  readonly dial: Dial;
  readonly createFraming: CreateFraming;
  /** The host or the port, for messages. */
  readonly name: string;
  readonly timeoutMs: number;
  /** Least time between an answer and the next request. */
  readonly gapMs: number;
  readonly clock: Clock;
  readonly pause: Pause;
}

/** What happened on a bus since it was made. */
export interface BusCounters {
  requests: number;
  answers: number;
  timeouts: number;
  /** What came and was no answer to the request of that moment. */
  strays: number;
  reconnects: number;
}

/** The bus, while one user has it for itself. */
export interface Channel {
  /** The words read, or those written. Rejects with BusFault or ModbusException. */
  request(request: ModbusRequest): Promise<readonly number[]>;
}

/** Asks the units of one bus, one request at a time over one connection. */
export interface Master {
  readonly counters: Readonly<BusCounters>;
  /**
   * Gives somebody the bus for themselves. Where answers have no number, an answer that was taken for another one
   * shows at the latest by the exchange that follows: so one follows, and this rejects if what was read is doubtful.
   */
  hold<T>(use: (channel: Channel) => Promise<T>, precedence: Precedence): Promise<T>;
  /** Closes the connection until the next request, for a device that has only one. */
  release(): Promise<void>;
  close(): void;
}

/** With so many requests in a row unanswered, an open connection is taken for a dead one. */
const SILENT_AT_MOST = 3;
/** For so many times the time-out, an answer may still come late, or once more. */
const DOUBTED_TIMES = 10;
/** Equal answers of many requests are mostly zeros at night. */
const READ_AGAIN_AT_MOST = 3;

interface Pending {
  readonly request: ModbusRequest;
  resolve(words: readonly number[]): void;
  reject(reason: Error): void;
}

export function createMaster(options: MasterOptions): Master {
  const { dial, createFraming, name, timeoutMs, gapMs, clock, pause } = options;
  const counters = { requests: 0, answers: 0, timeouts: 0, strays: 0, reconnects: 0 };
  const lock = createLock();
  /** Where only their look tells answers apart. */
  const doubts = createDoubts(clock, DOUBTED_TIMES * timeoutMs, () => counters.answers);
  let open: { readonly line: Line; readonly framing: Framing } | undefined;
  let pending: Pending | undefined;
  let last: ModbusRequest | undefined;
  let [readyAt, silentInARow, disturbances, dialled, isStopped] = [0, 0, 0, 0, false];

  function drop(reason?: BusFault): void {
    if (open) readyAt = clock.now() + gapMs;
    open?.line.close();
    open = undefined;
    if (reason) pending?.reject(reason);
  }

  async function rest(): Promise<void> {
    const wait = readyAt - clock.now();
    if (wait > 0) await pause(Math.min(wait, gapMs));
  }

  async function opened(): Promise<{ line: Line; framing: Framing }> {
    if (isStopped) throw new BusFault('stopped', `${name} was closed`);
    if (open) return open;
    // A device with one connection has to notice that the last one has ended.
    await rest();
    const limit = new AbortController();
    const done = new AbortController();
    pause(timeoutMs, done.signal).then(
      () => limit.abort(),
      () => {},
    );
    const framing = createFraming();
    const mine: { line?: Line } = {};
    const isOpen = (): boolean => open !== undefined && open.line === mine.line;
    const events = {
      onBytes: (bytes: Buffer) => {
        for (const arrival of framing.take(bytes)) if (isOpen()) take(arrival, framing);
      },
      onEnd: () => isOpen() && drop(new BusFault('ended', `${name} has closed the connection`)),
    };
    if (dialled++ > 0) counters.reconnects++;
    try {
      mine.line = await dial(events, limit.signal);
    } finally {
      done.abort();
    }
    if (isStopped) mine.line.close();
    return (open = { line: mine.line, framing });
  }

  function take(arrival: Arrival, framing: Framing): void {
    if (arrival.kind === 'greeting') return open?.line.send(arrival.bytes);
    if (arrival.kind === 'answer' && isAnswered(arrival, framing)) return;
    counters.strays++;
    if (arrival.kind === 'broken')
      return drop(new BusFault('stray', `${name} answers in no form of this protocol`));
    // A frame with a number cannot be mistaken, and noise or another unit's answer neither.
    if (framing.isNumbered || arrival.kind === 'noise') return;
    if (pending && arrival.unit !== pending.request.unit) return;
    const doubted = pending?.request ?? last;
    if (doubted) doubts.missed(doubted);
    disturbances++;
    drop(strayFault());
  }

  function isAnswered(arrival: Arrival & { kind: 'answer' }, framing: Framing): boolean {
    if (!pending || !arrival.isCurrent || arrival.unit !== pending.request.unit) return false;
    try {
      const words = answerTo(pending.request, arrival.pdu, framing.isNumbered);
      if (!words) return false;
      pending.resolve(words);
    } catch (exception) {
      // A refusal is an answer as well.
      pending.reject(exception as Error);
    }
    counters.answers++;
    silentInARow = 0;
    return true;
  }

  async function exchange(request: ModbusRequest): Promise<readonly number[]> {
    await rest();
    const { line, framing } = await opened();
    const done = new AbortController();
    const words = await new Promise<readonly number[]>((resolve, reject) => {
      pending = { request, resolve, reject };
      counters.requests++;
      last = request;
      line.send(framing.encode(request));
      pause(timeoutMs, done.signal).then(
        () => giveUp(request, framing),
        () => {},
      );
    }).finally(() => {
      pending = undefined;
      readyAt = clock.now() + gapMs;
      done.abort();
    });
    // The answer may come once more, whatever was asked for its look alone included.
    if (!framing.isNumbered && 'count' in request) doubts.answered(request, words);
    return words;
  }

  function giveUp(request: ModbusRequest, framing: Framing): void {
    counters.timeouts++;
    silentInARow++;
    const silent = new BusFault('silent', `${name}, unit ${request.unit}, does not answer`);
    if (!framing.isNumbered) doubts.missed(request);
    const isLost = !framing.isNumbered || framing.isInside || silentInARow >= SILENT_AT_MOST;
    if (isLost) drop(silent);
    else pending?.reject(silent);
  }

  /** Without numbers, an answer that comes late differs from the next one by its look alone. */
  async function separate(request: ModbusRequest): Promise<void> {
    const doubted = doubts.of(request.unit);
    const isAlike = last && shapeOf(last) === shapeOf(request);
    if (doubted.length === 0 && !isAlike) return;
    try {
      await exchange(separatorOf([request, ...doubted]));
    } catch (error) {
      if (error instanceof BusFault) throw error;
      // The refusal may be the late answer itself; then the real one follows soon, and is a stray.
      if (doubted.length > 0) await pause(timeoutMs);
      if (!open) throw strayFault();
    }
  }

  const strayFault = (): BusFault =>
    new BusFault('stray', `${name} sent an answer to another request`);

  /** What may be another request's answer is read again: every one of them would have to be late, and the same. */
  async function unmistaken(request: ModbusRequest): Promise<readonly number[]> {
    const words = await exchange(request);
    if (!('count' in request)) return words;
    const alike = Math.min(doubts.concern(request, words), READ_AGAIN_AT_MOST);
    for (let times = 0; times < alike; times++) {
      const again = await exchange(request);
      if (again.join() !== words.join()) {
        counters.strays++;
        disturbances++;
        doubts.missed(request);
        drop();
        throw strayFault();
      }
    }
    return words;
  }

  const channel: Channel = {
    async request(request) {
      const { framing } = await opened();
      if (framing.isNumbered) return exchange(request);
      await separate(request);
      return unmistaken(request);
    },
  };

  async function believed<T>(use: (channel: Channel) => Promise<T>): Promise<T> {
    const [strangeBefore, askedBefore] = [disturbances, counters.requests];
    const result = await use(channel);
    if (open && !open.framing.isNumbered && last && counters.requests > askedBefore) {
      const recent = last;
      await exchange(separatorOf([recent], 1 + (counters.requests % 3))).catch((error) => {
        if (error instanceof BusFault) throw error;
      });
    }
    if (disturbances > strangeBefore) throw strayFault();
    return result;
  }

  return {
    counters,
    hold: (use, precedence) => lock.hold(() => believed(use), precedence),
    release: () => lock.hold(async () => drop(), 'poll'),
    close() {
      isStopped = true;
      drop(new BusFault('stopped', `${name} was closed`));
    },
  };
}

/** A harmless request whose answer looks unlike those of the given ones. */
function separatorOf(
  earlier: readonly [ModbusRequest, ...ModbusRequest[]],
  from = 1,
): ModbusRequest {
  const [{ unit, fn, address }] = earlier;
  const shapes = new Set(earlier.map(shapeOf));
  for (let count = from; ; count++) {
    const at = Math.min(address, 0x10000 - count);
    const separator = { unit, fn: fn === 4 ? 4 : 3, address: at, count } as const;
    if (!shapes.has(shapeOf(separator))) return separator;
  }
}
