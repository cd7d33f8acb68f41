/** What is known about the devices of one model family: which parameters they have, and how these are read and written. */
export interface Profile {
  /** Name of its file. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Model names and codes of the family; `#` stands for one or more digits. */
  readonly models: readonly string[];
  /** By id. */
  readonly parameters: ReadonlyMap<string, Parameter>;
}

/** A setting of a device. */
export interface Parameter {
  /** The interface's `cid`, in decimal. */
  readonly id: string;
  readonly name: string;
  readonly form: ValueForm;
  readonly access: 'read' | 'write';
  /** Null where it is not known. */
  readonly register: Register | null;
  /** A write must come with the value that the device had before. */
  readonly oldValueRequired: boolean;
  /** 0 for a parameter that is only read. */
  readonly writesPerDay: number;
  /** The memory that a write wears: its own id, or a name that it shares with other parameters. Write budgets count per cell. */
  readonly cell: string;
  /** Some value of it can stop production, or take the power from a house. */
  readonly canCutSupply: boolean;
  /** Versions of the display's firmware that have it; null = all. */
  readonly displayVersions: DisplayVersions | null;
  /** Properties that the makers' public documents leave open and we have chosen. */
  readonly own: readonly string[];
  readonly note: string | null;
}

/** A Modbus register of one 16-bit word, and the functions that read and write it. */
export interface Register {
  readonly address: number;
  readonly readFunction: number;
  readonly writeFunction: number;
}

/** Numbers that the display's version, hexadecimal text, is compared with: `from` inclusive, `before` exclusive. */
export interface DisplayVersions {
  readonly from: number | null;
  readonly before: number | null;
}

/** What the values of a parameter look like, as texts. */
export type ValueForm = NumberForm | ChoiceForm | BitsForm | ClockForm | SlotForm | SlotsForm | TextForm;

/** Range and step are in the unit; the text is the value times the scale. */
export interface NumberForm {
  readonly type: 'number';
  readonly unit: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly scale: number;
}

export interface ChoiceForm {
  readonly type: 'choice';
  /** Names by value. */
  readonly options: Readonly<Record<string, string>>;
  /** The values that may be written; the others are only read. */
  readonly settable: readonly string[];
}

/** A decimal number whose bits are switches. */
export interface BitsForm {
  readonly type: 'bits';
  /** Names by number of the bit, 0 = the lowest. */
  readonly bits: ReadonlyMap<number, string>;
  /** Bits of which at most one may be set. */
  readonly exclusive: readonly number[];
}

/** `yyyy-MM-dd HH:mm:ss` in the device's local time. */
export interface ClockForm {
  readonly type: 'clock';
  /** How far the clock may have advanced when it is read back. */
  readonly advancesSeconds: number;
}

/** `HH:mm-HH:mm`; may be written with a comma. */
export interface SlotForm {
  readonly type: 'slot';
}

/**
 * Three times charge current, discharge current, charge slot, discharge slot, separated by commas: 12 fields, or 18 if begin and end of a slot are
 * fields of their own.
 */
export interface SlotsForm {
  readonly type: 'slots';
  readonly maxCurrentA: number;
}

/** Only read. */
export interface TextForm {
  readonly type: 'text';
}
