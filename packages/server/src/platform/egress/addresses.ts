import ipaddr from 'ipaddr.js';
import { isAllowed } from '../kernel/addresses/networks.ts';

/** Never reached, whatever the operator allows: link-local and unspecified addresses, multicast, and the metadata services of clouds elsewhere. */
const NEVER = [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '255.255.255.255/32',
  '::/128',
  'fe80::/10',
  'ff00::/8',
  // Alibaba Cloud, Azure, Oracle Cloud, AWS and Google Cloud.
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
];

/** All that is assigned of IPv6; `range()` calls the rest unicast as well, ::127.0.0.1 included. RFC 4291 2.4 */
const GLOBAL_IPV6 = ['2000::/3'];

/**
 * Whether a connection to an address may be made: to public ones if it is encrypted, and to those that the operator allows.
 * @param allowed as `parseNetwork` writes them
 */
export function mayReach(text: string, allowed: readonly string[], encrypted: boolean): boolean {
  if (!ipaddr.isValid(text) || isAllowed(NEVER, text)) return false;
  if (!isAllowed(allowed, text)) return encrypted && isPublic(text);
  const carried = carriedIpv4(text);
  return carried === undefined || mayReach(carried, allowed, true);
}

function isPublic(text: string): boolean {
  const address = ipaddr.process(text);
  return (
    address.range() === 'unicast' && (address.kind() === 'ipv4' || isAllowed(GLOBAL_IPV6, text))
  );
}

/** The IPv4 address that a translator would make of an IPv6 address; undefined if none would. RFC 6052 2.1, RFC 3056 */
function carriedIpv4(text: string): string | undefined {
  const address = ipaddr.process(text);
  const bytes = address.toByteArray();
  if (isAllowed(['64:ff9b::/96'], text)) return bytes.slice(12).join('.');
  return isAllowed(['2002::/16'], text) ? bytes.slice(2, 6).join('.') : undefined;
}
