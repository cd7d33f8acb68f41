import { adviceOf } from '@helioport/contract/alarm-words/advice';
import { deviceAdvice } from '@helioport/contract/alarm-words/device/en';
import { deviceAdviceOf } from '@helioport/contract/alarm-words/device/matter';
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
  advice:
    'Check whether the device and its collector have power, and whether your internet works. If that is not the cause, call your installer. For your installer: check their supply, the cable between them and the network.',
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

const byCode: ReadonlyMap<string, AlarmRule | SilenceRule> = new Map(
  [offline, ...rules].map((rule) => [rule.code, rule]),
);

/** What to do about an alarm; undefined if nobody knows what a code of a device means. */
export const adviceFor = (code: string, message: string): string | undefined => {
  const rule = byCode.get(code);
  return rule ? adviceOf(rule, message) : deviceAdviceOf(deviceAdvice, code);
};

/** The codes of the alarms that the service raises. */
export const OWN_CODES: readonly string[] = [...byCode.keys()];

/** Whether a code belongs to the service, so that no device may report it. */
export const isOwnCode = (code: string): boolean => byCode.has(code);
