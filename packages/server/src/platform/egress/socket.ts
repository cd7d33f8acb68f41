import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Egress } from './egress.ts';

export interface Peer {
  readonly host: string;
  readonly port: number;
  readonly encrypted: boolean;
  /** PEM of the certificate authorities that are trusted instead of the public ones. */
  readonly caCertificates: string | null;
}

/** Opens a connection to a host that somebody outside has named. Throws EgressRefused, or the socket emits it. */
export function openSocket(
  egress: Egress,
  { host, port, encrypted, caCertificates }: Peer,
): Socket {
  egress.checkAddress(host, encrypted);
  const target = { host, port, lookup: egress.lookup(encrypted), noDelay: true };
  if (!encrypted) return connect(target);
  // An address cannot be a server name. RFC 6066 3
  const servername = isIP(host) === 0 ? host : '';
  return connectTls({
    ...target,
    servername,
    ALPNProtocols: [],
    ...(caCertificates !== null && { ca: caCertificates }),
  });
}
