import type { Instruction } from '../instruction.ts';
import { isCount, isShort, membersOf, type Members } from './shapes.ts';

/** The gateway hands over one for each device at most. */
export const INSTRUCTIONS_AT_MOST = 1_000;
const NAME_AT_MOST = 64;
const VALUE_AT_MOST = 4_096;
/** No device is waited for any longer than this. */
const WITHIN_AT_MOST_S = 3_600;
/** What a device forgets is not repeated for longer than this. */
const HOLD_AT_MOST_S = 7 * 86_400;
const [FUNCTION_AT_MOST, WORD_AT_MOST] = [0x7f, 0xffff];

/** The instructions in a message; those that are none are left out. Undefined if the message holds none at all but is not empty. */
export function instructionsIn(value: unknown): readonly Instruction[] | undefined {
  const list = membersOf(value)?.['commands'];
  if (!Array.isArray(list)) return undefined;
  const found = list.slice(0, INSTRUCTIONS_AT_MOST).flatMap((one) => instructionOf(one) ?? []);
  return found.length === 0 && list.length > 0 ? undefined : found;
}

function instructionOf(value: unknown): Instruction | undefined {
  const members = membersOf(value);
  if (!members) return undefined;
  const { id, sn, action, parameter, withinSeconds, holdSeconds, word } = members;
  if (!isShort(id, NAME_AT_MOST) || !isShort(sn, NAME_AT_MOST)) return undefined;
  if (!isShort(parameter, NAME_AT_MOST)) return undefined;
  if (action !== 'read' && action !== 'write') return undefined;
  if (typeof withinSeconds !== 'number' || !(withinSeconds > 0)) return undefined;
  if (holdSeconds !== undefined && !isCount(holdSeconds)) return undefined;
  const [encoding, register] = [encodingOf(members['encoding']), registerOf(members['register'])];
  const [written, oldValue] = [textOf(members['value']), textOf(members['oldValue'])];
  if (encoding === null || register === null || written === null || oldValue === null)
    return undefined;
  if (word !== undefined && !isCount(word, WORD_AT_MOST)) return undefined;
  if (action === 'write' && written === undefined) return undefined;
  return {
    id,
    sn,
    action,
    parameter,
    ...(encoding && { encoding }),
    ...(register && { register }),
    ...(word !== undefined && { word }),
    ...(written !== undefined && { value: written }),
    ...(oldValue !== undefined && { oldValue }),
    ...(holdSeconds !== undefined && { holdSeconds: Math.min(holdSeconds, HOLD_AT_MOST_S) }),
    withinSeconds: Math.min(withinSeconds, WITHIN_AT_MOST_S),
  };
}

/** Optional members are undefined if they are absent, and null if they are something else. */
function textOf(value: unknown): string | undefined | null {
  if (value === undefined) return undefined;
  return typeof value === 'string' && value.length <= VALUE_AT_MOST ? value : null;
}

function encodingOf(value: unknown): Instruction['encoding'] | null {
  if (value === undefined) return undefined;
  const { type, unit, scale }: Members = membersOf(value) ?? {};
  if (!isShort(type, NAME_AT_MOST)) return null;
  if (unit !== undefined && !(typeof unit === 'string' && unit.length <= NAME_AT_MOST)) return null;
  if (scale !== undefined && !Number.isFinite(scale)) return null;
  return {
    type,
    ...(unit !== undefined && { unit }),
    ...(scale !== undefined && { scale: scale as number }),
  };
}

function registerOf(value: unknown): Instruction['register'] | null {
  if (value === undefined) return undefined;
  const { address, readFunction, writeFunction }: Members = membersOf(value) ?? {};
  return isCount(address, WORD_AT_MOST) &&
    isCount(readFunction, FUNCTION_AT_MOST) &&
    isCount(writeFunction, FUNCTION_AT_MOST)
    ? { address, readFunction, writeFunction }
    : null;
}
