import type { Instruction } from './instruction.ts';
import type { Outcome } from './report.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether an answer is a gateway's to a report or to results, and not that of whatever else answers at its address. */
export const isOutcome = (value: unknown): value is Outcome =>
  isObject(value) &&
  typeof value['accepted'] === 'number' &&
  typeof value['duplicate'] === 'number' &&
  Array.isArray(value['refused']);

/** Whether an answer is a gateway's to a question for instructions. */
export const hasInstructions = (
  value: unknown,
): value is { readonly commands: readonly Instruction[] } =>
  isObject(value) && Array.isArray(value['commands']) && value['commands'].every(isInstruction);

const isInstruction = (value: unknown): boolean =>
  isObject(value) &&
  ['id', 'sn', 'parameter'].every((name) => typeof value[name] === 'string') &&
  (value['action'] === 'read' || value['action'] === 'write') &&
  typeof value['withinSeconds'] === 'number';

/** Whether a refusal is the gateway's own, not that of a proxy or of another server. */
export function isRefusal(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && value['success'] === false && typeof value['code'] === 'string';
  } catch {
    return false;
  }
}
