import { createHash, randomBytes } from 'node:crypto';

/**
 * The header that answers a challenge: Basic, or Digest with MD5 or SHA-256 and `auth`; undefined for another one. RFC 7617,
 * RFC 7616 section 3.4
 */
export function authorization(
  challenge: string,
  method: string,
  path: string,
  user: string,
  password: string,
  clientNonce = randomBytes(8).toString('hex'),
): string | undefined {
  if (/^basic\b/i.test(challenge))
    return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  if (!/^digest\b/i.test(challenge)) return undefined;
  const given = (name: string): string | undefined => {
    const [, quoted, plain] =
      new RegExp(`[ ,]${name}\\s*=\\s*(?:"([^"]*)"|([^ ,"]+))`, 'i').exec(challenge) ?? [];
    return quoted ?? plain;
  };
  const [realm, nonce] = [given('realm'), given('nonce')];
  const algorithm = given('algorithm') ?? 'MD5';
  const hash = { MD5: 'md5', 'SHA-256': 'sha256' }[algorithm.toUpperCase()];
  if (realm === undefined || nonce === undefined || hash === undefined) return undefined;
  const digest = (text: string): string => createHash(hash).update(text).digest('hex');
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
