/** How a device is reached. */
export type BusAddress =
  /** A host of which everything else is found out. */
  | { readonly kind: 'any'; readonly host: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  | { readonly kind: 'rtu'; readonly host: string; readonly port: number }
  | {
      readonly kind: 'v5';
      readonly host: string;
      readonly port: number;
      /** Serial number of the stick; 0 if it is to be found out. */
      readonly serial: number;
    }
  /** A stick that connects to this machine by itself. */
  | { readonly kind: 'push'; readonly serial: number }
  | {
      readonly kind: 'serial';
      readonly path: string;
      readonly baud: number;
      readonly parity: 'none' | 'even' | 'odd';
      readonly stopBits: 1 | 2;
    };

/** A text that is no address; the message is a sentence for the person who wrote it. */
export class AddressFault extends Error {
  override readonly name = 'AddressFault';
}

const MODBUS_PORT = 502;
export const STICK_PORT = 8899;
const HOST = /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$|^\[[0-9a-fA-F:.]+\]$/;
const BAUD_RATES = [1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200];

/**
 * Reads `192.168.1.40`, `tcp://HOST:502`, `rtu://HOST:PORT` (Modbus RTU over TCP), `v5://HOST:8899?serial=NUMBER`,
 * `push:NUMBER` (a stick that reports to this machine) or `serial:/dev/ttyUSB0?baud=9600`. Throws AddressFault.
 */
export function parseAddress(text: string): BusAddress {
  const [, scheme, rest = ''] = /^(?:([a-z0-9]+):(?:\/\/)?)?(.*)$/s.exec(serialForm(text))!;
  const [place = '', query = ''] = rest.split('?', 2);
  const given = new URLSearchParams(query);
  if (scheme === undefined) {
    if (isBareHost(place) && query === '') return { kind: 'any', host: place };
    throw new AddressFault(`${quoted(text)} is no address: ${FORMS}`);
  }
  if (scheme === 'tcp' || scheme === 'rtu') {
    only(text, given, []);
    return {
      kind: scheme,
      ...hostAndPort(text, place, scheme === 'tcp' ? MODBUS_PORT : undefined),
    };
  }
  if (scheme === 'v5') {
    only(text, given, ['serial']);
    const { host, port } = hostAndPort(text, place, STICK_PORT);
    return { kind: 'v5', host, port, serial: serialOf(text, given.get('serial')) };
  }
  if (scheme === 'push') {
    only(text, given, []);
    const serial = serialOf(text, place);
    if (serial > 0) return { kind: 'push', serial };
  }
  if (scheme === 'serial') return serialAddress(text, place, given);
  throw new AddressFault(`${quoted(text)} is no address: ${FORMS}`);
}

const FORMS =
  'write a host such as 192.168.1.40, or tcp://HOST:502, rtu://HOST:PORT, v5://HOST:8899?serial=NUMBER, ' +
  'push:NUMBER, serial:/dev/ttyUSB0?baud=9600; a meter: p1 or sml, such as p1:/dev/ttyUSB0 or p1://HOST:PORT';

const quoted = (text: string): string => JSON.stringify(text.slice(0, 100));

/** `serial:/dev/...` has one slash, which belongs to the path. */
const serialForm = (text: string): string =>
  text.startsWith('serial:/') && !text.startsWith('serial://') ? `serial://${text.slice(7)}` : text;

/** A name with a colon would be a host with a port, of which nobody says what it speaks. */
const isBareHost = (place: string): boolean => HOST.test(place);

/** Throws AddressFault for a setting that is not known. */
export function only(text: string, given: URLSearchParams, known: readonly string[]): void {
  for (const name of given.keys())
    if (!known.includes(name))
      throw new AddressFault(
        `${quoted(text)} has an unknown setting ${quoted(name)}` +
          (known.length > 0 ? `; known: ${known.join(', ')}` : ''),
      );
}

/** Reads `HOST:PORT`. Throws AddressFault. @param usual the port if none is given */
export function hostAndPort(
  text: string,
  place: string,
  usual?: number,
): { host: string; port: number } {
  const [, host = '', digits] = /^(.*?)(?::(\d*))?\/?$/.exec(place)!;
  if (!HOST.test(host)) throw new AddressFault(`${quoted(text)} names no host`);
  const port = digits === undefined || digits === '' ? usual : Number(digits);
  if (port === undefined)
    throw new AddressFault(`${quoted(text)} names no port; gateways show theirs on their own page`);
  if (port < 1 || port > 65_535)
    throw new AddressFault(`${quoted(text)}: there is no port ${port}`);
  return { host: host.replace(/^\[|\]$/g, ''), port };
}

function serialOf(text: string, given: string | null): number {
  if (given === null) return 0;
  const serial = Number(given);
  if (/^\d{1,10}$/.test(given) && serial <= 0xffff_ffff) return serial;
  throw new AddressFault(
    `${quoted(text)}: the serial number of a stick is up to 10 digits, as on its label`,
  );
}

type SerialAddress = Extract<BusAddress, { kind: 'serial' }>;

/** Reads the settings of a serial port. Throws AddressFault. */
export function serialAddress(text: string, path: string, given: URLSearchParams): SerialAddress {
  only(text, given, ['baud', 'parity', 'stop']);
  if (path === '') throw new AddressFault(`${quoted(text)} names no port, such as /dev/ttyUSB0`);
  const baud = Number(given.get('baud') ?? 9600);
  if (!BAUD_RATES.includes(baud))
    throw new AddressFault(`${quoted(text)}: baud is one of ${BAUD_RATES.join(', ')}`);
  const parity = given.get('parity') ?? 'none';
  if (parity !== 'none' && parity !== 'even' && parity !== 'odd')
    throw new AddressFault(`${quoted(text)}: parity is none, even or odd`);
  const stop = given.get('stop') ?? '1';
  if (stop !== '1' && stop !== '2') throw new AddressFault(`${quoted(text)}: stop is 1 or 2`);
  return { kind: 'serial', path, baud, parity, stopBits: stop === '2' ? 2 : 1 };
}

/** The address as it is written in the file. */
export function addressText(address: BusAddress): string {
  if (address.kind === 'any') return address.host;
  if (address.kind === 'serial') return `serial:${address.path}?baud=${address.baud}`;
  if (address.kind === 'push') return `push:${address.serial}`;
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  const place = `${address.kind}://${host}:${address.port}`;
  return address.kind === 'v5' && address.serial > 0 ? `${place}?serial=${address.serial}` : place;
}

/** What has one connection: devices with the same key share it. */
export const busKey = (address: BusAddress): string =>
  address.kind === 'any'
    ? address.host
    : address.kind === 'serial'
      ? address.path
      : address.kind === 'push'
        ? `push:${address.serial}`
        : `${address.host}:${address.port}`;
