import type { Backlog } from './backlog/backlog.ts';
import { createMemoryBacklog } from './backlog/memory-backlog.ts';
import { systemClock, systemUptime, timerPause, type Clock, type Pause } from './clock.ts';
import { createDelivery } from './delivery.ts';
import type { DeviceAccess } from './instruction.ts';
import type { Link, Setback, Urgency } from './link.ts';
import { NotAccepted } from './not-accepted.ts';
import { obey } from './obey.ts';
import { ownFault } from './own-fault.ts';
import { pauseAfter } from './pauses.ts';
import type { Report, ReportOutcome } from './report.ts';

export interface CollectorOptions {
  /** The link to the server, which the collector closes; create one with `openLink`. */
  readonly link: Link;
  /** Keeps reports until they are delivered; the collector closes it. By default, memory for up to 1,000 reports. */
  readonly backlog?: Backlog;
  /** Access to the devices; without it, the collector does not fetch instructions. */
  readonly devices?: DeviceAccess;
  /** Whether devices are on several buses, so that an instruction need not wait for one of another device. */
  readonly areApart?: boolean;
  /** Called when the server has accepted a report, or several reports of the backlog in one message. */
  readonly onDelivered?: (outcome: ReportOutcome, report: Report, urgency: Urgency) => void;
  /** Called when an attempt has failed; the collector continues by itself. */
  readonly onSetback?: (setback: Setback) => void;
  readonly clock?: Clock;
  /** Milliseconds since any instant; never set. */
  readonly uptime?: () => number;
  readonly pause?: Pause;
}

/** Reports for devices, and carries out instructions. */
export interface Collector {
  /**
   * Takes a report. When this returns, the report is in the backlog and will eventually be delivered, even if the process is
   * killed. Current reports are delivered before older ones. `backlog`: it is not current, such as what a logger had kept.
   * Returns false if the backlog did not take it, so that it is in memory only.
   */
  report(report: Report, urgency?: Urgency): boolean;
  /** Resolves as soon as everything is delivered; never, if the collector is closed before. */
  whenDelivered(): Promise<void>;
  /**
   * Delivers a report without the backlog, repeating until it is accepted: for programs that can report it again, such as an import
   * of a file. Rejects with NotAccepted if the server refuses it or this collector, or with the signal's reason.
   */
  deliver(report: Report, options?: DeliverOptions): Promise<ReportOutcome>;
  /** Stops the collector. Undelivered reports stay in the backlog. */
  close(): Promise<void>;
}

export interface DeliverOptions {
  readonly urgency?: Urgency;
  readonly signal?: AbortSignal | undefined;
}

/** Starts a collector. */
export function createCollector(options: CollectorOptions): Collector {
  const {
    link,
    backlog = createMemoryBacklog(),
    devices,
    areApart = false,
    clock = systemClock,
    uptime = systemUptime,
    pause = timerPause,
  } = options;
  const onSetback = (setback: Setback): void => {
    try {
      options.onSetback?.(setback);
    } catch {
      // There is nobody else to tell, and what was told of goes on.
    }
  };
  const onDelivered: CollectorOptions['onDelivered'] = (...delivered) => {
    try {
      options.onDelivered?.(...delivered);
    } catch (error) {
      onSetback(ownFault(error));
    }
  };
  const closing = new AbortController();
  const { signal } = closing;
  const delivery = createDelivery({ link, backlog, clock, pause, signal, onDelivered, onSetback });
  const obeying =
    devices && obey({ link, devices, areApart, clock, uptime, pause, signal, onSetback });

  return {
    report: (report, urgency = 'live') => delivery.add(report, urgency),
    whenDelivered: () => delivery.whenDelivered(),
    async deliver(report, { urgency = 'live', signal: given } = {}) {
      const until = given ? AbortSignal.any([given, signal]) : signal;
      for (let failures = 1; ; failures++) {
        until.throwIfAborted();
        const answer = await link.report({ ...report, sentAt: clock.now() }, urgency);
        if ('value' in answer) return answer.value;
        until.throwIfAborted();
        if (answer.setback.cause !== 'away') throw new NotAccepted(answer.setback);
        onSetback(answer.setback);
        await pause(pauseAfter(failures, answer.setback.pauseMs, Math.random()), until);
      }
    },
    async close() {
      closing.abort(new Error('the collector was closed'));
      await Promise.all([link.close(), delivery.ended, obeying]);
      backlog.close();
    },
  };
}
