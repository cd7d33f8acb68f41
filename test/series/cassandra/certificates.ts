import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Certificates for a node on 127.0.0.1, and an authority that has signed nothing. */
export interface Certificates {
  readonly authority: string;
  readonly other: string;
  readonly keystore: { readonly file: string; readonly password: string };
}

export function makeCertificates(folder: string): Certificates {
  const openssl = (...args: readonly string[]): void =>
    void execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const authority = (name: string): void =>
    openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      `/CN=${name}`,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.pem`,
    );
  authority('authority');
  authority('other');
  writeFileSync(join(folder, 'names'), 'subjectAltName=IP:127.0.0.1\n');
  openssl(
    'req',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    '/CN=node',
    '-keyout',
    'node.key',
    '-out',
    'node.csr',
  );
  openssl(
    'x509',
    '-req',
    '-in',
    'node.csr',
    '-CA',
    'authority.pem',
    '-CAkey',
    'authority.key',
    '-CAcreateserial',
    '-days',
    '2',
    '-extfile',
    'names',
    '-out',
    'node.pem',
  );
  openssl(
    'pkcs12',
    '-export',
    '-inkey',
    'node.key',
    '-in',
    'node.pem',
    '-name',
    'node',
    '-passout',
    'pass:kestrel',
    '-out',
    'node.p12',
  );
  return {
    authority: join(folder, 'authority.pem'),
    other: join(folder, 'other.pem'),
    keystore: { file: join(folder, 'node.p12'), password: 'kestrel' },
  };
}
