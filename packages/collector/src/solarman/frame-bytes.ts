/** The byte before the last: the sum of all between the first one and itself. */
export function sumOf(frame: Buffer): number {
  let sum = 0;
  for (let i = 1; i < frame.length - 2; i++) sum += frame[i]!;
  return sum & 0xff;
}

/** The serial number of an inverter; undefined if what stands there is none. */
export function serialNumberAt(bytes: Buffer, at: number): string | undefined {
  const sn = bytes
    .toString('latin1', at, at + 16)
    .replace(/\0.*$/s, '')
    .trim();
  return /^[\x21-\x7e]{4,16}$/.test(sn) ? sn : undefined;
}

/** A measured number in three decimals, without the errors of binary fractions. */
export const roundedValue = (value: number): number => Math.round(value * 1000) / 1000;
