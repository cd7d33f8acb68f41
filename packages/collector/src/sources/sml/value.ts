/** A value of SML; null if it was left out. Numbers beyond 53 bits are not used here, and are null. */
export type SmlValue = SmlNumber | boolean | Buffer | null | readonly SmlValue[];

/** A whole number, and the bytes that it came in. */
export interface SmlNumber {
  readonly number: number;
  readonly width: number;
}

export const isNumber = (value: SmlValue | undefined): value is SmlNumber =>
  typeof value === 'object' && value !== null && 'number' in value;

const DEEPEST = 12;

/**
 * Reads the value that begins at a place; undefined if the bytes are none. The first byte has the kind in its upper half and the
 * length in its lower one, which continues in the next byte if the highest bit is set. SML 1.04, section 6.3
 */
export function readValue(
  bytes: Buffer,
  at: number,
  depth = 0,
): { readonly value: SmlValue; readonly end: number } | undefined {
  if (at >= bytes.length || depth > DEEPEST) return undefined;
  const kind = (bytes[at]! >> 4) & 7;
  let size = bytes[at]! & 0xf;
  let from = at + 1;
  while (bytes[from - 1]! & 0x80) {
    if (from >= bytes.length || size > 0xff) return undefined;
    size = size * 16 + (bytes[from]! & 0xf);
    from++;
  }
  if (kind === 7) return readList(bytes, from, size, depth);
  // The end of a message.
  if (bytes[at] === 0) return { value: null, end: from };
  const end = at + size;
  if (end < from || end > bytes.length) return undefined;
  const content = bytes.subarray(from, end);
  const width = content.length;
  if (kind === 0) return { value: width === 0 ? null : content, end };
  if (kind === 4 && width === 1) return { value: content[0] !== 0, end };
  if ((kind === 5 || kind === 6) && width >= 1 && width <= 8)
    return { value: numberOf(content, kind === 5), end };
  return undefined;
}

function readList(
  bytes: Buffer,
  from: number,
  size: number,
  depth: number,
): ReturnType<typeof readValue> {
  const list: SmlValue[] = [];
  let at = from;
  for (let i = 0; i < size; i++) {
    const item = readValue(bytes, at, depth + 1);
    if (!item) return undefined;
    list.push(item.value);
    at = item.end;
  }
  return { value: list, end: at };
}

function numberOf(content: Buffer, isSigned: boolean): SmlNumber | null {
  let value = 0n;
  for (const byte of content) value = (value << 8n) | BigInt(byte);
  if (isSigned) value = BigInt.asIntN(8 * content.length, value);
  const number = Number(value);
  return Number.isSafeInteger(number) ? { number, width: content.length } : null;
}
