import type { QuantityName } from '@helioport/contract';

/** The tables of a Modbus device: input registers are read by function 4, holding registers by 3, coils by 1, discrete inputs by 2. */
export type Table = 'input' | 'holding' | 'coil' | 'discrete';

/** How the words of a value are read. `hex`: hexadecimal text; `bcd`: digits, of which each byte has its two swapped; `clock`: two fields a word. */
export type WordType = 'u16' | 's16' | 'u32' | 's32' | 'u64' | 'float32' | 'text' | 'hex' | 'bcd';

/** What is known about the registers of a family of devices. */
export interface RegisterMap {
  readonly maker: string;
  /** What a device of this family is for the server. */
  readonly kind: 'inverter' | 'epm' | 'ammeter';
  /** The model that is reported. */
  readonly model: string;
  /** Which word of a number of 32 bits comes first, where a value does not say it. */
  readonly wordOrder: 'high' | 'low';
  /** The most words that one request may ask for. */
  readonly wordsAtMost: number;
  /** A power is at most this if the rated power is not known, W. */
  readonly atMostW: number;
  readonly identification: Identification;
  readonly blocks: readonly Block[];
  /** Places of the parameters, by their ids. */
  readonly places: ReadonlyMap<string, Place>;
  /** Id of the parameter that is the device's clock; null if it cannot be set. */
  readonly clock: string | null;
  /** States and faults by the value of the quantity statusCode. */
  readonly states: ReadonlyMap<number, State>;
}

/** Registers that are read by one request, since their values belong together. */
export interface Block {
  readonly name: string;
  readonly table: Table;
  readonly address: number;
  readonly count: number;
  /** `fast`: with each poll; `slow`: once a minute; `daily`: once a day and after a start. */
  readonly every: 'fast' | 'slow' | 'daily';
  readonly values: readonly RegisterValue[];
}

/** One value of a block. value = (raw + offset) * scale, with what the transforms say. */
export interface RegisterValue {
  /** Unique in its profile: the quantity, or a name of its own; a second register for a quantity has its address added, as in `gridPowerW@33130`. */
  readonly id: string;
  /** Null: only shown by a probe. */
  readonly quantity: QuantityName | null;
  readonly name: string;
  readonly unit: string;
  /** Addresses of its words, the high word first. */
  readonly words: readonly number[];
  readonly type: WordType;
  readonly scale: number;
  readonly offset: number;
  /** The word that says the direction of a magnitude: 0 = positive, 1 = negative. */
  readonly direction: number | null;
  /** A high word elsewhere, which only newer firmware fills. */
  readonly high: number | null;
  /** Further values of the same type that are added, or taken off, each by the address of its first word. */
  readonly plus: readonly number[];
  readonly minus: readonly number[];
  /** The word with the power of ten that the device multiplies by. */
  readonly scaleFactor: number | null;
  /** The values that are believed, in the unit of the quantity; null = those of the quantity. */
  readonly bounds: readonly [atLeast: number, atMost: number] | null;
  /** Raw values that stand for "not measured", besides the usual ones of the type. */
  readonly sentinels: readonly number[];
  /** Whether 0 stands for "nothing there". */
  readonly zeroIsNothing: boolean;
  /** The number of phases that a device must have for it; null = any. */
  readonly phases: number | null;
  /** Larger devices have another scale in some firmware: above this rating it is doubtful, W. */
  readonly sureUpToW: number | null;
  /** What each bit means that is an alarm while it is set; null: the value has no such bits. */
  readonly alarms: ReadonlyMap<number, Alarm> | null;
  /** Public tables from which the names of its bits are. */
  readonly namedBy: readonly string[];
  readonly evidence: Evidence;
}

/** What a device says is wrong with it. */
export interface Alarm {
  /** The device's own code. */
  readonly code: string;
  /** 1 tip, 2 general, 3 emergency. */
  readonly level: 1 | 2 | 3;
  readonly name: string;
}

/** The public tables that agree on a register, and how others differ. */
export interface Evidence {
  readonly sources: readonly string[];
  readonly doubt: string | null;
  /** Two sources, or the standard that the device follows, and no doubt. */
  readonly isConfirmed: boolean;
}

/** Where a parameter is, and how it is written. */
export interface Place {
  readonly table: 'holding' | 'coil';
  readonly encoding: Encoding;
  /** Null: it is not written. */
  readonly writeFunction: 6 | 16 | null;
  /** The registers that one write of function 16 must cover; the others keep their values. */
  readonly together: { readonly address: number; readonly count: number } | null;
  /** A register that has to have a value for the parameter to be in force. */
  readonly gate: Gate | null;
  /** A value that a register gets in the same write, which makes the device take the others over. */
  readonly toggle: { readonly address: number; readonly value: number } | null;
  /** The device forgets the value: after this time it is written again, ms; null: it keeps it. */
  readonly repeatMs: number | null;
  /** Where the device shows the value in force; null: at its own place. */
  readonly mirror: { readonly table: Table; readonly address: number } | null;
  readonly evidence: Evidence;
}

/** A switch without which a parameter is not in force. */
export interface Gate {
  readonly address: number;
  readonly on: number;
  /** Whether it is set after the value instead of before. */
  readonly isLast: boolean;
  /** What it must be while the value changes; null = it does not matter. */
  readonly off: number | null;
}

/** How the text of a parameter is kept in registers. */
export type Encoding =
  /** raw = value / scale - offset, where value is in the unit of the parameter. */
  | {
      readonly as: 'number';
      readonly address: number;
      readonly signed: boolean;
      readonly scale: number;
      readonly offset: number;
      readonly scaleFactor: number | null;
    }
  /** The numbers of the options; `map` gives the raw number of each if they differ. */
  | {
      readonly as: 'choice';
      readonly address: number;
      readonly map: Readonly<Record<string, number>> | null;
    }
  | { readonly as: 'bits'; readonly address: number }
  /** One bit of a word whose other bits stay. `inverted`: the option 1 is a bit that is off. */
  | {
      readonly as: 'bit';
      readonly address: number;
      readonly bit: number;
      readonly inverted: boolean;
    }
  /** Year since 2000, month, day, hour, minute, second: a word each, or two fields a word, the high byte first. */
  | { readonly as: 'clock'; readonly address: number; readonly fieldsPerWord: 1 | 2 }
  /** From hour, minute, to hour, minute. */
  | { readonly as: 'slot'; readonly address: number }
  /** Times of the day, a word each: hours times 100, and minutes. */
  | { readonly as: 'times'; readonly address: number; readonly count: number }
  /** A signed power, + charging: the direction, and a register for the size of each. The direction is written first. */
  | {
      readonly as: 'forced';
      readonly address: number;
      readonly charge: number;
      readonly discharge: number;
      readonly scale: number;
    }
  /** The three slots of one parameter: both currents, then the addresses of the slots, each with its charge and its discharge times. */
  | {
      readonly as: 'slots';
      readonly currents: readonly [charge: number, discharge: number];
      readonly scale: number;
      readonly slots: readonly number[];
    };

/** How a family is recognized. */
export interface Identification {
  /** Offsets of the addresses to try; most families have only 0. */
  readonly shifts: readonly number[];
  /** The first check decides cheaply whether the others are worth their requests. */
  readonly checks: readonly Check[];
  readonly facts: Readonly<Partial<Record<FactName, readonly Fact[]>>>;
}

export interface Check {
  readonly name: string;
  readonly table: Table;
  readonly words: readonly number[];
  readonly type: WordType;
  readonly scale: number;
  /** Bits that are compared; null = all. */
  readonly mask: number | null;
  readonly oneOf: readonly number[] | null;
  readonly noneOf: readonly number[] | null;
  readonly between: readonly [number, number] | null;
  /** Of text. */
  readonly pattern: RegExp | null;
  /** Whether it lies where it does whatever the shift of the others. */
  readonly isFixed: boolean;
}

export type FactName =
  | 'serialNumber'
  | 'modelCode'
  | 'firmware'
  | 'displayVersion'
  | 'ratedPowerW'
  | 'strings'
  | 'phases';

/** A place of a fact about the device; the first that has a plausible value counts. */
export interface Fact {
  readonly table: Table;
  readonly words: readonly number[];
  readonly type: WordType;
  readonly scale: number;
  readonly offset: number;
  readonly shift: number;
  readonly mask: number | null;
  /** What the numbers stand for. */
  readonly map: Readonly<Record<string, number>> | null;
  readonly pattern: RegExp | null;
  readonly isFixed: boolean;
}

/** A state of a device. */
export interface State {
  readonly name: string;
  /** Null: the state is none. */
  readonly alarm: Alarm | null;
}
