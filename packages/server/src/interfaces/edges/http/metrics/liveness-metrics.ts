import type { Registry } from 'prom-client';
import type { TakeReport } from '../../../../fleet/collectors/report.ts';
import type { ResultDeps } from '../../../../control/commands/results.ts';
import { declareHistogram } from './declared.ts';

/** Measures how long it takes from the arrival of a report until its readings are durable, which is when `inverterDetail` shows them. */
export function timingReports(registry: Registry, take: TakeReport): TakeReport {
  const durations = declareHistogram(registry, 'helioport_report_readable_seconds');
  return async (collector, report) => {
    const end = durations.startTimer();
    const outcome = await take(collector, report);
    if (!report.isBacklog) end();
    return outcome;
  };
}

/** Measures how long it takes until a command is verified. */
export function timingCommands(registry: Registry): Required<ResultDeps>['onVerified'] {
  const durations = declareHistogram(registry, 'helioport_command_verified_seconds');
  return (action, seconds) => durations.observe({ action }, seconds);
}
