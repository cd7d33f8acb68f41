import { isTimeZone } from '@helioport/contract';
import { BlockList, isIP } from 'node:net';
import { readClusterAddress, type ClusterAddress } from './cluster-address.ts';
import { availableParallelism } from 'node:os';
import {
  daysForm,
  thinningForm,
  type ReadingThinning,
} from '@helioport/contract/reading-retention';
import { readSender } from '../kernel/addresses/mailbox.ts';

/** How the text of a setting is read. */
export interface SettingKind<T> {
  /** As shown in docs/configuration.md. */
  readonly type: string;
  /** Completes the error message `must be ...`. */
  readonly expected: string;
  /** The value, or undefined if the text is invalid. */
  read(text: string): T | undefined;
  /** What exactly is wrong with an invalid text: completes `must ...` in place of `expected`. */
  readonly fault?: (text: string) => string | undefined;
}

export const textSetting: SettingKind<string> = {
  type: 'text',
  expected: 'text',
  read: (value) => value,
};

export const host: SettingKind<string> = {
  type: 'address',
  expected: 'an IP address or a host name',
  read: (value) =>
    isIP(value) || /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(value) ? value : undefined,
};

export const port: SettingKind<number> = {
  type: 'port',
  expected: 'a port from 0 to 65535 (0: any free one)',
  read: (value) => (/^\d{1,5}$/.test(value) && Number(value) <= 65535 ? Number(value) : undefined),
};

export const domain: SettingKind<string> = {
  type: 'domain',
  expected: 'a domain such as example.org, without port and path',
  read: (value) =>
    isIP(value) === 0 &&
    /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/.test(value)
      ? value
      : undefined,
};

/** An absolute URL; trailing slashes are removed. */
export const url = (...protocols: readonly string[]): SettingKind<string> => ({
  type: 'URL',
  expected: `a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  read: (value) =>
    URL.canParse(value) && protocols.includes(new URL(value).protocol)
      ? value.replace(/(?<!\/)\/+$/, '')
      : undefined,
});

/** The address of a Cassandra cluster. */
export const cluster: SettingKind<ClusterAddress> = {
  type: 'URL',
  expected: 'the address of a Cassandra cluster',
  read: (value) => {
    const address = readClusterAddress(value);
    return typeof address === 'string' ? undefined : address;
  },
  fault: (value) => {
    const address = readClusterAddress(value);
    return typeof address === 'string' ? address : undefined;
  },
};

/**
 * The public address of an interface. It may have no query or fragment, because
 * paths are appended to it and because it may be an OAuth issuer (RFC 8414 2).
 */
export const publicUrl: SettingKind<string> = {
  type: 'URL',
  expected: 'a URL that starts with http:// or https://, without query, fragment or user',
  read: (value) => (/[?#@\s]/.test(value) ? undefined : url('http:', 'https:').read(value)),
};

/** The address of map tiles, with places for zoom, column and row. Its host is fixed, because pages load pictures from there. */
export const tileTemplate: SettingKind<string> = {
  type: 'URL template',
  expected:
    'a URL that starts with http:// or https:// and has {z}, {x} and {y} in its path, such as https://tiles.example.org/{z}/{x}/{y}.png',
  read: (value) =>
    /^https?:\/\/[a-zA-Z0-9.:[\]-]+\/[^\s"'<>#;,]*$/.test(value) &&
    ['{z}', '{x}', '{y}'].every((place) => value.includes(place)) &&
    URL.canParse(value)
      ? value
      : undefined,
};

/** An address with what is asked for in its path or query. */
export const weatherTemplate: SettingKind<string> = {
  type: 'URL template',
  expected:
    'a URL without a password that starts with http:// or https:// and has {latitude}, {longitude}, {from} and {to}',
  read: (value) =>
    /^https?:\/\/[a-zA-Z0-9.:[\]-]+\/[^\s"'<>#]*$/.test(value) &&
    ['{latitude}', '{longitude}', '{from}', '{to}'].every((place) => value.includes(place)) &&
    URL.canParse(value)
      ? value
      : undefined,
};

/** An e-mail address, with or without a name in front. */
export const mailbox: SettingKind<string> = {
  type: 'mailbox',
  expected: 'an e-mail address such as no-reply@example.org or Helioport <no-reply@example.org>',
  read: (value) => (readSender(value) ? value : undefined),
};

export const choiceSetting = <const T extends string>(...values: readonly T[]): SettingKind<T> => ({
  type: values.map((value) => `\`${value}\``).join(', '),
  expected: `one of ${values.join(', ')}`,
  read: (value) => values.find((candidate) => candidate === value),
});

/** A list of some of `values`, in their order; duplicates are removed. */
export const choices = <const T extends string>(
  ...values: readonly T[]
): SettingKind<readonly T[]> => ({
  type: `list of ${values.map((value) => `\`${value}\``).join(', ')}`,
  expected: `a comma-separated list of ${values.join(', ')}`,
  read: (value) => {
    const items = split(value);
    return items.length > 0 && items.every((item) => values.some((candidate) => candidate === item))
      ? values.filter((candidate) => items.includes(candidate))
      : undefined;
  },
});

export const flagSetting: SettingKind<boolean> = {
  type: '`on`, `off`',
  expected: 'on or off',
  read: (value) => (value === 'on' ? true : value === 'off' ? false : undefined),
};

/** A whole number of seconds. */
export const seconds = (min: number, max: number): SettingKind<number> => ({
  type: `seconds from ${min} to ${max}`,
  expected: `a whole number of seconds from ${min} to ${max}`,
  read: (value) =>
    /^\d{1,10}$/.test(value) && Number(value) >= min && Number(value) <= max
      ? Number(value)
      : undefined,
});

/** A time in seconds, written as `15s`; read as milliseconds. */
export const pause = (maxSeconds: number): SettingKind<number> => ({
  type: `seconds as \`Ns\`, up to ${maxSeconds}s`,
  expected: `a time in seconds from 0s to ${maxSeconds}s, such as 15s`,
  read: (value) => {
    const [, n] = /^(\d{1,6})s$/.exec(value) ?? [];
    return n !== undefined && Number(n) <= maxSeconds ? Number(n) * 1000 : undefined;
  },
});

/** A whole number of days, written as `400d`. */
export const days = (min: number, max: number): SettingKind<number> => ({
  type: `days from \`${min}d\` to \`${max}d\``,
  ...daysForm(min, max),
});

/** From when readings are thinned, and to what. */
export const thinningSetting: SettingKind<ReadingThinning> = {
  type: 'days and minutes as `90d:15m`',
  ...thinningForm,
};

/** A whole number. */
export const countSetting = (min: number, max: number): SettingKind<number> => ({
  type: `number from ${min} to ${max}`,
  expected: `a whole number from ${min} to ${max}`,
  read: (value) =>
    /^\d{1,15}$/.test(value) && Number(value) >= min && Number(value) <= max
      ? Number(value)
      : undefined,
});

/** A number of processes; `auto` is read as one for each core. */
export const processes: SettingKind<number> = {
  type: '`auto` or a number from 1 to 256',
  expected: 'auto or a whole number from 1 to 256',
  read: (value) =>
    value === 'auto' ? Math.min(256, availableParallelism()) : countSetting(1, 256).read(value),
};

/** A rate, written as `N/s` or `N/min` and read as the number N; `off` is read as null. */
export const rate = (per: 's' | 'min'): SettingKind<number | null> => ({
  type: `\`N/${per}\` or \`off\``,
  expected: `off or N/${per} with N from 1 to 1000000`,
  read: (value) => {
    if (value === 'off') return null;
    const [, n = 0] = new RegExp(`^(\\d{1,7})/${per}$`).exec(value) ?? [];
    return Number(n) >= 1 && Number(n) <= 1_000_000 ? Number(n) : undefined;
  },
});

export const timeZoneSetting: SettingKind<string> = {
  type: 'IANA time zone',
  expected: 'an IANA time zone such as Europe/Berlin',
  read: (value) => (isTimeZone(value) ? value : undefined),
};

export const cidrs: SettingKind<readonly string[]> = {
  type: 'list of CIDRs',
  expected: 'a comma-separated list of addresses or CIDRs such as 10.0.0.0/8',
  read: (value) => {
    const items = split(value);
    return items.every(isCidr) ? items : undefined;
  },
};

/** CIDRs of proxies: none so wide that it holds strangers. */
export const proxies: SettingKind<readonly string[]> = {
  ...cidrs,
  read: (value) => {
    const items = cidrs.read(value);
    return items?.some(isWide) ? undefined : items;
  },
  fault: (value) => {
    const wide = cidrs.read(value)?.find(isWide);
    return wide === undefined
      ? `be ${cidrs.expected}`
      : `not trust ${wide}, which anybody may come from: name the addresses of the proxies`;
  },
};

/** Whether a CIDR holds more than the widest networks for private use (10.0.0.0/8, fc00::/7). */
export function isWide(cidr: string): boolean {
  const [address = '', prefix] = cidr.split('/');
  if (prefix === undefined) return false;
  if (isIP(address) === 4) return Number(prefix) < 8;
  // IPv4 addresses may arrive mapped into IPv6.
  const isMapped = /^(::|0+:)[0:]*ffff:/i.test(address);
  return Number(prefix) < (isMapped ? 104 : 7);
}

/** Base64 of exactly `length` bytes. */
export const bytes = (length: number): SettingKind<Uint8Array> => ({
  type: `base64 of ${length} bytes`,
  expected: `base64 of ${length} bytes (generate one with: openssl rand -base64 ${length})`,
  read: (value) => {
    const decoded = Buffer.from(value, 'base64');
    return decoded.length === length && decoded.toString('base64') === value ? decoded : undefined;
  },
});

const split = (value: string): string[] =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

function isCidr(value: string): boolean {
  const [address = '', prefix, ...rest] = value.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  try {
    if (!/^\d{1,3}$/.test(prefix)) return false;
    new BlockList().addSubnet(address, Number(prefix), family === 4 ? 'ipv4' : 'ipv6');
    return true;
  } catch {
    return false;
  }
}
