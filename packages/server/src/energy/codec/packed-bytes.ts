const LOW7 = 0x80;

/** Writes whole numbers (above 2^53 only those that a float64 can hold) in 7-bit groups, lowest first, and float64 in little-endian order. Grows as needed. */
export interface PackedWriter {
  byte(value: number): void;
  whole(value: number): void;
  real(value: number): void;
  reals(values: Float64Array): void;
  /** Returns a copy of what was written, and empties the writer. */
  take(): Buffer;
}

export function createPackedWriter(): PackedWriter {
  let bytes = Buffer.alloc(1024);
  let end = 0;
  const room = (count: number): void => {
    if (end + count > bytes.length) bytes = Buffer.concat([bytes], Math.max(bytes.length * 2, end + count));
  };
  return {
    byte(value) {
      room(1);
      bytes[end++] = value;
    },
    whole(value) {
      room(16);
      let rest = value;
      while (rest >= 0x8000_0000) {
        bytes[end++] = (rest % LOW7) | LOW7;
        rest = Math.floor(rest / LOW7);
      }
      while (rest >= LOW7) {
        bytes[end++] = (rest & 0x7f) | LOW7;
        rest >>>= 7;
      }
      bytes[end++] = rest;
    },
    real(value) {
      room(8);
      end = bytes.writeDoubleLE(value, end);
    },
    reals(values) {
      room(values.length * 8);
      for (const value of values) end = bytes.writeDoubleLE(value, end);
    },
    take() {
      const taken = Buffer.from(bytes.subarray(0, end));
      end = 0;
      return taken;
    },
  };
}

/** Reads what a PackedWriter wrote, in the same order. */
export interface PackedReader {
  byte(): number;
  whole(): number;
  real(): number;
  reals(count: number): Float64Array;
}

export function createPackedReader(bytes: Uint8Array): PackedReader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let next = 0;
  const real = (): number => {
    next += 8;
    return view.getFloat64(next - 8, true);
  };
  return {
    byte: () => bytes[next++]!,
    whole() {
      let value = 0;
      let weight = 1;
      for (;;) {
        const byte = bytes[next++];
        if (byte === undefined) throw new RangeError('a stored state ends too early');
        value += (byte & 0x7f) * weight;
        if (byte < LOW7) return value;
        weight *= LOW7;
      }
    },
    real,
    reals(count) {
      const values = new Float64Array(count);
      for (let i = 0; i < count; i++) values[i] = real();
      return values;
    },
  };
}
