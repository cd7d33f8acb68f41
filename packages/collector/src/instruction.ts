/** What a collector is to do with one device. */
export interface Instruction {
  readonly id: string;
  readonly sn: string;
  readonly action: 'read' | 'write';
  /** Number of the parameter in the profile of the device's model. */
  readonly parameter: string;
  /** What kind of text the value is; for numbers, it is the value in `unit` times `scale`. */
  readonly encoding?: { readonly type: string; readonly unit?: string; readonly scale?: number };
  /** Where a Modbus device keeps it, one word of 16 bits; absent if that is not known. */
  readonly register?: { readonly address: number; readonly readFunction: number; readonly writeFunction: number };
  /** What a write puts into that register. */
  readonly word?: number;
  /** What is to be written; only with `write`. */
  readonly value?: string;
  /** What the device had when it was last read; only with `write`. */
  readonly oldValue?: string;
  /** It must not be begun later than so many seconds after it arrived. */
  readonly withinSeconds: number;
}

/** What a device has for a parameter. */
export interface ReadValue {
  readonly value: string | number;
  /** What its registers held. */
  readonly raw?: string | number;
}

/** What a collector reports of an instruction. */
export interface InstructionResult extends Partial<ReadValue> {
  readonly id: string;
  readonly ok: boolean;
  /** Why it failed, in words for people. */
  readonly error?: string;
}

/** Access to the devices behind a collector. What it throws is reported as the reason of the failure. */
export interface DeviceAccess {
  read(instruction: Instruction): ReadValue | Promise<ReadValue>;
  /** Resolves once the device has confirmed the write. */
  write(instruction: Instruction): void | Promise<void>;
}
