import { isQuantity, type QuantityName } from '@helioport/contract';
import { AHEAD_MS, EARLIEST_AT, instantFault } from '../../../fleet/collectors/instants.ts';
import { UnreadableSection } from '../../../fleet/collectors/report-sections.ts';
import { isSerialNumber, SERIAL_NUMBER_FAULT } from '../../../fleet/devices/serial-number.ts';
import {
  createFieldList,
  inStoredOrder,
  UNSETTLED,
  type FieldList,
} from '../../energy/field-list.ts';
import type { FieldLists } from '../../series/field-lists.ts';
import { drop, type Dropped, type DroppedValues } from './dropped.ts';

/** A reading as provided by a collector, an importer or a simulator. */
export interface IngestReading {
  /** Serial number of the device that measured. */
  readonly sn: string;
  /** Epoch ms. */
  readonly at: number;
  /** By quantity name, in the quantity's unit. */
  readonly values: { readonly [name: string]: number };
}

/** A reading that may be stored. */
export interface ValidReading {
  /** Index of the reading in the list that was provided. */
  readonly index: number;
  readonly sn: string;
  readonly at: number;
  /** Unsettled if the database may not know it yet (settle-fields.ts). */
  readonly fields: FieldList;
  readonly values: Float64Array;
}

/** A reading that may not be stored, and why. */
export interface RefusedReading {
  readonly index: number;
  readonly reason: string;
  /** Undefined if not even the serial number can be read. */
  readonly sn?: string;
  /** The reading, if it may be stored once its device is bound. */
  readonly waiting?: ValidReading;
}

/** Readings after they have been checked. */
export interface CheckedReadings {
  readonly valid: ValidReading[];
  readonly refused: RefusedReading[];
  /** Values that are no numbers, of valid readings. */
  readonly dropped: DroppedValues;
}

/** The shape of readings that carry the same quantities in the same order. */
interface Shape {
  readonly keys: readonly string[];
  /** Position of each key's value in stored order. */
  readonly places: readonly number[];
  fields: FieldList;
}

const SHAPES_KEPT = 1_000;
const VALUES_AT_A_TIME = 8_192;

/** Checks readings only by their own contents; whether a device may have them is checked elsewhere. */
export function createReadingParser(
  fieldLists: FieldLists,
): (raw: readonly unknown[], now: number, firstIndex?: number) => CheckedReadings {
  const shapes = new Map<string, Shape>();

  const shapeOf = (keys: readonly string[]): Shape => {
    const text = keys.join(',');
    let shape = shapes.get(text);
    if (!shape) {
      const names = inStoredOrder(keys as readonly QuantityName[]);
      shape = {
        keys,
        places: keys.map((key) => names.indexOf(key as QuantityName)),
        fields: createFieldList(UNSETTLED, names),
      };
      if (shapes.size >= SHAPES_KEPT) shapes.clear();
      shapes.set(text, shape);
    }
    if (shape.fields.id === UNSETTLED)
      shape.fields = fieldLists.exact(shape.fields.names) ?? shape.fields;
    return shape;
  };

  return (raw, now, firstIndex = 0) => {
    const valid: ValidReading[] = [];
    const refused: RefusedReading[] = [];
    const dropped: { count: number; first: Dropped[] } = { count: 0, first: [] };
    // Values are adjacent in a few large buffers: an allocation per reading would cost more than its check.
    let room = new Float64Array(0);
    let used = 0;
    let shape: Shape = NO_SHAPE;
    let sn = '';
    for (let i = 0; i < raw.length; i++) {
      const [reading, index] = [raw[i], firstIndex + i];
      // Most readings have the same shape as the one before; the others are checked in full.
      const like = alike(reading, shape, now);
      if (!like || (reading as IngestReading).sn !== sn) {
        const checked = like ? faultOf(reading, now) : checkedOf(reading, now);
        if (checked && 'reason' in checked) {
          refused.push({ index, reason: checked.reason, ...snOf(reading) });
          continue;
        }
        sn = (reading as IngestReading).sn;
        if (checked) {
          shape = shapeOf(checked.kept);
          for (const quantity of checked.dropped)
            drop(dropped, { index, sn, quantity, reason: NO_NUMBER });
        }
      }
      const { at, values } = reading as IngestReading;
      const { keys, places, fields } = shape;
      if (room.length < used + keys.length) [room, used] = [new Float64Array(VALUES_AT_A_TIME), 0];
      for (let k = 0; k < keys.length; k++) room[used + places[k]!] = values[keys[k]!]!;
      valid.push({
        index,
        sn,
        at,
        fields,
        values: room.subarray(used, used + keys.length),
      });
      used += keys.length;
    }
    return { valid, refused, dropped };
  };
}

const NO_SHAPE: Shape = { keys: [], places: [], fields: createFieldList(UNSETTLED, []) };

/** Whether a reading has the same quantities as the one before and is valid; its serial number is not checked. */
function alike(reading: unknown, { keys }: Shape, now: number): boolean {
  if (typeof reading !== 'object' || reading === null || keys.length === 0) return false;
  const { at, values } = reading as IngestReading;
  if (
    !Number.isSafeInteger(at) ||
    at < EARLIEST_AT ||
    at > now + AHEAD_MS ||
    typeof values !== 'object' ||
    values === null
  )
    return false;
  let i = 0;
  for (const name in values) {
    if (keys[i++] !== name) return false;
    const value: unknown = values[name];
    if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  }
  return i === keys.length && !Array.isArray(values);
}

const snOf = (reading: unknown): { sn?: string } => {
  const sn = (reading as IngestReading | null | undefined)?.sn;
  return isSerialNumber(sn) ? { sn } : {};
};

const NO_NUMBER = 'not a finite number';

interface Fault {
  readonly reason: string;
}

/** Why a reading is refused, apart from its values; undefined if it is not. */
function faultOf(reading: unknown, now: number): Fault | undefined {
  if (reading instanceof UnreadableSection) return { reason: reading.reason };
  if (typeof reading !== 'object' || reading === null || Array.isArray(reading))
    return { reason: 'a reading must be an object {sn, at, values}' };
  const { sn, at, values } = reading as Record<string, unknown>;
  if (!isSerialNumber(sn)) return { reason: SERIAL_NUMBER_FAULT };
  const reason = instantFault(at, now);
  if (reason !== undefined) return { reason };
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    return { reason: 'values must be an object {quantity: number}' };
  return undefined;
}

/** The quantities of a reading that have values, and those that have none, such as null; or why it is refused. */
function checkedOf(
  reading: unknown,
  now: number,
): Fault | { readonly kept: readonly string[]; readonly dropped: readonly string[] } {
  const fault = faultOf(reading, now);
  if (fault) return fault;
  const { values } = reading as { readonly values: Readonly<Record<string, unknown>> };
  const [kept, dropped]: [string[], string[]] = [[], []];
  for (const name in values) {
    if (!isQuantity(name)) return { reason: `unknown quantity ${shown(name)}` };
    (Number.isFinite(values[name]) ? kept : dropped).push(name);
  }
  if (kept.length > 0) return { kept, dropped };
  return {
    reason: dropped.length === 0 ? 'values is empty' : nothingLeft(dropped[0]!, NO_NUMBER),
  };
}

/** Why a reading is refused of which all values were dropped, by the first of them. */
export const nothingLeft = (quantity: string, reason: string): string => `${quantity} is ${reason}`;

// Names go into reasons, which are stored and shown: keep them short and printable.
const shown = (name: string): string =>
  JSON.stringify(name.slice(0, 40).replace(/[^\x20-\x7e]/g, '?'));
