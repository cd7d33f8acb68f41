import { networkInterfaces } from 'node:os';

/** A text that names no network of a size that may be searched. */
export class NetworkFault extends Error {
  override readonly name = 'NetworkFault';
}

const SMALLEST_PREFIX = 24;

/** The hosts of a network such as `192.168.1.0/24`, at most 254; of a single address, itself. Throws NetworkFault. */
export function hostsOf(text: string): { readonly hosts: string[]; readonly broadcast: string } {
  const [, a, b, c, d, bits] = /^(\d+)\.(\d+)\.(\d+)\.(\d+)(?:\/(\d+))?$/.exec(text) ?? [];
  const octets = [a, b, c, d].map(Number);
  const prefix = bits === undefined ? 32 : Number(bits);
  if (a === undefined || octets.some((octet) => octet > 255) || prefix > 32)
    throw new NetworkFault(`${JSON.stringify(text)} is no network, such as 192.168.1.0/24`);
  if (prefix < SMALLEST_PREFIX)
    throw new NetworkFault(
      `${text} is too large: name a network of at most /24, such as 192.168.1.0/24`,
    );
  const address = octets.reduce((sum, octet) => sum * 256 + octet, 0);
  const size = 2 ** (32 - prefix);
  const first = address - (address % size);
  const edge = size > 2 ? 1 : 0;
  return {
    hosts: Array.from({ length: size - 2 * edge }, (_, i) => shown(first + edge + i)),
    broadcast: shown(first + size - 1),
  };
}

const shown = (address: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');

/** The private networks of this machine, each cut down to the /24 around its own address. */
export function ownNetworks(): string[] {
  const own = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .filter(({ address }) => /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(address));
  return [...new Set(own.map(({ address }) => address.replace(/\.\d+$/, '.0/24')))];
}
