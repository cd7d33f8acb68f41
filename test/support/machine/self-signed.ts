import { execFileSync } from 'node:child_process';

interface SelfSigned {
  readonly keyFile: string;
  readonly certFile: string;
  readonly name: string;
  /** Further names and addresses, such as `IP:127.0.0.1`. */
  readonly others?: string;
}

/** Writes a key, and a certificate for two days that it has signed itself. */
export function makeSelfSigned({ keyFile, certFile, name, others }: SelfSigned): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const further = others === undefined ? [] : ['-addext', `subjectAltName=${others}`];
  const files = ['-keyout', keyFile, '-out', certFile];
  const args = ['req', '-x509', ...key, '-days', '2', '-subj', `/CN=${name}`, ...further, ...files];
  execFileSync('openssl', args, { stdio: 'ignore' });
}
