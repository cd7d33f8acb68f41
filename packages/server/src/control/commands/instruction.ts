import { type Register, type ValueForm, wordOf } from '@helioport/devices';
import { READ_WITHIN_MS, WRITE_WITHIN_MS, type Command } from './life-cycle.ts';
import type { CommandedDevice } from './open-commands.ts';
import { findParameter } from './parameters.ts';

/** One step of a command, as a collector receives it. */
export interface HandedInstruction {
  /** The command's id and the number of the instruction. */
  readonly id: string;
  readonly sn: string;
  readonly action: 'read' | 'write';
  readonly parameter: string;
  /** The value to write. */
  readonly value?: string;
  /** The value that the device had when it was last read. */
  readonly oldValue?: string | undefined;
  /** The form of the value; absent if the device’s model has changed and no longer has the parameter. */
  readonly encoding?: ValueEncoding;
  /** Where the device keeps the parameter, if that is known. */
  readonly register?: Register;
  /** The word that a write puts into that register. */
  readonly word?: number;
  /** For what the device forgets by itself: the collector repeats it for so long. */
  readonly holdSeconds?: number;
  /** The collector must begin within this time after it has received the instruction, or not at all. */
  readonly withinSeconds: number;
}

/** The form of a value; for numbers, the text is the value in `unit` times `scale`. */
export interface ValueEncoding {
  readonly type: ValueForm['type'];
  readonly unit?: string;
  readonly scale?: number;
}

/** The instruction that a collector receives when a command is handed over. @param heldMs for what the device forgets by itself: how long it is to hold; null: as usual */
export function instructionOf(
  device: CommandedDevice['device'],
  { id, turn, step, parameter, value, oldValue }: Command,
  heldMs: number | null = null,
): HandedInstruction {
  const known = findParameter(device, parameter);
  const place = known && {
    encoding: encodingOf(known.form),
    ...(known.register && { register: known.register }),
  };
  const common = { id: `${id}.${turn}`, sn: device.sn, parameter, ...place };
  if (step !== 'write') return { ...common, action: 'read', withinSeconds: READ_WITHIN_MS / 1000 };
  const word = known && wordOf(known, value!);
  const written = {
    value: value!,
    ...(word !== undefined && { word }),
    ...(oldValue !== null && { oldValue }),
    ...(known?.hold && {
      holdSeconds: heldMs === null ? known.hold.seconds : Math.ceil(heldMs / 1000),
    }),
  };
  return { ...common, action: 'write', ...written, withinSeconds: WRITE_WITHIN_MS / 1000 };
}

const encodingOf = (form: ValueForm): ValueEncoding =>
  form.type === 'number'
    ? { type: form.type, unit: form.unit, scale: form.scale }
    : { type: form.type };
