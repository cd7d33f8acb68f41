import type { Values } from '@helioport/contract';

/** What one device measured at one instant. */
export interface Reading {
  readonly sn: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly values: Values;
}

/** An alarm of a device, or the end of one. */
export interface ReportedAlarm {
  readonly sn: string;
  /** The device's own code. */
  readonly code: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** 1 tip, 2 general, 3 emergency. */
  readonly level?: 1 | 2 | 3;
  readonly message?: string;
  readonly cleared?: boolean;
}

/** What a device tells about itself. */
export interface DeviceDescription {
  readonly sn: string;
  readonly model?: string;
  /** Code of its model, where it has one beside the name. */
  readonly modelCode?: string;
  readonly firmware?: string;
  /** Version of its display's firmware, hexadecimal text. */
  readonly displayVersion?: string;
  readonly ratedPowerW?: number;
  /** Number of its string inputs. */
  readonly strings?: number;
}

/** What a collector reports in one message. */
export interface Report {
  readonly readings?: readonly Reading[];
  readonly alarms?: readonly ReportedAlarm[];
  readonly devices?: readonly DeviceDescription[];
}

/** What became of the elements of a list. What was accepted is durable; indexes count from 0. */
export interface Outcome {
  readonly accepted: number;
  readonly duplicate: number;
  readonly refused: readonly { readonly index: number; readonly reason: string }[];
}

/** What became of a report: of its readings, and of its alarms and devices if it had any. */
export interface ReportOutcome extends Outcome {
  /** When the server received it by its own clock, epoch milliseconds; over MQTT alone. */
  readonly receivedAt?: number;
  readonly alarms?: Outcome;
  readonly devices?: Outcome;
}

const READINGS_AT_MOST = 5_000;
const OTHERS_AT_MOST = 500;

/** How many of the reports, from the first one on, fit into one message; at least one. */
export function countMergeable(reports: readonly Report[]): number {
  const sum = { readings: 0, others: 0 };
  for (const [i, { readings = [], alarms = [], devices = [] }] of reports.entries()) {
    sum.readings += readings.length;
    sum.others += Math.max(alarms.length, devices.length);
    if (i > 0 && (sum.readings > READINGS_AT_MOST || sum.others > OTHERS_AT_MOST)) return i;
  }
  return reports.length;
}

/** One report with everything that several contain, in their order. */
export function merged(reports: readonly Report[]): Report {
  if (reports.length === 1) return reports[0]!;
  const readings = reports.flatMap((report) => report.readings ?? []);
  const alarms = reports.flatMap((report) => report.alarms ?? []);
  const devices = reports.flatMap((report) => report.devices ?? []);
  return { readings, ...(alarms.length > 0 && { alarms }), ...(devices.length > 0 && { devices }) };
}
