import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const url = (data: string | Buffer): string => Buffer.from(data).toString('base64url');

/** As much CBOR (RFC 8949) as an attestation needs. */
function cbor(value: number | string | Buffer | ReadonlyMap<string | number, unknown>): Buffer {
  const head = (major: number, n: number): Buffer =>
    n < 24
      ? Buffer.from([(major << 5) | n])
      : n < 256
        ? Buffer.from([(major << 5) | 24, n])
        : Buffer.from([(major << 5) | 25, n >> 8, n & 255]);
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([
    head(5, (value as Map<string, never>).size),
    ...[...value].flatMap(([key, one]) => [cbor(key), cbor(one as never)]),
  ]);
}

/** What a thief who holds the key may say otherwise than an honest authenticator in an honest browser. */
export interface Lies {
  readonly origin?: string;
  readonly type?: string;
  readonly domain?: string;
  readonly crossOrigin?: boolean;
  readonly counter?: number;
  readonly userHandle?: string;
  /** User present 1, user verified 4. */
  readonly flags?: number;
  readonly challenge?: string;
  /** The id of another credential. */
  readonly id?: string;
  /** Another key. */
  readonly key?: KeyObject;
  readonly signature?: Buffer;
}

/** An authenticator with one passkey, which says what it is made to. */
export function createSoftwareAuthenticator(origin: string, domain: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = url(randomBytes(32));
  let counter = 0;
  const authData = ({ domain: named = domain, flags = 5, counter: counted }: Lies, more = 0) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counted ?? ++counter);
    return Buffer.concat([sha256(named), Buffer.from([flags | more]), count]);
  };
  const clientData = (type: string, challenge: string, lies: Lies): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? origin,
        crossOrigin: lies.crossOrigin ?? false,
      }),
    );
  const { x, y } = publicKey.export({ format: 'jwk' });
  const cose = cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x!, 'base64url')],
      [-3, Buffer.from(y!, 'base64url')],
    ]),
  );
  return {
    id,
    privateKey,
    /** The answer to a challenge to make a passkey. */
    make({ challenge }: { challenge: string }, lies: Lies = {}): string {
      const rawId = Buffer.from(id, 'base64url');
      const length = Buffer.alloc(2);
      length.writeUInt16BE(rawId.length);
      const data = Buffer.concat([authData(lies, 0x40), Buffer.alloc(16), length, rawId, cose]);
      const attestation = cbor(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', data],
        ]),
      );
      return JSON.stringify({
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: url(clientData('webauthn.create', challenge, lies)),
          attestationObject: url(attestation),
        },
      });
    },
    /** The answer to a challenge to show it. */
    show({ challenge }: { challenge: string }, lies: Lies = {}): string {
      const data = authData(lies);
      const client = clientData('webauthn.get', challenge, lies);
      const signed = Buffer.concat([data, sha256(client)]);
      return JSON.stringify({
        id: lies.id ?? id,
        rawId: lies.id ?? id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: url(client),
          authenticatorData: url(data),
          signature: url(lies.signature ?? sign('sha256', signed, lies.key ?? privateKey)),
          ...(lies.userHandle !== undefined && { userHandle: url(lies.userHandle) }),
        },
      });
    },
  };
}
