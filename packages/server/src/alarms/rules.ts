import { communicationGaps } from './rules/gaps.ts';
import { gridFrequency, gridVoltage } from './rules/grid.ts';
import { noProduction } from './rules/no-production.ts';
import { staleValues } from './rules/stale-values.ts';
import { batteryTemperature, deviceTemperature } from './rules/temperature.ts';
import { weakString } from './rules/weak-string.ts';
import type { AlarmRule, SilenceRule } from './rule.ts';

/** A device that should report does not; the watch raises this alarm after half an hour (devices/silence.ts). */
export const offline: SilenceRule = {
  id: 'offline',
  code: 'H101',
  level: 2,
  message: 'the device does not report',
  advice: 'Check the power supply, the collector and its network.',
  kinds: ['inverter', 'collector', 'epm', 'weather', 'ammeter'],
  raiseAfterSeconds: 1800,
  clearAfterSeconds: 600,
};

/** The rules by which the service raises alarms from what devices report. */
export const rules: readonly AlarmRule[] = [
  noProduction,
  weakString,
  gridVoltage,
  gridFrequency,
  deviceTemperature,
  batteryTemperature,
  communicationGaps,
  staleValues,
];

const advices: ReadonlyMap<string, string> = new Map([offline, ...rules].map(({ code, advice }) => [code, advice]));

/** What to do about an alarm; undefined for alarms that devices report with their own codes. */
export const adviceFor = (code: string): string | undefined => advices.get(code);

/** Whether a code belongs to the service, so that no device may report it. */
export const isOwnCode = (code: string): boolean => advices.has(code);
