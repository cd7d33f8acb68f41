import { createSecureContext, TLSSocket } from 'node:tls';
import { readNamedFile } from '../../../platform/kernel/files/read-file.ts';

/** The settings of a TLS connection to an external broker: absolute paths of PEM files; null = what Node trusts, and no certificate of one's own. */
export interface BrokerFiles {
  readonly mqttTlsCa: string | null;
  readonly mqttTlsCert: string | null;
  readonly mqttTlsKey: string | null;
}

/** What these files hold. */
export interface BrokerIdentity {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

/** Reads the files. Throws what reading throws, and what OpenSSL says of a certificate that cannot be used with its key. */
export function readIdentity({ mqttTlsCa, mqttTlsCert, mqttTlsKey }: BrokerFiles): BrokerIdentity {
  const identity = {
    ...(mqttTlsCa !== null && { ca: readNamedFile(mqttTlsCa) }),
    ...(mqttTlsCert !== null && { cert: readNamedFile(mqttTlsCert) }),
    ...(mqttTlsKey !== null && { key: readNamedFile(mqttTlsKey) }),
  };
  createSecureContext(identity);
  return identity;
}

/** When the certificate expires that the other side of a connection has shown, in epoch milliseconds; undefined if it has shown none. */
export function expiryOfPeer(stream: unknown): number | undefined {
  if (!(stream instanceof TLSSocket)) return undefined;
  const { valid_to: until } = stream.getPeerCertificate();
  return until ? Date.parse(until) : undefined;
}
