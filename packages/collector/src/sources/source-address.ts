import type { SourceName } from '@helioport/devices/sources';
import {
  AddressFault,
  addressText,
  busKey,
  hostAndPort,
  only,
  parseAddress,
  serialAddress,
  type BusAddress,
} from '../bus/address.ts';

/** Where something is that names its values itself instead of having registers. */
export type SourceAddress = HostAddress | LineAddress;

export interface HostAddress {
  readonly kind: SourceName;
  readonly host: string;
  readonly port: number;
  /** Of a stick. */
  readonly serial?: number;
}

export interface LineAddress {
  readonly kind: SourceName;
  readonly path: string;
  readonly baud: number;
}

/** What `address` in collect.yaml can be. */
export type DeviceAddress = BusAddress | SourceAddress;

/** How each kind of source is reached: the usual port, and the usual rate of a serial line. */
const FORMS: { readonly [Kind in SourceName]: { readonly port?: number; readonly baud?: number } } =
  {
    // Readers of meters have no usual port.
    p1: { baud: 115_200 },
    sml: { baud: 9600 },
    shelly: { port: 80 },
    fronius: { port: 80 },
    victron: { port: 1883 },
    v4: { port: 8899 },
  };

export const isSource = (address: DeviceAddress): address is SourceAddress =>
  Object.hasOwn(FORMS, address.kind);

/**
 * Reads an address of a Modbus device, or of a source, such as `p1:/dev/ttyUSB0?baud=9600` or `p1://HOST:PORT`. Throws
 * AddressFault.
 */
export function parseDeviceAddress(text: string): DeviceAddress {
  const [, scheme = '', rest = ''] = /^([a-z0-9]+):(?:\/\/(?!\/))?(.*)$/s.exec(text) ?? [];
  if (!Object.hasOwn(FORMS, scheme)) return parseAddress(text);
  const kind = scheme as SourceName;
  const { port, baud } = FORMS[kind];
  const [place = '', query = ''] = rest.split('?', 2);
  const given = new URLSearchParams(query);
  if (baud !== undefined && place.startsWith('/')) {
    only(text, given, ['baud']);
    if (!given.has('baud')) given.set('baud', String(baud));
    const { path, baud: rate } = serialAddress(text, place.replace(/^\/+/, '/'), given);
    return { kind, path, baud: rate };
  }
  if (place.startsWith('/')) throw new AddressFault(`${JSON.stringify(text)} names no host`);
  only(text, given, kind === 'v4' ? ['serial'] : []);
  const host = { kind, ...hostAndPort(text, place, port) };
  return kind === 'v4' ? { ...host, serial: serialOf(text, given) } : host;
}

/** An old stick does not answer to anybody who does not know its number. */
function serialOf(text: string, given: URLSearchParams): number {
  const serial = Number(given.get('serial') ?? Number.NaN);
  if (!Number.isInteger(serial) || serial < 1 || serial > 0xffff_ffff)
    throw new AddressFault(
      `${JSON.stringify(text)} needs the serial number of the stick: v4://HOST:8899?serial=NUMBER, as on its label`,
    );
  return serial;
}

/** The address as it is written in the file. */
export function deviceAddressText(address: DeviceAddress): string {
  if (!isSource(address)) return addressText(address);
  if ('path' in address) return `${address.kind}:${address.path}?baud=${address.baud}`;
  const { kind, host, port, serial } = address;
  const text = addressText({ kind: 'tcp', host, port }).replace(/^tcp/, kind);
  return serial === undefined ? text : `${text}?serial=${serial}`;
}

/** What has one connection: devices with the same key share it. */
export function connectionKey(address: DeviceAddress): string {
  if (!isSource(address)) return busKey(address);
  return 'path' in address ? address.path : `${address.host}:${address.port}`;
}
