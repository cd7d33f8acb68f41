const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const SLOTS = 3;

/** A time slot as inverters show it, `HH:mm-HH:mm`, whether written with a hyphen or a comma; undefined for anything else. */
export function simulatedSlotText(text: string): string | undefined {
  const times = text.split(/[-,]/);
  return times.length === 2 && times.every((time) => TIME.test(time)) ? times.join('-') : undefined;
}

/** Three groups of charge current, discharge current and their slots, as inverters show them: in 12 fields. Undefined for anything else. */
export function simulatedSlotsText(text: string): string | undefined {
  const fields = text.split(',');
  const width = fields.length / SLOTS;
  if (width !== 4 && width !== 6) return undefined;
  const groups = Array.from({ length: SLOTS }, (_, i) => {
    const [charge, discharge, ...times] = fields.slice(i * width, (i + 1) * width);
    const slots =
      width === 4
        ? times.map(simulatedSlotText)
        : [
            simulatedSlotText(times.slice(0, 2).join(',')),
            simulatedSlotText(times.slice(2).join(',')),
          ];
    const currents = [charge, discharge].map(Number);
    return slots.includes(undefined) || !currents.every((current) => current >= 0)
      ? undefined
      : [...currents, ...slots].join(',');
  });
  return groups.includes(undefined) ? undefined : groups.join(',');
}

/** The currents of the slots that contain a minute of the day, of three groups in 12 fields; undefined if no slot does. */
export function activeCurrents(
  groups: string,
  minute: number,
): { charge: number | undefined; discharge: number | undefined } {
  const fields = groups.split(',');
  const currentOf = (kind: 0 | 1): number | undefined => {
    const i = fields.findIndex((field, at) => at % 4 === 2 + kind && isWithin(field, minute));
    return i < 0 ? undefined : Number(fields[i - 2]);
  };
  return { charge: currentOf(0), discharge: currentOf(1) };
}

/** Whether a slot contains a minute of the day; a slot that ends before it begins continues past midnight. */
export function isWithin(slot: string, minute: number): boolean {
  const [begins = 0, ends = 0] = slot
    .split('-')
    .map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)));
  return begins <= ends ? minute >= begins && minute < ends : minute >= begins || minute < ends;
}
