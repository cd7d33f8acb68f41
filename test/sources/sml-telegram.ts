/** A value of a list, as a meter sends it. */
export interface SmlEntry {
  /** Six bytes in hexadecimal digits. */
  readonly obis: string;
  readonly unit?: number;
  readonly scaler?: number;
  /** A whole number with its width in bytes, negative numbers and those marked as such with a sign; or bytes. */
  readonly value:
    | { readonly number: number; readonly width: number; readonly signed?: boolean }
    | Buffer;
  readonly status?: { readonly number: number; readonly width: number };
}

const number = (value: number, width: number, kind: 0x50 | 0x60): Buffer => {
  const bytes = Buffer.alloc(width);
  for (let i = 0; i < width; i++)
    bytes[width - 1 - i] = Number((BigInt(value) >> BigInt(8 * i)) & 0xffn);
  return Buffer.concat([Buffer.of(kind + width + 1), bytes]);
};
const unsigned = (value: number, width: number): Buffer => number(value, width, 0x60);
const signed = (value: number, width: number): Buffer => number(value, width, 0x50);
const NONE = Buffer.of(0x01);

/** Octets; their length needs a second byte from 15 on. */
function octets(bytes: Uint8Array): Buffer {
  const length = bytes.length + 1;
  if (length < 16) return Buffer.concat([Buffer.of(length), bytes]);
  const whole = length + 1;
  return Buffer.concat([Buffer.of(0x80 + (whole >> 4), whole & 0xf), bytes]);
}

function list(...items: readonly Buffer[]): Buffer {
  const head =
    items.length < 16
      ? Buffer.of(0x70 + items.length)
      : Buffer.of(0xf0 + (items.length >> 4), items.length & 0xf);
  return Buffer.concat([head, ...items]);
}

function entry({ obis, unit, scaler, value, status }: SmlEntry): Buffer {
  return list(
    octets(Buffer.from(obis, 'hex')),
    status ? unsigned(status.number, status.width) : NONE,
    NONE,
    unit === undefined ? NONE : unsigned(unit, 1),
    scaler === undefined ? NONE : signed(scaler, 1),
    Buffer.isBuffer(value)
      ? octets(value)
      : value.number < 0 || value.signed === true
        ? signed(value.number, value.width)
        : unsigned(value.number, value.width),
    NONE,
  );
}

/** The remainder for x^16 + x^12 + x^5 + 1, the lowest bit first, as on the wire: X.25 inverts, and sends the low byte first. */
export function x25(bytes: Uint8Array): Buffer {
  let crc = 0xffff;
  for (const byte of bytes)
    for (let bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ ((crc ^ (byte >> bit)) & 1 ? 0x8408 : 0);
  crc ^= 0xffff;
  return Buffer.of(crc & 0xff, crc >> 8);
}

/** Holley's checksum: it begins with 0, inverts nothing, and has the high byte first. */
export function kermit(bytes: Uint8Array): Buffer {
  let crc = 0;
  for (const byte of bytes)
    for (let bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ ((crc ^ (byte >> bit)) & 1 ? 0x8408 : 0);
  return Buffer.of(crc >> 8, crc & 0xff);
}

function message(kind: number, body: Buffer): Buffer {
  const head = Buffer.concat([
    Buffer.of(0x76),
    octets(Buffer.of(0, 1, 2, 3)),
    unsigned(0, 1),
    unsigned(0, 1),
    list(unsigned(kind, 2), body),
  ]);
  const [low, high] = x25(head);
  return Buffer.concat([head, Buffer.of(0x63, low!, high!, 0x00)]);
}

export const SML_SERVER = Buffer.from('0a01454d480000bc614e', 'hex');
/** The name of its label. */
export const SML_SN = '1EMH0012345678';

/** 2,345.67 W are sold, and a phase takes a little. */
export const SML_ENTRIES: readonly SmlEntry[] = [
  { obis: '010060320101', value: Buffer.from('EMH') },
  { obis: '0100600100ff', value: SML_SERVER },
  {
    obis: '0100010800ff',
    unit: 30,
    scaler: -1,
    value: { number: 12_345_678, width: 8 },
    status: { number: 0x1c_7904, width: 3 },
  },
  { obis: '0100010801ff', unit: 30, scaler: -1, value: { number: 12_345_678, width: 8 } },
  { obis: '0100020800ff', unit: 30, scaler: -1, value: { number: 43_210_010, width: 4 } },
  { obis: '0100100700ff', unit: 27, scaler: -2, value: { number: -234_567, width: 4 } },
  { obis: '0100240700ff', unit: 27, scaler: -2, value: { number: -234_600, width: 4 } },
  { obis: '0100380700ff', unit: 27, scaler: 0, value: { number: 0, width: 2, signed: true } },
  { obis: '01004c0700ff', unit: 27, scaler: -2, value: { number: 33, width: 2, signed: true } },
  { obis: '0100200700ff', unit: 35, scaler: -1, value: { number: 2301, width: 2 } },
  { obis: '01001f0700ff', unit: 33, scaler: -2, value: { number: 1020, width: 2 } },
  { obis: '01000e0700ff', unit: 44, scaler: -1, value: { number: 499, width: 2 } },
  // Neither of electricity now, nor with a unit that is known.
  { obis: '0100100700fe', unit: 27, scaler: 0, value: { number: 99_999, width: 4 } },
  { obis: '8181c78205ff', value: Buffer.alloc(48, 0x1b) },
];

export const SML_VALUES = {
  gridPowerW: 2345.67,
  gridImportTotalKwh: 1234.5678,
  gridExportTotalKwh: 4321.001,
  acPower1W: 2346,
  acPower2W: 0,
  acPower3W: -0.33,
  acVoltage1V: 230.1,
  acCurrent1A: 10.2,
  gridFrequencyHz: 49.9,
};

/** A telegram of version 1, with padding, doubled escapes and checksum. */
export function smlTelegram(entries: readonly SmlEntry[] = SML_ENTRIES, checksum = x25): Buffer {
  const open = message(
    0x0101,
    list(NONE, NONE, octets(Buffer.of(7)), octets(SML_SERVER), NONE, NONE),
  );
  const values = message(
    0x0701,
    list(
      NONE,
      octets(SML_SERVER),
      NONE,
      list(unsigned(1, 1), unsigned(1_234_567, 4)),
      list(...entries.map(entry)),
      NONE,
      NONE,
    ),
  );
  const close = message(0x0201, list(NONE));
  const content = Buffer.concat([open, values, close]);
  const padding = (4 - (content.length % 4)) % 4;
  const escaped = content
    .toString('latin1')
    .replaceAll('\u001b\u001b\u001b\u001b', '\u001b'.repeat(8));
  const covered = Buffer.concat([
    Buffer.from('1b1b1b1b01010101', 'hex'),
    Buffer.from(escaped, 'latin1'),
    Buffer.alloc(padding),
    Buffer.from('1b1b1b1b1a', 'hex'),
    Buffer.of(padding),
  ]);
  return Buffer.concat([covered, checksum(covered)]);
}
