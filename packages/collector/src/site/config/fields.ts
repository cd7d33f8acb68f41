import { AddressFault } from '../../bus/address.ts';
import { connectionKey, isSource, parseDeviceAddress } from '../../sources/source-address.ts';
import { isMeasures } from '../../sources/source.ts';
import { durationOf } from './duration.ts';
import type { DeviceEntry } from './site-config.ts';

/** How the value of a field is read; `nested` fields are read by themselves. */
export type Field =
  | 'nested'
  | {
      readonly isRequired: boolean;
      read(value: unknown): { readonly value: unknown } | { readonly fault: string };
    };

const field = (expected: string, read: (value: unknown) => unknown, isRequired = false): Field => ({
  isRequired,
  read(value) {
    const found = read(value);
    return found === undefined ? { fault: `must be ${expected}` } : { value: found };
  },
});

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= 1_000;
const text = (expected: string, isRequired = false): Field =>
  field(expected, (value) => (isText(value) ? value.trim() : undefined), isRequired);
const choice: Field = field('true or false', (value) =>
  typeof value === 'boolean' ? value : undefined,
);
const whole = (atLeast: number, atMost: number): Field =>
  field(`a whole number from ${atLeast} to ${atMost}`, (value) =>
    Number.isInteger(value) && (value as number) >= atLeast && (value as number) <= atMost
      ? value
      : undefined,
  );
const duration = (atLeastMs: number, atMostMs: number, expected: string): Field =>
  field(expected, (value) => {
    const ms = durationOf(value);
    return ms !== undefined && ms >= atLeastMs && ms <= atMostMs ? ms : undefined;
  });

const ADDRESS: Field = {
  isRequired: true,
  read(value) {
    if (!isText(value)) return { fault: 'must be a host, such as 192.168.1.40' };
    try {
      return { value: parseDeviceAddress(value.trim()) };
    } catch (error) {
      if (error instanceof AddressFault) return { fault: error.message };
      throw error;
    }
  },
};

const GATEWAY = /^(https?|mqtts?):\/\/[^\s/]+/;

export const siteFields: Readonly<Record<string, Field>> = {
  gateway: field(
    'the address of the server, such as https://helioport.example:8083 or mqtt://helioport.example:1883',
    (value) => (isText(value) && GATEWAY.test(value) && URL.canParse(value) ? value : undefined),
    true,
  ),
  'token-file': text('the path of the file that holds the token of the collector'),
  'collector-id': text('the id that helioport collector add prints'),
  'token-id': text('the token id that helioport collector add prints'),
  'report-every': duration(5_000, 900_000, 'a time from 5s to 15m, such as 60s'),
  data: text('the path of a folder'),
  devices: 'nested',
  listen: 'nested',
};

export const deviceFields: Readonly<Record<string, Field>> = {
  address: ADDRESS,
  unit: whole(0, 247),
  control: choice,
  share: choice,
  sn: field('a serial number of up to 64 characters', (value) =>
    (isText(value) || typeof value === 'number') && String(value).length <= 64
      ? String(value).trim()
      : undefined,
  ),
  confirmed: field('a list of ids, as probe shows them', (value) =>
    Array.isArray(value) && value.every((id) => isText(id) || typeof id === 'number')
      ? new Set(value.map(String))
      : undefined,
  ),
  user: field('the name of a user of the device', (value) =>
    isText(value) && !/["\r\n]/.test(value) ? value.trim() : undefined,
  ),
  'password-file': text('the path of the file that holds the password of the device'),
  'password-readable': choice,
  measures: field(
    'grid, production or nothing, or a list of these, one for each channel',
    (value) => {
      const list: readonly unknown[] = Array.isArray(value) ? value : [value];
      return list.length > 0 && list.every(isMeasures) ? list : undefined;
    },
  ),
  'poll-every': duration(1_000, 3_600_000, 'a time from 1s to 1h, such as 10s'),
};

const LISTEN = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+):(\d{1,5})$/;

export const listenFields: Readonly<Record<string, Field>> = {
  solarman: field('an address and a port, such as 0.0.0.0:10000', (value) => {
    const [, host, digits] = isText(value) ? (LISTEN.exec(value) ?? []) : [];
    const port = Number(digits);
    if (host === undefined || port > 65_535) return undefined;
    return { host: host.replace(/^\[|\]$/g, ''), port };
  }),
  sticks: field('a list of serial numbers of sticks, as on their labels', (value) =>
    Array.isArray(value) &&
    value.every((one) => Number.isInteger(one) && one > 0 && one <= 0xffff_ffff)
      ? value
      : undefined,
  ),
};

/** Two entries for the same device, and one connection that would have to speak in two ways. */
export function duplicateFaults(
  devices: readonly DeviceEntry[],
): { readonly line: number; readonly message: string }[] {
  const seen = new Map<string, DeviceEntry>();
  const faults: { line: number; message: string }[] = [];
  for (const device of devices) {
    const bus = connectionKey(device.address);
    const key = `${bus} ${device.unit ?? ''}`;
    const before = seen.get(key);
    if (before)
      faults.push({
        line: device.line,
        message: `the device of line ${before.line} has the same address and unit`,
      });
    const other = [...seen.values()].find((one) => connectionKey(one.address) === bus);
    if (other && JSON.stringify(other.address) !== JSON.stringify(device.address))
      faults.push({
        line: device.line,
        message: `line ${other.line} reaches ${bus} in another way`,
      });
    seen.set(key, device);
  }
  return faults;
}

/** Kinds that are asked over HTTP, and may want a password. */
const WITH_PASSWORD: ReadonlySet<string> = new Set(['shelly', 'fronius', 'victron']);

/** Fields that make no sense for the kind of an address. */
export function sourceFaults(
  devices: readonly DeviceEntry[],
): { readonly line: number; readonly message: string }[] {
  return devices.flatMap(({ address, line, control, unit, ...more }) => {
    const messages: string[] = [];
    if (isSource(address) && control)
      messages.push(`control cannot be true: ${address.kind} is only read`);
    if (isSource(address) && unit !== undefined)
      messages.push(`unit is for Modbus: ${address.kind} has none`);
    if (more.measures !== undefined && address.kind !== 'shelly')
      messages.push('measures is for shelly://: other devices say themselves what they measure');
    if (more.passwordFile !== undefined && !WITH_PASSWORD.has(address.kind))
      messages.push(`password-file is for ${[...WITH_PASSWORD].join(', ')}`);
    if (more.isPasswordReadable && (address.kind !== 'shelly' || more.passwordFile === undefined))
      messages.push('password-readable is for shelly:// with a password-file');
    if (more.user !== undefined && more.passwordFile === undefined)
      messages.push('user needs a password-file');
    return messages.map((message) => ({ line, message }));
  });
}
