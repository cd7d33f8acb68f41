import type { Register, ValueForm } from '../devices/profiles/profile.ts';
import { wordOf } from '../devices/profiles/register-words.ts';
import { READ_WITHIN_MS, WRITE_WITHIN_MS, type Command } from './life-cycle.ts';
import type { CommandedDevice } from './open-commands.ts';
import { findParameter } from './parameters.ts';

/** What a collector is told to do with one device. */
export interface Instruction {
  /** Of the command, with the number of the instruction. */
  readonly id: string;
  readonly sn: string;
  readonly action: 'read' | 'write';
  readonly parameter: string;
  /** To be written. */
  readonly value?: string;
  /** As the device had it when it was read before. */
  readonly oldValue?: string | undefined;
  /** What kind of text the value is; absent if the device’s model has changed and does not have the parameter any more. */
  readonly encoding?: Encoding;
  /** Where the device keeps it, if that is known. */
  readonly register?: Register;
  /** What a write puts into that register. */
  readonly word?: number;
  /** It must not be begun later than so many seconds after it arrived. */
  readonly withinSeconds: number;
}

/** The form of a value; for numbers, the text is the value in `unit` times `scale`. */
export interface Encoding {
  readonly type: ValueForm['type'];
  readonly unit?: string;
  readonly scale?: number;
}

/** What a collector is told when a command is handed over. */
export function instructionOf(device: CommandedDevice['device'], { id, turn, step, parameter, value, oldValue }: Command): Instruction {
  const known = findParameter(device, parameter);
  const place = known && { encoding: encodingOf(known.form), ...(known.register && { register: known.register }) };
  const common = { id: `${id}.${turn}`, sn: device.sn, parameter, ...place };
  if (step !== 'write') return { ...common, action: 'read', withinSeconds: READ_WITHIN_MS / 1000 };
  const word = known && wordOf(known, value!);
  const written = { value: value!, ...(word !== undefined && { word }), ...(oldValue !== null && { oldValue }) };
  return { ...common, action: 'write', ...written, withinSeconds: WRITE_WITHIN_MS / 1000 };
}

const encodingOf = (form: ValueForm): Encoding => (form.type === 'number' ? { type: form.type, unit: form.unit, scale: form.scale } : { type: form.type });
