import { numberText, plainNumber, rounded, shownNumber } from './numbers.ts';

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const SLOTS = 3;
/** Step of the currents in the parameter with three slots, A. */
const CURRENT_STEP_A = 0.1;

/** Reads `HH:mm-HH:mm` or `HH:mm,HH:mm` and returns the former; undefined for anything else. */
export function slotText(text: string): string | undefined {
  const times = text.split(/[-,]/);
  return times.length === 2 && times.every((time) => TIME.test(time)) ? times.join('-') : undefined;
}

/** Reads three slots in either form and returns the form with 12 fields; undefined for anything else, or if a current exceeds `maxCurrentA`. */
export function slotsText(text: string, maxCurrentA: number, shown = false): string | undefined {
  const fields = text.split(',');
  const width = fields.length / SLOTS;
  if (width !== 4 && width !== 6) return undefined;
  const slots = Array.from({ length: SLOTS }, (_, i) =>
    slotFields(fields.slice(i * width, (i + 1) * width), maxCurrentA, shown),
  );
  return slots.every((slot) => slot !== undefined) ? slots.join(',') : undefined;
}

/** Three slots as `slotsText` returns them, without the currents of slots that never begin, which mean nothing. */
export function usedSlots(text: string | undefined): string | undefined {
  const fields = text?.split(',');
  return fields
    ?.map((field, i) => {
      const first = i - (i % 4);
      const isIdle = fields[first + 2] === IDLE && fields[first + 3] === IDLE;
      return isIdle && i < first + 2 ? '0' : field;
    })
    .join(',');
}

export const IDLE = '00:00-00:00';

function slotFields(
  [charge = '', discharge = '', ...times]: readonly string[],
  maxCurrentA: number,
  shown: boolean,
): string | undefined {
  const currents = [charge, discharge].map((text) =>
    shown ? shownNumber(text) : plainNumber(text),
  );
  if (!currents.every((current) => current !== undefined && isCurrent(current, maxCurrentA)))
    return undefined;
  const pairs =
    times.length === 2
      ? times.map(slotText)
      : [`${times[0]}-${times[1]}`, `${times[2]}-${times[3]}`].map(slotText);
  return pairs.every((pair) => pair !== undefined)
    ? [...currents.map((current) => numberText(current!)), ...pairs].join(',')
    : undefined;
}

const isCurrent = (amperes: number, maxCurrentA: number): boolean =>
  amperes >= 0 && amperes <= maxCurrentA && Number.isInteger(rounded(amperes / CURRENT_STEP_A));
