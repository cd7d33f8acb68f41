import type { Maybe } from '../compat/field-kinds/field.ts';

/** The state of a command. `verified` and all states after it are final. */
export const commandStates = [
  'queued',
  'sent',
  'confirmed',
  'verified',
  'failed',
  'refused',
  'expired',
  'cancelled',
  'superseded',
] as const;
export type CommandState = (typeof commandStates)[number];

/** A request to read or write a parameter of a device, and its outcome. */
export interface CommandRecord {
  readonly id: string;
  readonly sn: string;
  readonly action: 'read' | 'write';
  readonly parameter: string;
  readonly name: Maybe<string>;
  readonly state: CommandState;
  /** Why it did not succeed. */
  readonly reason: Maybe<string>;
  /** The value before the write. */
  readonly oldValue: Maybe<string>;
  readonly newValue: Maybe<string>;
  /** The value that was last read from the device. */
  readonly readValue: Maybe<string>;
  /** Who requested it: account, key, application or operator. */
  readonly by: string;
  /** E-mail address of that person, if the reader may know it. */
  readonly byEmail?: Maybe<string>;
  readonly door: string;
  readonly queuedAt: number;
  /** The time until which it may be sent. */
  readonly expiresAt: number;
  readonly sentAt: Maybe<number>;
  readonly confirmedAt: Maybe<number>;
  readonly endedAt: Maybe<number>;
  /** The command that it undoes. */
  readonly undoes: Maybe<string>;
  /** The strategy whose own step it is: it applies the strategy to the device, or gives a former setting back. */
  readonly strategyId: Maybe<string>;
}

/** A write that somebody other than the owner of the plant requested. */
export interface WriteByOthers extends CommandRecord {
  readonly plantId: string;
  /** Whether the owner has marked it as seen. */
  readonly seen: boolean;
}

/** A command whose outcome the caller can ask for later: when it was queued, and its id. */
export interface Order {
  readonly at: number;
  readonly id: string;
}

/** The outcome of a write to one device; `offline`: nothing was queued. */
export interface ControlItem {
  readonly sn: string;
  readonly order: Order | null;
  readonly state: CommandState | 'offline';
  readonly reason: string | null;
}

export interface ControlAnswer {
  readonly at: number;
  readonly items: readonly ControlItem[];
}

/** A parameter as read from a device. */
export interface ReadValueRecord {
  readonly value: string;
  readonly raw: string | null;
}

/** `read` is null until the device has answered. */
export interface ReadAnswer {
  readonly at: number;
  readonly order: Order;
  readonly read: ReadValueRecord | null;
}

export interface ReadBatchAnswer {
  readonly at: number;
  readonly items: readonly { readonly parameter: string; readonly read: ReadValueRecord | null }[];
}

/** A parameter of one inverter of a plant that was named by its meter. */
export interface MeterReadItem {
  /** Meter id of the inverter’s plant. */
  readonly nmiCode: string | null;
  readonly sn: string;
  readonly parameter: string;
  /** null: the device did not tell it. */
  readonly read: ReadValueRecord | null;
  /** Whether its collector is offline, so that it was not asked. */
  readonly offline: boolean;
  /** When the device was asked. */
  readonly sentAt: number | null;
}

export interface MeterReadAnswer {
  readonly at: number;
  readonly items: readonly MeterReadItem[];
}

export interface ResultAnswer {
  readonly at: number;
  readonly order: Order;
  readonly outcome: ReadValueRecord | ControlItem | null;
}
