import { isIP, isIPv6, type LookupFunction } from 'node:net';
import { parseNetwork } from '../kernel/addresses/networks.ts';
import { mayReach } from './addresses.ts';
import { createNames, type ResolveName } from './names.ts';

/** The way out to hosts that somebody outside has named. Refuses all that is not on the public internet, unless the operator allows it. */
export interface Egress {
  /** Networks beyond the public internet that may be reached. */
  readonly allowed: readonly string[];
  /** The addresses of a name or an address, if every one of them may be reached; else throws EgressRefused. */
  resolve(host: string, encrypted: boolean): Promise<readonly string[]>;
  /** Throws EgressRefused if the host is an address that may not be reached; for the sockets of Node, which ask `lookup` about names alone. */
  checkAddress(host: string, encrypted: boolean): void;
  /** `resolve` for the sockets of Node. They connect to the very addresses that were judged, so that no name server can change its mind in between. */
  lookup(encrypted: boolean): LookupFunction;
}

export class EgressRefused extends Error {
  readonly code = 'EGRESS_REFUSED';

  // Whether a name exists within our network, and where, is nobody's business: so it is one message for all causes.
  constructor(encrypted: boolean) {
    super(
      encrypted
        ? 'the host is not on the public internet'
        : 'the connection is not encrypted, and the operator has not allowed that for this host',
    );
    this.name = 'EgressRefused';
  }
}

interface EgressOptions {
  /** CIDRs. */
  readonly allow: readonly string[];
  readonly resolveName?: ResolveName;
}

export function createEgress({
  allow,
  resolveName = createNames({ local: allow.length > 0 }),
}: EgressOptions): Egress {
  const allowed = allow.map(parseNetwork);

  const egress: Egress = {
    allowed,
    async resolve(host, encrypted) {
      const addresses = isAddress(host) ? [host] : await resolveName(host);
      // One bad address is enough: which of them would be connected to is up to chance and the network.
      if (
        addresses.length === 0 ||
        !addresses.every((address) => mayReach(address, allowed, encrypted))
      )
        throw new EgressRefused(encrypted);
      return addresses;
    },
    checkAddress(host, encrypted) {
      if (isAddress(host) && !mayReach(host, allowed, encrypted))
        throw new EgressRefused(encrypted);
    },
    lookup: (encrypted) => async (host, options, done) => {
      const addresses = await egress.resolve(host, encrypted).catch((error: Error) => error);
      if (addresses instanceof Error) return done(addresses, '');
      const [first, ...others] = addresses.map((address) => ({
        address,
        family: isIPv6(address) ? 6 : 4,
      }));
      if (options.all) done(null, [first!, ...others]);
      else done(null, first!.address, first!.family);
    },
  };
  return egress;
}

const isAddress = (host: string): boolean => isIP(host) !== 0;
