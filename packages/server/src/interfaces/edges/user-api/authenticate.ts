import {
  MAX_SKEW_SECONDS,
  readSignedDate,
  signedDate,
  stringToSign,
  type SignatureProfile,
} from '@helioport/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isAllowed } from '../../../platform/kernel/addresses/networks.ts';
import type { Once } from '../../../identity/accounts/once.ts';
import {
  callerOfKey,
  findNearestSigningKey,
  type SigningKey,
} from '../../../identity/accounts/signing-key.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import { randomHex, type SecretBox } from '../../../platform/kernel/secrets.ts';
import type { Db } from '../../../platform/storage/database.ts';
import type { FailureLimit } from '../http/failure-limit.ts';
import type { Admission, AnyOperation } from '../http/mount.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import { bodyMd5, isDigestOf } from './content-digest.ts';
import type { KeyUse } from './key-use.ts';
import type { ReplayGuard } from './replay-guard.ts';
import { isSignedWith, parseAuthorization, type SignedCredentials } from './signature.ts';
import { signedHeaders, type SignedHeaders } from './signed-headers.ts';

export interface AuthenticateDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly profile: SignatureProfile;
  /** Refused signatures by address and KeyID. */
  readonly refusedSignatures: FailureLimit;
  /** Wrong digests with correct signatures, by address and KeyID. */
  readonly wrongDigests: FailureLimit;
  readonly rateLimit: RateLimit;
  readonly replayGuard: ReplayGuard;
  readonly keyUse: KeyUse;
}

/** A request that is being checked, with what the checks have found. */
interface Attempt {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly operation: AnyOperation;
  /** The endpoint's path, which must be signed. */
  readonly path: string;
  readonly now: number;
  credentials: SignedCredentials;
  headers: SignedHeaders;
  signedAt: number;
  key: SigningKey;
  once: Once | undefined;
}

type Check = (attempt: Attempt) => void | Promise<void>;

const MAX_SKEW_MS = MAX_SKEW_SECONDS * 1000;

/** Identifies who signed a request. interface S9 */
export function createAuthenticate(
  deps: AuthenticateDeps,
): (
  request: FastifyRequest,
  reply: FastifyReply,
  operation: AnyOperation,
  path: string,
) => Promise<Admission> {
  const {
    db,
    clock,
    secretBox,
    profile,
    refusedSignatures,
    wrongDigests,
    rateLimit,
    replayGuard,
    keyUse,
  } = deps;
  // Opened when there is no key pair at all, so that the answer takes as long as for a wrong signature.
  const nobodysSecret = secretBox.seal(randomHex(16), 'nobody');

  const checks: readonly Check[] = [
    formOfAuthorization,
    oneOfEachHeader,
    formOfDate,
    window,
    keyAndSignature,
    stateOfKey,
    rate,
    digestOfBody,
    replay,
  ];

  // interface S3
  function formOfAuthorization(attempt: Attempt): void {
    const header = attempt.request.headers.authorization;
    const credentials = header === undefined ? undefined : parseAuthorization(header);
    if (!credentials) throw new Failure('notAuthenticated', { message: adviceOn(header) });
    attempt.credentials = credentials;
  }

  // interface S2
  function oneOfEachHeader(attempt: Attempt): void {
    attempt.headers = signedHeaders(attempt.request.raw.rawHeaders);
  }

  function formOfDate(attempt: Attempt): void {
    const at = readSignedDate(attempt.headers.date, profile);
    if (at === undefined)
      throw new Failure('malformedRequest', {
        data: { field: 'Date', expected: signedDate(attempt.now) },
        message: 'Date is not a time in the form EEE, d MMM yyyy HH:mm:ss GMT',
      });
    attempt.signedAt = at;
  }

  // interface S8. Checked before the signature, so that a caller whose clock is wrong learns the server's time.
  function window({ signedAt, now, headers }: Attempt): void {
    if (Math.abs(signedAt - now) <= MAX_SKEW_MS) return;
    throw new Failure('clockSkew', {
      data: {
        serverTime: signedDate(now),
        yourDate: headers.date,
        maxSkewSeconds: MAX_SKEW_SECONDS,
      },
    });
  }

  // interface S5, S6. An unknown key and a wrong signature get the same answer after the same time.
  async function keyAndSignature(attempt: Attempt): Promise<void> {
    const { request, credentials, headers, path } = attempt;
    const nearest = await findNearestSigningKey(db, credentials.keyId);
    const secret = nearest
      ? secretBox.open(nearest.secret, nearest.id)
      : secretBox.open(nobodysSecret, 'nobody');
    const parts = { ...headers, path };
    const signed = isSignedWith(secret, parts, credentials.digest, profile);
    if (!signed || nearest?.id !== credentials.keyId) {
      tooMany(
        await refusedSignatures.count(request.ip, credentials.keyId),
        'too many refused signatures from this address',
      );
      throw new Failure('signatureRefused', { data: { stringToSign: stringToSign(parts) } });
    }
    attempt.key = nearest;
  }

  function stateOfKey(attempt: Attempt): void | Promise<void> {
    const reason = whyRefused(attempt.key, attempt);
    return (
      reason &&
      refuse(attempt, new Failure('keyRefused', { message: KEY_STATES[reason], data: { reason } }))
    );
  }

  // Checks that cost more than a lookup come after this one.
  function rate({ reply, key, operation }: Attempt): Promise<void> {
    return rateLimit.count(reply, key.id, operation.id);
  }

  // interface S4. It costs work to find out that a digest is wrong, so wrong digests are limited.
  function digestOfBody(attempt: Attempt): void | Promise<void> {
    if (attempt.headers.contentMd5 !== bodyMd5(attempt.request.body as Buffer | undefined))
      return digestOtherwise(attempt);
  }

  async function digestOtherwise({ request, headers, key }: Attempt): Promise<void> {
    const body = request.body as Buffer | undefined;
    tooMany(await wrongDigests.waitSeconds(request.ip, key.id), TOO_MANY_DIGESTS);
    if (isDigestOf(headers.contentMd5, body, profile)) return;
    tooMany(await wrongDigests.count(request.ip, key.id), TOO_MANY_DIGESTS);
    throw new Failure('digestMismatch', { data: { expected: bodyMd5(body) } });
  }

  async function replay(attempt: Attempt): Promise<void> {
    const { key, credentials, signedAt, operation } = attempt;
    // A request dated ahead of our clock stays acceptable for up to twice the tolerance, and its mark is kept that long.
    const mark = {
      holder: `key:${key.id}`,
      digest: credentials.digest,
      expiresAt: signedAt + MAX_SKEW_MS,
    };
    attempt.once = await replayGuard.admit(mark, operation.write);
  }

  async function refuse({ reply, key, operation }: Attempt, failure: Failure): Promise<never> {
    await rateLimit.announce(reply, key.id, operation.id);
    throw failure;
  }

  return async (request, reply, operation, path) => {
    const now = clock.now();
    const attempt = { request, reply, operation, path, now } as Attempt;
    for (const check of checks) {
      const pending = check(attempt);
      if (pending) await pending;
    }
    const { key, once } = attempt;
    keyUse.note(key, { at: now, address: request.ip, path });
    return { caller: { ...callerOfKey(key), address: request.ip }, ...(once && { once }) };
  };
}

const TOO_MANY_DIGESTS = 'too many requests whose Content-MD5 does not match the body';

function tooMany(retryAfterSeconds: number, message: string): void {
  if (retryAfterSeconds > 0)
    throw new Failure('tooManyRequests', { data: { retryAfterSeconds }, message });
}

function adviceOn(header: string | undefined): string {
  if (header === undefined || header === '') return 'the header Authorization is missing';
  if (/^bearer /i.test(header))
    return 'this interface takes signed requests; Bearer tokens belong to the OAuth interface';
  return 'Authorization must read `API <KeyID>:<sign>`: the word API, one space, the KeyID, a colon, and 28 characters of base64';
}

const KEY_STATES = {
  disabled: 'the key is disabled',
  expired: 'the key has expired',
  pending: 'the key is waiting for its owner to log out and in again',
  address: 'the key may not be used from this address',
  operator: 'the key belongs to an operator of the service, who has no plants',
};

function whyRefused(
  key: SigningKey,
  { now, request }: Attempt,
): keyof typeof KEY_STATES | undefined {
  if (key.disabledAt !== null || key.accountDisabledAt !== null) return 'disabled';
  if (key.expiresAt !== null && key.expiresAt <= now) return 'expired';
  if (key.role === 'operator') return 'operator';
  if (key.pending) return 'pending';
  return isAllowed(key.cidrs, request.ip) ? undefined : 'address';
}
