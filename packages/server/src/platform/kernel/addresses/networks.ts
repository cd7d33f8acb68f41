import ipaddr from 'ipaddr.js';
import { createCache } from '../cache.ts';
import { invalidValue } from '../failure.ts';

/** Reads a network, written as a CIDR or as a single address, and clears its host bits. Throws invalidValue. */
export function parseNetwork(text: string): string {
  const [address = '', bits, ...rest] = text.trim().split('/');
  // IPv4 addresses must have the usual four decimal parts: the library would also accept 10.1 and 0x0a000001.
  const family = ipaddr.IPv4.isValidFourPartDecimal(address)
    ? ipaddr.IPv4
    : ipaddr.IPv6.isValid(address)
      ? ipaddr.IPv6
      : undefined;
  const cidr = `${address}/${bits ?? (family === ipaddr.IPv4 ? 32 : 128)}`;
  if (!family?.isValidCIDR(cidr) || rest.length > 0)
    throw invalidValue('cidrs', 'networks such as 203.0.113.0/24 or 2001:db8::/32');
  return `${family.networkAddressFromCIDR(cidr).toString()}/${family.parseCIDR(cidr)[1]}`;
}

/** Whether an address lies in one of the networks, or is one of them; null = any address. IPv4 addresses may arrive mapped into IPv6. */
export function isAllowed(networks: readonly string[] | null, address: string): boolean {
  if (networks === null) return true;
  if (!ipaddr.isValid(address)) return false;
  const peer = ipaddr.process(address);
  return networks.some((network) => {
    const cidr = cidrOf(network);
    return cidr[0].kind() === peer.kind() && peer.match(cidr);
  });
}

type Cidr = ReturnType<typeof ipaddr.parseCIDR>;

const cidrs = createCache<string, Cidr>(1_000);

/** Reading a network takes longer than comparing an address with it, and it is the same few each time. */
function cidrOf(network: string): Cidr {
  let cidr = cidrs.get(network);
  if (!cidr) {
    const address = ipaddr.isValid(network) ? ipaddr.parse(network) : undefined;
    cidr = address
      ? ipaddr.parseCIDR(`${network}/${address.kind() === 'ipv4' ? 32 : 128}`)
      : ipaddr.parseCIDR(network);
    cidrs.set(network, cidr);
  }
  return cidr;
}

/** Prefix lengths of the networks around a peer, narrowest first: roughly those of a customer, a site and a provider. */
const TIERS = { ipv4: [32, 24], ipv6: [64, 48, 32] } as const;

/** The networks that an address belongs to, narrowest first. A person with one IPv6 address usually has its whole /64, and often a /48. */
export function networksOf(address: string): readonly string[] {
  if (!ipaddr.isValid(address)) return [address];
  // An IPv4 address may arrive mapped into IPv6.
  const peer = ipaddr.process(address);
  const family = peer.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return TIERS[peer.kind()].map(
    (bits) => `${family.networkAddressFromCIDR(`${peer.toString()}/${bits}`).toString()}/${bits}`,
  );
}

/** The narrowest network that an address belongs to. */
export const networkOf = (address: string): string => networksOf(address)[0]!;
