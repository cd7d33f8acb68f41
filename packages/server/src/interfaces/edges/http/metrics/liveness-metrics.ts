import { Histogram, type Registry } from 'prom-client';
import type { TakeReport } from '../../../../fleet/collectors/report.ts';
import type { ResultDeps } from '../../../../control/commands/results.ts';

// Upper bounds of the buckets, from a report of one device to one that waits for the disk.
const REPORT_BUCKETS_SECONDS = [
  0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];
// From a collector that waits to a device that was silent for a while.
const COMMAND_BUCKETS_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 300, 900];

/** Measures how long it takes from the arrival of a report until its readings are durable, which is when `inverterDetail` shows them. */
export function timingReports(registry: Registry, take: TakeReport): TakeReport {
  const durations = new Histogram({
    name: 'helioport_report_readable_seconds',
    help: 'Time from the arrival of a report until inverterDetail shows its readings; without backlogs, which are in no hurry',
    buckets: REPORT_BUCKETS_SECONDS,
    registers: [registry],
  });
  return async (collector, report) => {
    const end = durations.startTimer();
    const outcome = await take(collector, report);
    if (!report.isBacklog) end();
    return outcome;
  };
}

/** Measures how long it takes until a command is verified. */
export function timingCommands(registry: Registry): Required<ResultDeps>['onVerified'] {
  const durations = new Histogram({
    name: 'helioport_command_verified_seconds',
    help: 'Time from queueing a command until it was verified: a write read back, a read answered',
    labelNames: ['action'],
    buckets: COMMAND_BUCKETS_SECONDS,
    registers: [registry],
  });
  return (action, seconds) => durations.observe({ action }, seconds);
}
