import type { RegisterMap } from '../registers/register-map.ts';

/** The description of one model family: which parameters its devices have, and how these are read and written. */
export interface Profile {
  /** Name of the profile's file, without the extension. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Model names and codes of the family; `#` stands for one or more digits. */
  readonly models: readonly string[];
  /** Ids of the profiles whose parameters it has too. */
  readonly bases: readonly string[];
  /** Parameters by id. */
  readonly parameters: ReadonlyMap<string, Parameter>;
  /** The registers of the family; null if its devices speak the collectors' protocol themselves. */
  readonly registers: RegisterMap | null;
}

/** A setting of a device. */
export interface Parameter {
  /** The interface's `cid`, in decimal. */
  readonly id: string;
  readonly name: string;
  readonly form: ValueForm;
  readonly access: 'read' | 'write';
  /** Null if the register is not known. */
  readonly register: Register | null;
  /** Whether a write must state the value that the device had before. */
  readonly oldValueRequired: boolean;
  /** Maximum number of writes per day; 0 for a parameter that can only be read. */
  readonly writesPerDay: number;
  /** The memory cell that a write wears out: the parameter's own id, or a name shared with other parameters. Write budgets count per cell. */
  readonly cell: string;
  /** The values that can stop production, or cut off the power of a house; null if none can. */
  readonly supplyCut: SupplyCut | null;
  /** The switch of another parameter without which this one has no effect. */
  readonly effectiveWith: EffectiveWith | null;
  /** Versions of the display's firmware that have this parameter; null = all. */
  readonly displayVersions: DisplayVersions | null;
  /** Null: the device keeps what was written. */
  readonly hold: Hold | null;
  /** Properties that the manufacturers' public documents leave open, and that we have chosen. */
  readonly own: readonly string[];
  readonly note: string | null;
}

/** What can cut the supply: numbers, in the unit of the form, or bits that are turned on or off; if nothing is said, all values. */
export interface SupplyCut {
  readonly atMost: number | null;
  readonly atLeast: number | null;
  readonly turnedOn: readonly number[] | null;
  readonly turnedOff: readonly number[] | null;
}

/** A value that a device forgets by itself, in memory that does not wear out. A collector repeats it while it is to hold. */
export interface Hold {
  /** How long it holds if nobody says so. */
  readonly seconds: number;
  /** The value that it falls back to. */
  readonly none: string;
}

/** A bit of another parameter, 0 = the lowest. */
export interface EffectiveWith {
  readonly parameter: string;
  readonly bit: number;
}

/** A Modbus register of one 16-bit word, and the functions that read and write it. */
export interface Register {
  readonly address: number;
  readonly readFunction: number;
  readonly writeFunction: number;
}

/** The display versions that have a parameter, as numbers (devices report hexadecimal text): `from` inclusive, `before` exclusive. */
export interface DisplayVersions {
  readonly from: number | null;
  readonly before: number | null;
}

/** The form of a parameter's values, which are always text. */
export type ValueForm =
  | NumberForm
  | ChoiceForm
  | BitsForm
  | ClockForm
  | SlotForm
  | SlotsForm
  | StartTimesForm
  | TextForm;

/** A number. Range and step are in `unit`; the text is the value times `scale`. */
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
  /** Of these bits, at most one may be set. */
  readonly exclusive: readonly number[];
}

/** A time, `yyyy-MM-dd HH:mm:ss`, in the device's local time. */
export interface ClockForm {
  readonly type: 'clock';
  /** How far the clock may have advanced when it is read back. */
  readonly advancesSeconds: number;
}

/** A time slot, `HH:mm-HH:mm`; clients may also write it with a comma. */
export interface SlotForm {
  readonly type: 'slot';
}

/**
 * Three groups of charge current, discharge current, charge slot and discharge slot, separated by commas: 12 fields, or 18 if the
 * beginning and end of each slot are separate fields.
 */
export interface SlotsForm {
  readonly type: 'slots';
  readonly maxCurrentA: number;
}

/** Times of the day at which programs begin, `HH:mm` separated by commas. One ends where the next begins, so they ascend. */
export interface StartTimesForm {
  readonly type: 'times';
  readonly count: number;
  readonly stepMinutes: number;
}

/** Text that can only be read. */
export interface TextForm {
  readonly type: 'text';
}
