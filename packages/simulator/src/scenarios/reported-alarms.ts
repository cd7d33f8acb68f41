import type { ReportedAlarm } from '@helioport/collector';
import type { InverterSpecification, PlantSpecification } from '../specification.ts';
import type { Scenario } from './scenario.ts';

interface AlarmOfScenario {
  readonly code: string;
  readonly message: string;
  concerns(inverter: InverterSpecification): boolean;
}

/** Alarms that inverters report. They do not report a dead string, which the server has to detect. */
const alarms: Partial<Record<Scenario['kind'], AlarmOfScenario>> = {
  'grid-outage': { code: '1015', message: 'no grid', concerns: () => true },
  'dead-battery': {
    code: '1055',
    message: 'battery not connected',
    concerns: ({ battery }) => battery !== undefined,
  },
};

/** The alarms that begin or end after `afterAt`, up to and including `untilAt`. */
export function reportedAlarms(
  { inverters }: PlantSpecification,
  scenarios: readonly Scenario[],
  afterAt: number,
  untilAt: number,
): ReportedAlarm[] {
  const isDue = (at: number): boolean => at > afterAt && at <= untilAt;
  return scenarios.flatMap((scenario) => {
    const alarm = alarms[scenario.kind];
    if (!alarm) return [];
    const { code, message } = alarm;
    return inverters
      .filter(alarm.concerns)
      .flatMap(({ sn }): ReportedAlarm[] => [
        ...(isDue(scenario.fromAt)
          ? [{ sn, code, at: scenario.fromAt, level: 3 as const, message }]
          : []),
        ...(isDue(scenario.untilAt) ? [{ sn, code, at: scenario.untilAt, cleared: true }] : []),
      ]);
  });
}
