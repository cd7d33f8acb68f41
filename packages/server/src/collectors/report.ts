import type { Clock } from '../kernel/clock.ts';
import type { Db } from '../storage/database.ts';
import type { ReportingCollector, Sender } from './authenticate.ts';
import { markPosted } from './presence.ts';

/** What a collector reports at once, however it was carried. */
export interface Report {
  /** Each should be a Reading; undefined = one that is not even JSON. */
  readonly readings: readonly unknown[];
  /** Each should be a ReportedAlarm; undefined when none were sent. */
  readonly alarms?: readonly unknown[] | undefined;
}

/** What became of some parts of a report. */
export interface Outcome {
  /** What was new or changed something. */
  readonly accepted: number;
  /** What was known. */
  readonly duplicate: number;
  /** What was not stored, by its place in the report. */
  readonly refused: readonly { readonly index: number; readonly reason: string }[];
}

/** What became of a report: of its readings, and of the alarms that came along. */
export interface ReportOutcome extends Outcome {
  readonly alarms?: Outcome | undefined;
}

/** Stores what a collector hands over. When it resolves, what it accepted is durable; when it rejects, the same report may be sent again. */
export type TakeReport = (collector: ReportingCollector, report: Report) => Promise<ReportOutcome>;

export interface ReportDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** Where readings and alarms go; each asks again whether the sender may (holdSender). */
  readonly storeReadings: (sender: Sender, readings: readonly unknown[]) => Promise<Outcome>;
  readonly storeAlarms: (sender: Sender, alarms: readonly unknown[]) => Promise<Outcome>;
}

/** The one way in for reports, over whatever protocol they come. */
export function createReports({ db, clock, storeReadings, storeAlarms }: ReportDeps): TakeReport {
  return async (collector, { readings, alarms }) => {
    const sender: Sender = { collectorId: collector.id, tokenId: collector.tokenId };
    const outcome = await storeReadings(sender, readings);
    const ofAlarms = alarms && (await storeAlarms(sender, alarms));
    await markPosted(db, collector, clock.now());
    return { ...outcome, alarms: ofAlarms };
  };
}
