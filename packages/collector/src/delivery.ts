import type { Clock, Pause } from './clock.ts';
import { merged, countMergeable, type Report, type ReportOutcome } from './report.ts';
import type { Backlog } from './backlog/backlog.ts';
import type { Link, Setback, Urgency } from './link.ts';
import { ownFault } from './own-fault.ts';
import { pauseAfter } from './pauses.ts';

export interface DeliveryDeps {
  readonly link: Link;
  readonly backlog: Backlog;
  readonly clock: Clock;
  readonly pause: Pause;
  /** Ends the delivery. */
  readonly signal: AbortSignal;
  onDelivered(outcome: ReportOutcome, report: Report, urgency: Urgency): void;
  onSetback(setback: Setback): void;
}

/** Delivers reports one message at a time: current ones first, then the backlog, oldest first. */
export interface Delivery {
  /** Returns whether the report is in the backlog; otherwise it is in memory only. */
  add(report: Report, urgency: Urgency): boolean;
  /** Resolves as soon as everything is delivered. */
  whenDelivered(): Promise<void>;
  /** Resolves once the signal has ended the delivery. */
  readonly ended: Promise<void>;
}

/** So many reports wait in memory if the backlog takes none; beyond, the oldest are dropped. */
const UNKEPT_AT_MOST = 1_000;
/** A waiting report counts as current for this long. */
const LIVE_MS = 60_000;

interface Message {
  readonly keys: readonly number[];
  readonly report: Report;
  readonly urgency: Urgency;
  /** The report in memory that it is. */
  readonly of?: LiveReport;
}

interface LiveReport {
  readonly key: number | undefined;
  readonly report: Report;
  readonly addedAt: number;
}

export function createDelivery(deps: DeliveryDeps): Delivery {
  const { link, backlog, clock, pause, signal, onDelivered, onSetback } = deps;
  let live: LiveReport[] = [];
  let ring = (): void => {};
  let settled: (() => void)[] = [];
  /** Set after the server has refused several reports in one message, in order to find the bad one. */
  let isSingle = false;
  /** Less than the link allows, where something on the way takes no messages of that size. */
  let bytesAtMost = link.reportBytes;

  const isIdle = (): boolean => live.length === 0 && backlog.waiting === 0;

  function next(): Message | undefined {
    const isRecent = ({ addedAt }: LiveReport): boolean =>
      Math.abs(clock.now() - addedAt) < LIVE_MS;
    live = live.filter((one) => one.key === undefined || isRecent(one));
    const first = live.find(isRecent) ?? live[0];
    if (first)
      return {
        keys: first.key === undefined ? [] : [first.key],
        report: first.report,
        urgency: isRecent(first) ? 'live' : 'backlog',
        of: first,
      };
    const kept = backlog.oldest(isSingle ? 1 : bytesAtMost);
    const together = kept.slice(0, countMergeable(kept.map(({ report }) => report)));
    if (together.length === 0) return undefined;
    return {
      keys: together.map(({ key }) => key),
      report: merged(together.map(({ report }) => report)),
      urgency: 'backlog',
    };
  }

  function forget({ keys, of }: Message): void {
    live = live.filter((one) => one !== of);
    backlog.remove(keys);
  }

  /** Failures in a row. */
  let failures = 0;

  async function failed(setback: Setback): Promise<void> {
    failures += 1;
    onSetback(setback);
    await pause(pauseAfter(failures, setback.pauseMs, Math.random()), signal).catch(() => {});
  }

  async function deliver(message: Message): Promise<void> {
    const answer = await link.report({ ...message.report, sentAt: clock.now() }, message.urgency);
    if (signal.aborted) return;
    if ('value' in answer) {
      [failures, isSingle] = [0, false];
      forget(message);
      return onDelivered(answer.value, message.report, message.urgency);
    }
    const { setback } = answer;
    if (setback.cause !== 'malformed') {
      if (setback.isTooLarge && message.keys.length > 1)
        bytesAtMost = Math.ceil(Math.min(bytesAtMost, JSON.stringify(message.report).length) / 2);
      return failed(setback);
    }
    onSetback(setback);
    if (message.keys.length > 1) isSingle = true;
    else forget(message);
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        const message = next();
        if (message) await deliver(message);
        else {
          for (const resolve of settled.splice(0)) resolve();
          await new Promise<void>((resolve) => (ring = resolve));
        }
      } catch (error) {
        // What is kept cannot be read at present, say.
        await failed(ownFault(error));
      }
    }
  }

  signal.addEventListener('abort', () => ring(), { once: true });
  const ended = run();

  return {
    add(report, urgency) {
      let key: number | undefined;
      try {
        key = backlog.add(report);
      } catch (error) {
        // It can still be delivered from memory.
        onSetback({
          cause: 'away',
          reason: `the backlog cannot be written: ${(error as Error).message}`,
        });
      }
      if (urgency === 'live' || key === undefined) live.push({ key, report, addedAt: clock.now() });
      const unkept = live.filter((one) => one.key === undefined);
      if (unkept.length > UNKEPT_AT_MOST) live = live.filter((one) => one !== unkept[0]);
      ring();
      return key !== undefined;
    },
    whenDelivered: () =>
      isIdle() ? Promise.resolve() : new Promise((resolve) => settled.push(resolve)),
    ended,
  };
}
