import { isNumber, readValue, type SmlValue } from './value.ts';

/** What a meter has said at one moment. */
export interface SmlTelegram {
  /** Its number in the form of its label, such as `1EMH0012345678`, or in hexadecimal digits; null if it tells none. */
  readonly sn: string | null;
  /** Letters of its maker, such as `EMH`; null if it tells none. */
  readonly maker: string | null;
  /** Numbers by OBIS code and unit, such as `16.7.0 W`. */
  readonly fields: ReadonlyMap<string, number>;
}

/** The answer that lists values. */
const GET_LIST_RESPONSE = 0x0701;
const MESSAGES_AT_MOST = 50;
/** Bytes of a number that nothing is cut off. */
const WHOLE = 4;

/** DLMS units that values have here. IEC 62056-62, table 4 */
const UNITS: Readonly<Record<number, string>> = {
  27: 'W',
  28: 'VA',
  29: 'var',
  30: 'Wh',
  33: 'A',
  35: 'V',
  44: 'Hz',
};

/** Reads the messages of a file; undefined if it is no SML, or lists no values. */
export function readSml(bytes: Buffer): SmlTelegram | undefined {
  let at = 0;
  for (let i = 0; i < MESSAGES_AT_MOST && at < bytes.length; i++) {
    // Padding that was not counted.
    if (bytes[at] === 0) {
      at++;
      continue;
    }
    const message = readValue(bytes, at);
    if (!message || !Array.isArray(message.value)) return undefined;
    at = message.end;
    // transaction, group, abort on error, body, checksum, end
    const body = message.value[3];
    if (
      !Array.isArray(body) ||
      !isNumber(body[0]) ||
      body[0].number !== GET_LIST_RESPONSE ||
      !Array.isArray(body[1])
    )
      continue;
    // client, server, name of the list, time, values
    const [, server, , , entries] = body[1];
    if (Array.isArray(entries)) return telegramOf(server ?? null, entries);
  }
  return undefined;
}

interface Entry {
  readonly code: string;
  readonly status: SmlValue;
  readonly unit: SmlValue;
  readonly scaler: SmlValue;
  readonly value: SmlValue;
}

function telegramOf(server: SmlValue, rows: readonly SmlValue[]): SmlTelegram | undefined {
  const entries = rows.flatMap((row) => entryOf(row) ?? []);
  const texts = new Map(entries.map(({ code, value }) => [code, value]));
  const name = [texts.get('96.1.0'), texts.get('0.0.9'), server].find(
    (one) => Buffer.isBuffer(one) && one.length > 0,
  );
  const { sn, maker } = nameOf(name as Buffer | undefined);
  const isTruncated = maker === 'DZG' && entries.some(isTakenFromGrid);
  const fields = new Map<string, number>();
  for (const { code, unit, scaler, value } of entries) {
    const inUnit = isNumber(unit) ? UNITS[unit.number] : undefined;
    const power = isNumber(scaler) ? scaler.number : 0;
    if (inUnit === undefined || !isNumber(value) || Math.abs(power) > 12) continue;
    const { number, width } = value;
    const isCut = isTruncated && code === '16.7.0' && number < 0 && width < WHOLE;
    const field = `${code} ${inUnit}`;
    if (!fields.has(field))
      fields.set(field, scaled(isCut ? number + 256 ** width : number, power));
  }
  return fields.size === 0 ? undefined : { sn, maker, fields };
}

/** Dividing by a power of ten is exact where multiplying by its fraction is not. */
const scaled = (raw: number, power: number): number =>
  power < 0 ? raw / 10 ** -power : raw * 10 ** power;

/** name, status, time, unit, scaler, value, signature */
function entryOf(row: SmlValue): Entry | undefined {
  if (!Array.isArray(row) || row.length < 6) return undefined;
  const [name, status = null, , unit = null, scaler = null, value = null] = row;
  if (!Buffer.isBuffer(name) || name.length !== 6) return undefined;
  // Electricity, without a channel; the last part is that of the present value.
  if (name[0] !== 1 || name[1] !== 0 || name[5] !== 0xff) return undefined;
  return { code: `${name[2]}.${name[3]}.${name[4]}`, status, unit, scaler, value };
}

/**
 * Meters of DZG cut leading zeros off a power, so that one that is taken looks negative. The status word of a counter says that
 * it is taken: its fixed bits, that there is a load, and not the bit for the other direction.
 */
const isTakenFromGrid = ({ code, status }: Entry): boolean =>
  code === '1.8.0' && isNumber(status) && (status.number & 0xffe0_09ff) >>> 0 === 0x104;

/** A device number of DIN 43863-5 in ten bytes: medium, three letters, block, and eight digits. */
function nameOf(bytes: Buffer | undefined): Pick<SmlTelegram, 'sn' | 'maker'> {
  if (!bytes) return { sn: null, maker: null };
  const letters = /^[A-Z]{3}$/.exec(bytes.toString('latin1', 2, 5))?.[0];
  const isDeviceNumber = bytes.length === 10 && (bytes[0] === 9 || bytes[0] === 10);
  if (isDeviceNumber && letters !== undefined) {
    const [medium, block] = [bytes[1]!.toString(16), bytes[5]!.toString(16).padStart(2, '0')];
    const digits = String(bytes.readUInt32BE(6)).padStart(8, '0');
    return { sn: `${medium}${letters}${block}${digits}`.toUpperCase(), maker: letters };
  }
  const sn = bytes.length <= 32 ? bytes.toString('hex').toUpperCase() : null;
  return { sn, maker: null };
}
