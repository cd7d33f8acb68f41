import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSelfSigned } from '../../support/machine/self-signed.ts';

export const hasOpenssl = spawnSync('openssl', ['version']).error === undefined;
if (!hasOpenssl) console.log('skipped: sinks of forwarding (openssl is not installed)');

/** A certificate that signs itself, as files and as texts. */
export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
  readonly cert: string;
  readonly key: string;
  remove(): void;
}

/** For localhost and 127.0.0.1. */
export function makeCertificate(): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'helioport-certificate-'));
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  makeSelfSigned({ keyFile, certFile, name: 'localhost', others: 'DNS:localhost,IP:127.0.0.1' });
  return {
    certFile,
    keyFile,
    cert: readFileSync(certFile, 'utf8'),
    key: readFileSync(keyFile, 'utf8'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
