/** The element types of arrays that are sent in the binary format, by what a statement has to cast its parameter to. */
export const ARRAY_TYPES = {
  tiny: { cast: 'int4[]', oid: 23 },
  short: { cast: 'int4[]', oid: 23 },
  int: { cast: 'int8[]', oid: 20 },
  bytes: { cast: 'bytea[]', oid: 17 },
  // UTF-8.
  text: { cast: 'text[]', oid: 25 },
} as const;

export type ArrayType = keyof typeof ARRAY_TYPES;

export type ArrayCell = number | Uint8Array;

const HEADER_BYTES = 20;

/**
 * The cells at `first`, `first + step` and so on as a one-dimensional array without nulls, so that neither side has to format or parse digits and
 * hex: dimensions, flags, element type, length, lower bound, then each element with its length.
 */
export function binaryArray(
  type: ArrayType,
  cells: readonly ArrayCell[],
  first = 0,
  step = 1,
): Buffer {
  const count = cells.length / step;
  let size = HEADER_BYTES + count * 4;
  if (type === 'bytes' || type === 'text')
    for (let i = first; i < cells.length; i += step) size += (cells[i] as Uint8Array).length;
  else size += count * (type === 'int' ? 8 : 4);
  const bytes = Buffer.allocUnsafe(size);
  let next = bytes.writeInt32BE(1, 0);
  next = bytes.writeInt32BE(0, next);
  next = bytes.writeInt32BE(ARRAY_TYPES[type].oid, next);
  next = bytes.writeInt32BE(count, next);
  next = bytes.writeInt32BE(1, next);
  for (let i = first; i < cells.length; i += step)
    next = writeElement(bytes, next, type, cells[i]!);
  return bytes;
}

function writeElement(bytes: Buffer, next: number, type: ArrayType, cell: ArrayCell): number {
  if (typeof cell !== 'number') {
    bytes.writeInt32BE(cell.length, next);
    bytes.set(cell, next + 4);
    return next + 4 + cell.length;
  }
  if (type !== 'int') return bytes.writeInt32BE(cell, bytes.writeInt32BE(4, next));
  const high = Math.floor(cell / 0x1_0000_0000);
  return bytes.writeUInt32BE(
    cell - high * 0x1_0000_0000,
    bytes.writeInt32BE(high, bytes.writeInt32BE(8, next)),
  );
}
