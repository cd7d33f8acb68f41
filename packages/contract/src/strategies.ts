import type { JsonSchema } from './json-schema.ts';
import { weekDays, type WeekDay } from './operations/tariffs.ts';

// What a strategy asks of devices. The words are those of OpenADR 3 (interval, payload, target, priority), so that an event can be translated.

/** What a device is asked to do in an interval. */
export const payloadTypes = [
  'charge',
  'discharge',
  'selfUse',
  'hold',
  'exportLimit',
  'off',
] as const;
export type PayloadType = (typeof payloadTypes)[number];

/** Powers are those of one device, always positive: the type says in which direction energy flows. */
export type StrategyPayload =
  /** Charges the battery, from the grid if necessary, until it has this state of charge. */
  | { readonly type: 'charge'; readonly socPercent: number; readonly powerKw: number }
  /** Discharges the battery until it has this state of charge. */
  | { readonly type: 'discharge'; readonly socPercent: number; readonly powerKw: number }
  /** Solar energy supplies the house, then the battery; the battery supplies the house. */
  | { readonly type: 'selfUse' }
  /** The battery neither charges nor discharges. */
  | { readonly type: 'hold' }
  /** Self-use, but at most so much power goes to the grid. */
  | { readonly type: 'exportLimit'; readonly powerKw: number }
  /** The inverter is switched off. */
  | { readonly type: 'off' };

/** Hours of the plant's wall clock. An interval that ends before it begins extends into the next day. */
export interface PlanInterval {
  /** Days on which the interval begins; by default, all. */
  readonly days?: readonly WeekDay[];
  /** Beginning and end, `HH:MM`; the end is excluded and may be `24:00`. */
  readonly start: string;
  readonly end: string;
  readonly payload: StrategyPayload;
}

/** Intervals that are repeated on each day of the strategy. Outside of them, devices have their former settings. */
export interface DayPlan {
  readonly kind: 'dayPlan';
  readonly intervals: readonly PlanInterval[];
}

/** A power at the plants' connections, divided over the devices by what each can give. */
export interface SetPoint {
  readonly kind: 'setPoint';
  /** + is export, of all targets together. */
  readonly powerKw: number;
}

export type StrategyContent = DayPlan | SetPoint;

/** Devices of one strategy, those of its plants included. */
export const TARGETS_AT_MOST = 10_000;
/** Intervals of one day plan. */
export const INTERVALS_AT_MOST = 100;

/** A time of day of the plant's wall clock. */
const clock: JsonSchema = { type: 'string', pattern: '^([01][0-9]|2[0-4]):[0-5][0-9]$' };

export const payloadSchema: JsonSchema = {
  type: 'object',
  description: 'what the device is to do',
  properties: {
    type: { type: 'string', enum: payloadTypes },
    socPercent: {
      type: 'number',
      minimum: 1,
      maximum: 100,
      description: 'the state of charge at which charging or discharging ends',
      'x-unit': '%',
    },
    powerKw: {
      type: 'number',
      minimum: 0,
      description: 'power of charging or discharging, or the limit of export',
      'x-unit': 'kW',
    },
  },
  required: ['type'],
  additionalProperties: false,
};

export const intervalSchema: JsonSchema = {
  type: 'object',
  description: 'hours of the plant’s wall clock',
  properties: {
    days: {
      type: 'array',
      items: { type: 'string', enum: weekDays },
      description: 'days on which the interval begins; by default, all',
    },
    start: { ...clock, description: 'when the interval begins' },
    end: { ...clock, description: 'when the interval ends; before `start`: on the next day' },
    payload: payloadSchema,
  },
  required: ['start', 'end', 'payload'],
  additionalProperties: false,
};

/** How far a strategy has come, on one device or as a whole; `partlyApplied`, as a whole, if it failed on some devices. */
export type StrategyState =
  | 'draft'
  | 'dispatching'
  | 'active'
  | 'paused'
  | 'partlyApplied'
  | 'completed'
  | 'cancelled'
  | 'failed';

/** A strategy as people and programs see it. Instants are epoch milliseconds. */
export interface StrategyRecord {
  readonly id: string;
  /** The application's own name for it, which makes repeated requests harmless. */
  readonly reference: string;
  readonly name: string;
  readonly program: string | null;
  readonly priority: number | null;
  readonly applicationName: string;
  readonly state: StrategyState;
  /** Why it ended otherwise than planned. */
  readonly reason: string | null;
  readonly startAt: number;
  readonly endAt: number;
  readonly heartbeatSeconds: number | null;
  readonly heartbeatAt: number | null;
  readonly intervals: readonly PlanInterval[] | null;
  readonly powerKw: number | null;
  readonly createdAt: number;
  readonly dispatchedAt: number | null;
  readonly endedAt: number | null;
  /** How many of its devices are in each state. */
  readonly devices: Readonly<Partial<Record<StrategyState, number>>>;
}

/** What became of a strategy on one device. */
export interface StrategyDeviceRecord {
  readonly sn: string;
  readonly plantId: string;
  readonly state: StrategyState;
  readonly reason: string | null;
  /** Its share of a set point. */
  readonly powerKw: number | null;
  readonly appliedAt: number | null;
  readonly endedAt: number | null;
  /** When it had its former settings again; null = it still has to get them back. */
  readonly restoredAt: number | null;
}

export interface StrategyDetail extends StrategyRecord {
  readonly targets: readonly StrategyDeviceRecord[];
}

/** What the owner of a plant lets strategies do there. */
export interface StrategyLimits {
  /** The state of charge below which no strategy discharges a battery. */
  readonly reserveSocPercent: number | null;
  /** How often a strategy may discharge a battery completely within a day; half a discharge counts as a half. */
  readonly cyclesPerDay: number | null;
  /** Hours in which no strategy does anything. */
  readonly quietHours: readonly QuietHours[];
}

/** Hours of the plant's wall clock. Hours that end before they begin extend into the next day. */
export interface QuietHours {
  readonly days?: readonly WeekDay[];
  readonly start: string;
  readonly end: string;
}

export const QUIET_HOURS_AT_MOST = 20;

export const quietHoursSchema: JsonSchema = {
  type: 'object',
  description: 'hours in which no strategy does anything',
  properties: { days: intervalSchema.properties!['days']!, start: clock, end: clock },
  required: ['start', 'end'],
  additionalProperties: false,
};
