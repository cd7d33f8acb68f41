import type { ControlItem, Order, ReadValueRecord } from '@helioport/contract';
import type { Command } from '../../../control/commands/life-cycle.ts';
import { Failure } from '../../../platform/kernel/failure.ts';

export const orderOf = ({ id, queuedAt }: Command): Order => ({ at: queuedAt, id });

/** The id of the command that an order names: `<time>_<id>`, or the id alone. Undefined if it names none. */
export const commandOfOrder = (order: string): string | undefined =>
  /^(?:\d{1,16}_)?(\d{19})$/.exec(order)?.[1];

export const controlItem = (sn: string, command: Command): ControlItem => ({
  sn,
  order: orderOf(command),
  state: command.state,
  reason: command.endedAt === null ? 'the device has not confirmed it yet' : command.reason,
});

/** The value that a command has read; null while the command is open. Throws noAnswer. */
export function readValueOf({
  state,
  reason,
  endedAt,
  readValue,
  raw,
}: Command): ReadValueRecord | null {
  if (endedAt === null) return null;
  if (state === 'verified') return { value: readValue!, raw };
  throw new Failure('noAnswer', { message: reason ?? `the command is ${state}` });
}
