import { createHash, randomBytes } from 'node:crypto';

/** A way to prove who asks. With Basic, the password is readable in the network. */
export type Scheme = 'Basic' | 'Digest MD5' | 'Digest SHA-256';

const HASHES = { 'Digest MD5': 'md5', 'Digest SHA-256': 'sha256' } as const;

/** A challenge of a header, with the scheme that it is of; another one than those known has only its name. */
export interface Challenge {
  readonly scheme: string;
  readonly text: string;
}

/** The challenges of a `WWW-Authenticate` header. RFC 9110 section 11.6.1 */
export function challengesIn(header: string): Challenge[] {
  const starts = [
    ...header.matchAll(/(?:^|,)\s*([A-Za-z][\w-]*)(?=\s+[\w-]+\s*=|\s*,|\s*$)(?!\s*=)/g),
  ];
  return starts.map(({ index, 1: name = '' }, i) => {
    const text = header.slice(index, starts[i + 1]?.index).replace(/^,?\s*/, '');
    const algorithm = (parameterOf(text, 'algorithm') ?? 'MD5').toUpperCase();
    const isDigest = /^digest$/i.test(name);
    const scheme = isDigest ? `Digest ${algorithm}` : /^basic$/i.test(name) ? 'Basic' : name;
    return { scheme, text };
  });
}

function parameterOf(challenge: string, name: string): string | undefined {
  const [, quoted, plain] =
    new RegExp(`[ ,]${name}\\s*=\\s*(?:"([^"]*)"|([^ ,"]+))`, 'i').exec(challenge) ?? [];
  return quoted ?? plain;
}

/** The header that answers a challenge; undefined for one that cannot be answered. RFC 7617, RFC 7616 section 3.4 */
export function authorization(
  { scheme, text }: Challenge,
  method: string,
  path: string,
  user: string,
  password: string,
  clientNonce = randomBytes(8).toString('hex'),
): string | undefined {
  if (scheme === 'Basic') return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const hash = Object.hasOwn(HASHES, scheme) ? HASHES[scheme as keyof typeof HASHES] : undefined;
  const given = (name: string): string | undefined => parameterOf(text, name);
  const [realm, nonce] = [given('realm'), given('nonce')];
  const algorithm = given('algorithm') ?? 'MD5';
  if (realm === undefined || nonce === undefined || hash === undefined) return undefined;
  const digest = (input: string): string => createHash(hash).update(input).digest('hex');
  const count = '00000001';
  const first = digest(`${user}:${realm}:${password}`);
  const second = digest(`${method}:${path}`);
  const response = digest([first, nonce, count, clientNonce, 'auth', second].join(':'));
  const opaque = given('opaque');
  return [
    `Digest username="${user}"`,
    `realm="${realm}"`,
    `nonce="${nonce}"`,
    `uri="${path}"`,
    `algorithm=${algorithm}`,
    'qop=auth',
    `nc=${count}`,
    `cnonce="${clientNonce}"`,
    `response="${response}"`,
    ...(opaque === undefined ? [] : [`opaque="${opaque}"`]),
  ].join(', ');
}
