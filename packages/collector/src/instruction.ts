/** One thing that a collector is to do with one device. */
export interface Instruction {
  readonly id: string;
  readonly sn: string;
  readonly action: 'read' | 'write';
  /** Number of the parameter in the profile of the device's model. */
  readonly parameter: string;
  /** The form of the value, which is always text; a number is the value in `unit` times `scale`. */
  readonly encoding?: { readonly type: string; readonly unit?: string; readonly scale?: number };
  /** The Modbus register of the parameter, one word of 16 bits; absent if it is not known. */
  readonly register?: {
    readonly address: number;
    readonly readFunction: number;
    readonly writeFunction: number;
  };
  /** The word that a write puts into that register. */
  readonly word?: number;
  /** The value to write; only with `write`. */
  readonly value?: string;
  /** The value that the device had when it was last read; only with `write`. */
  readonly oldValue?: string;
  /** Only with `write`, for what the device forgets by itself: repeat it for so long, and then leave it to the device. */
  readonly holdSeconds?: number;
  /** Begin the instruction within this time after it has arrived, or not at all. */
  readonly withinSeconds: number;
}

/** The value of a parameter, as read from a device. */
export interface ReadValue {
  readonly value: string | number;
  /** The content of its registers. */
  readonly raw?: string | number;
}

/** The result of an instruction. */
export interface InstructionResult extends Partial<ReadValue> {
  readonly id: string;
  readonly ok: boolean;
  /** Why it failed, for people to read. */
  readonly error?: string;
}

/** Access to the devices behind a collector. The message of an error that it throws is reported as the reason of the failure. */
export interface DeviceAccess {
  read(instruction: Instruction): ReadValue | Promise<ReadValue>;
  /** Resolves once the device has confirmed the write. */
  write(instruction: Instruction): void | Promise<void>;
}
