const LOW7 = 0x80;

// Measured values have few decimal places. The lowest four bits hold twice the number of places, plus one for a negative value, or
// else one of these two codes.
const [REAL, ABSENT] = [8, 9] as const;
const POWERS = [1, 10, 100, 1_000] as const;
/** Above this, sixteen times the value is not an exact whole number. */
const DECIMAL_AT_MOST = 2 ** 49;

/**
 * Writes whole numbers in 7-bit groups, lowest first (above 2^53 only those that a float64 can hold), and float64 numbers in
 * little-endian order. The buffer grows as needed.
 */
export interface PackedWriter {
  byte(value: number): void;
  whole(value: number): void;
  real(value: number): void;
  /** Writes values that mostly have few decimal places: 2 to 4 bytes each instead of 8. NaN takes 1. */
  decimals(values: Float64Array): void;
  /** Returns a copy of what was written, and empties the writer. */
  take(): Buffer;
}

export function createPackedWriter(): PackedWriter {
  let bytes = Buffer.alloc(1024);
  let end = 0;
  const room = (count: number): void => {
    if (end + count > bytes.length)
      bytes = Buffer.concat([bytes], Math.max(bytes.length * 2, end + count));
  };
  const whole = (value: number): void => {
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
  };
  const real = (value: number): void => {
    room(8);
    end = bytes.writeDoubleLE(value, end);
  };
  const decimal = (value: number): void => {
    if (Number.isNaN(value)) return whole(ABSENT);
    const size = Math.abs(value);
    for (let places = 0; places < POWERS.length; places++) {
      const power = POWERS[places]!;
      const digits = Math.round(size * power);
      if (digits > DECIMAL_AT_MOST) break;
      if (digits / power === size && !Object.is(value, -0))
        return whole(digits * 16 + places * 2 + (value < 0 ? 1 : 0));
    }
    whole(REAL);
    real(value);
  };
  return {
    byte(value) {
      room(1);
      bytes[end++] = value;
    },
    whole,
    real,
    decimals(values) {
      for (let i = 0; i < values.length; i++) decimal(values[i]!);
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
  decimals(count: number): Float64Array;
}

export const createPackedReader = (bytes: Uint8Array): PackedReader => new BytesReader(bytes);

// A class, since one is created per row: closures would cost more than the reading itself.
class BytesReader implements PackedReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #next = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  byte(): number {
    return this.#bytes[this.#next++]!;
  }

  whole(): number {
    let value = 0;
    let weight = 1;
    for (;;) {
      const byte = this.#bytes[this.#next++];
      if (byte === undefined) throw new RangeError('a stored state ends too early');
      value += (byte & 0x7f) * weight;
      if (byte < LOW7) return value;
      weight *= LOW7;
    }
  }

  real(): number {
    this.#next += 8;
    return this.#view.getFloat64(this.#next - 8, true);
  }

  reals(count: number): Float64Array {
    const values = new Float64Array(count);
    for (let i = 0; i < count; i++) values[i] = this.real();
    return values;
  }

  decimals(count: number): Float64Array {
    const values = new Float64Array(count);
    for (let i = 0; i < count; i++) values[i] = this.#decimal();
    return values;
  }

  #decimal(): number {
    const packed = this.whole();
    const form = packed % 16;
    if (form === REAL) return this.real();
    if (form === ABSENT) return Number.NaN;
    const size = Math.floor(packed / 16) / POWERS[form >> 1]!;
    return form & 1 ? -size : size;
  }
}
