import { X509Certificate } from 'node:crypto';

/** When a certificate expires, in epoch milliseconds; of a chain, its first one. @throws what OpenSSL says of a text that holds none */
export const expiryOf = (pem: string | Buffer): number =>
  Date.parse(new X509Certificate(pem).validTo);
