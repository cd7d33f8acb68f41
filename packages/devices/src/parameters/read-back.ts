import { clockSeconds } from './device-clock.ts';
import { shownNumber } from './numbers.ts';
import type { Parameter } from '../profiles/profile.ts';
import { startMinutes } from './start-times.ts';
import { slotsText, slotText, usedSlots } from './time-slots.ts';

/**
 * Whether `read`, as shown by a device, is the value that was written. Spellings do not matter, clocks advance, and every bit
 * counts, as firmware may clear individual bits.
 */
export function readsBackAs({ form }: Parameter, written: string, read: string): boolean {
  switch (form.type) {
    case 'number':
    case 'choice':
    case 'bits':
      return isSame(shownNumber(written), shownNumber(read));
    case 'clock':
      return hasAdvanced(clockSeconds(written), clockSeconds(read.trim()), form.advancesSeconds);
    case 'slot':
      return isSame(slotText(written), slotText(read.trim()));
    case 'slots':
      return isSame(
        usedSlots(slotsText(written, form.maxCurrentA, true)),
        usedSlots(slotsText(read.trim(), form.maxCurrentA, true)),
      );
    case 'times':
      return isSame(startMinutes(form, written)?.join(), startMinutes(form, read)?.join());
    case 'text':
      return written === read;
  }
}

/**
 * Whether writing the value would change nothing. A clock is always written, because a reading of unknown age cannot show that it is right, and so is what a
 * device forgets by itself.
 */
export const isAlreadySet = (parameter: Parameter, value: string, read: string): boolean =>
  parameter.form.type !== 'clock' &&
  (parameter.hold === null || readsBackAs(parameter, value, parameter.hold.none)) &&
  readsBackAs(parameter, value, read);

const isSame = <T>(written: T | undefined, read: T | undefined): boolean =>
  written !== undefined && written === read;

const hasAdvanced = (
  written: number | undefined,
  read: number | undefined,
  atMostSeconds: number,
): boolean =>
  written !== undefined && read !== undefined && read >= written && read <= written + atMostSeconds;
