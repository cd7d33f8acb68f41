import type { Values } from '@helioport/contract';

/** The values that one device measured at one instant. */
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

/** A device's description of itself. */
export interface DeviceDescription {
  readonly sn: string;
  /** What it is, for the person who binds it. */
  readonly kind?: 'inverter' | 'epm' | 'weather' | 'ammeter';
  readonly model?: string;
  /** Code of its model, if it has one in addition to the name. */
  readonly modelCode?: string;
  /** Id of the profile by which it is asked and set, for devices that are asked by their registers. */
  readonly profile?: string;
  readonly firmware?: string;
  /** Version of its display's firmware, as hexadecimal text. */
  readonly displayVersion?: string;
  readonly ratedPowerW?: number;
  /** Number of its string inputs. */
  readonly strings?: number;
  /** Parameters that it forgets by itself, and that the collector repeats while they are to hold, separated by commas. */
  readonly holds?: string;
  /** How the collector reaches it. */
  readonly link?: DeviceLink;
}

/** How a device is reached, and how well. */
export interface DeviceLink {
  readonly via:
    | 'tcp'
    | 'rtu'
    | 'serial'
    | 'v5'
    | 'push'
    | 'p1'
    | 'sml'
    | 'shelly'
    | 'fronius'
    | 'victron'
    | 'v4';
  /** Host and port, or the path of a serial port. */
  readonly address: string;
  /** Number on its bus; 0 if there is no such thing. */
  readonly unit: number;
  /** Serial number of the stick in between. */
  readonly stick?: string;
  /** Whether the collector would carry out no write. */
  readonly readOnly: boolean;
  readonly state: 'answering' | 'dark' | 'silent';
  /** Since the collector has started. */
  readonly timeouts: number;
  readonly strays: number;
  readonly reconnects: number;
  /** Values that could not be. */
  readonly droppedValues: number;
}

/** The contents of one message from a collector. */
export interface Report {
  readonly readings?: readonly Reading[];
  readonly alarms?: readonly ReportedAlarm[];
  readonly devices?: readonly DeviceDescription[];
  /** The time of sending by the collector's clock, epoch milliseconds; set by the library. */
  readonly sentAt?: number;
}

/** The outcome for the elements of a list. Accepted elements are durable; indexes count from 0. */
export interface Outcome {
  readonly accepted: number;
  readonly duplicate: number;
  readonly refused: readonly { readonly index: number; readonly reason: string }[];
}

/** A value that was not stored because it is no number, or one that cannot be; the other values of its reading were stored. */
export interface DroppedValue {
  /** Index of the reading. */
  readonly index: number;
  readonly quantity: string;
  readonly reason: string;
}

/** The outcome of a report: for its readings, and for its alarms and devices if it had any. */
export interface ReportOutcome extends Outcome {
  /** Absent if there are none; the first thousand, if there are more. */
  readonly dropped?: readonly DroppedValue[];
  /** How many values were dropped, where `dropped` does not name all. */
  readonly droppedCount?: number;
  /** When the server received it, by the server's clock, epoch milliseconds; only over MQTT. */
  readonly receivedAt?: number;
  readonly alarms?: Outcome;
  readonly devices?: Outcome;
}

const READINGS_AT_MOST = 5_000;
const OTHERS_AT_MOST = 500;

/** How many of the reports, beginning with the first, fit into one message; at least one. */
export function countMergeable(reports: readonly Report[]): number {
  const sum = { readings: 0, others: 0 };
  for (const [i, { readings = [], alarms = [], devices = [] }] of reports.entries()) {
    sum.readings += readings.length;
    sum.others += Math.max(alarms.length, devices.length);
    if (i > 0 && (sum.readings > READINGS_AT_MOST || sum.others > OTHERS_AT_MOST)) return i;
  }
  return reports.length;
}

/** Merges several reports into one, in their order. */
export function merged(reports: readonly Report[]): Report {
  if (reports.length === 1) return reports[0]!;
  const readings = reports.flatMap((report) => report.readings ?? []);
  const alarms = reports.flatMap((report) => report.alarms ?? []);
  const devices = reports.flatMap((report) => report.devices ?? []);
  return { readings, ...(alarms.length > 0 && { alarms }), ...(devices.length > 0 && { devices }) };
}
