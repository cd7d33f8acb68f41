import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { Failure, invalidValue } from '../../../platform/kernel/failure.ts';
import type { SecretBox } from '../../../platform/kernel/secrets.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import type { Act } from '../audit.ts';
import { consumeChallenge, makeChallenge, readChallenge } from './challenges.ts';
import type { FactorSources, PasskeySite } from './factor-sources.ts';
import { insertPasskey } from './passkey-rows.ts';

/** How long somebody may take to answer a challenge. */
const CHALLENGE_MS = 5 * 60_000;

/** EdDSA, ES256, RS256 (COSE). The library would add one that Node has only as an experiment. */
const ALGORITHMS = [-8, -7, -257];

// Loaded when it is first used: with its parsers of certificates it is among the largest libraries here, and a start need not wait for it.
const webAuthn = () => import('@simplewebauthn/server');

/** What a browser is given to ask the authenticator. */
export type PasskeyOptions = object;

interface Ceremony {
  readonly box: SecretBox;
  readonly site: PasskeySite;
}

/** Throws noPermission where passkeys are impossible. */
function ceremonyOf({ secretBox, passkeys }: FactorSources): Ceremony {
  if (!passkeys)
    throw new Failure('noPermission', {
      message: 'passkeys are impossible here: the address of the portal has no name',
    });
  return { box: secretBox, site: passkeys };
}

const bytesOf = (challenge: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(challenge, 'base64url'));

/** What a browser needs to make a passkey for an account. */
export async function beginPasskey(
  db: Db,
  sources: FactorSources,
  now: Instant,
  account: { id: string; email: string; name: string },
): Promise<PasskeyOptions> {
  const { box, site } = ceremonyOf(sources);
  const { generateRegistrationOptions } = await webAuthn();
  return generateRegistrationOptions({
    rpName: 'Helioport',
    rpID: site.domain,
    userID: Uint8Array.from(Buffer.from(account.id)),
    userName: account.email,
    userDisplayName: account.name,
    challenge: bytesOf(
      makeChallenge(box, { kind: 'add a passkey', subject: account.id }, now + CHALLENGE_MS),
    ),
    timeout: CHALLENGE_MS,
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: await credentialsOf(db, account.id),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

/** Adds the passkey that a browser has made; returns its id. Throws invalidValue. */
export async function addPasskey(
  db: Db,
  sources: FactorSources,
  act: Act,
  accountId: string,
  name: string,
  response: string,
): Promise<string> {
  const { box, site } = ceremonyOf(sources);
  const refused = (cause?: unknown): Failure =>
    Object.assign(
      invalidValue('response', 'the answer of an authenticator to the latest challenge'),
      cause ? { cause } : {},
    );
  let challenge = '';
  let expiresAt = 0;
  const { verifyRegistrationResponse } = await webAuthn();
  const verified = await verifyRegistrationResponse({
    response: jsonOf(response) as RegistrationResponseJSON,
    expectedChallenge: (answered) => {
      const read = readChallenge(box, 'add a passkey', answered, act.at);
      [challenge, expiresAt] = [answered, read?.expiresAt ?? 0];
      return read?.subject === accountId;
    },
    expectedOrigin: [...site.origins],
    expectedRPID: site.domain,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((error: unknown) => {
    throw refused(error);
  });
  if (!verified.verified || isFramed((jsonOf(response) as RegistrationResponseJSON).response))
    throw refused();
  const { credential } = verified.registrationInfo;
  await consumeChallenge(db, challenge, expiresAt);
  return insertPasskey(db, act, {
    accountId,
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: credential.publicKey,
    counter: credential.counter,
    transports: credential.transports ?? [],
    name,
  });
}

/** What a browser needs to ask for a passkey of an account or, without one, for any that it has for this site. `subject`: who may answer. */
export async function askForPasskey(
  db: Db,
  sources: FactorSources,
  now: Instant,
  asked: { accountId: string } | { browser: string },
): Promise<PasskeyOptions> {
  const { box, site } = ceremonyOf(sources);
  const isKnown = 'accountId' in asked;
  const purpose = isKnown
    ? ({ kind: 'second factor', subject: asked.accountId } as const)
    : ({ kind: 'log in with a passkey', subject: asked.browser } as const);
  const { generateAuthenticationOptions } = await webAuthn();
  return generateAuthenticationOptions({
    rpID: site.domain,
    challenge: bytesOf(makeChallenge(box, purpose, now + CHALLENGE_MS)),
    timeout: CHALLENGE_MS,
    allowCredentials: isKnown ? await credentialsOf(db, asked.accountId) : [],
    // Without a password, the authenticator itself must know who is using it.
    userVerification: isKnown ? 'discouraged' : 'required',
  });
}

async function credentialsOf(
  db: Db,
  accountId: string,
): Promise<{ id: string; transports: string[] }[]> {
  const rows = await db
    .selectFrom('passkey')
    .select(['credentialId', 'transports'])
    .where('accountId', '=', accountId)
    .orderBy('id')
    .execute();
  return rows.map(({ credentialId, transports }) => ({
    id: Buffer.from(credentialId).toString('base64url'),
    transports: JSON.parse(transports) as string[],
  }));
}

/** The id and account of the passkey that an answer names, and the account's e-mail address; undefined if there is none. */
export async function findAnsweringPasskey(
  db: Db,
  response: string,
): Promise<{ id: string; accountId: string; email: string } | undefined> {
  const { id } = jsonOf(response) as { id?: unknown };
  if (typeof id !== 'string') return undefined;
  return db
    .selectFrom('passkey')
    .innerJoin('account', 'account.id', 'passkey.accountId')
    .select(['passkey.id', 'passkey.accountId', 'account.email'])
    .where('credentialId', '=', Buffer.from(id, 'base64url'))
    .executeTakeFirst();
}

/**
 * Uses a passkey: verifies its answer, which is accepted once, and counts the signature. Throws wrongFactor for any other, also if the passkey was
 * removed, the page belongs to another site, or the counter shows that the authenticator was copied.
 */
export async function consumePasskey(
  trx: Db,
  sources: FactorSources,
  now: Instant,
  expected: { accountId: string } | { accountId: string; browser: string },
  response: string,
): Promise<void> {
  const { box, site } = ceremonyOf(sources);
  const answer = jsonOf(response) as AuthenticationResponseJSON;
  const named = await findAnsweringPasskey(trx, response);
  const row =
    named &&
    (await trx
      .selectFrom('passkey')
      .selectAll()
      .where('id', '=', named.id)
      .where('accountId', '=', expected.accountId)
      .executeTakeFirst());
  if (!row) throw new Failure('wrongFactor');
  const isLogIn = 'browser' in expected;
  let challenge = '';
  let expiresAt = 0;
  const { verifyAuthenticationResponse } = await webAuthn();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: answer,
    expectedChallenge: (answered) => {
      const read = readChallenge(
        box,
        isLogIn ? 'log in with a passkey' : 'second factor',
        answered,
        now,
      );
      [challenge, expiresAt] = [answered, read?.expiresAt ?? 0];
      return read?.subject === (isLogIn ? expected.browser : expected.accountId);
    },
    expectedOrigin: [...site.origins],
    expectedRPID: site.domain,
    credential: { id: answer.id, publicKey: Uint8Array.from(row.publicKey), counter: row.counter },
    requireUserVerification: isLogIn,
  }).catch((cause: unknown) => {
    throw new Failure('wrongFactor', { cause });
  });
  if (!verified || isFramed(answer.response) || isOfAnother(answer.response, expected.accountId))
    throw new Failure('wrongFactor');
  await consumeChallenge(trx, challenge, expiresAt);
  const { newCounter } = authenticationInfo;
  const counted = await trx
    .updateTable('passkey')
    .set({ counter: newCounter, lastUsedAt: now })
    .where('id', '=', row.id)
    .where((eb) => (newCounter === 0 ? eb('counter', '=', 0) : eb('counter', '<', newCounter)))
    .returning('id')
    .executeTakeFirst();
  if (!counted) throw new Failure('wrongFactor');
}

/** Whether the page was within another site's. None of ours ever is, and the library looks only where the browser names that site. */
const isFramed = ({ clientDataJSON }: { clientDataJSON: string }): boolean =>
  (jsonOf(Buffer.from(clientDataJSON, 'base64url').toString('utf8')) as { crossOrigin?: unknown })
    .crossOrigin === true;

/** Whether the authenticator made its key for another account than ours has it for. WebAuthn 3, 7.2 step 6 */
const isOfAnother = ({ userHandle }: { userHandle?: string }, accountId: string): boolean =>
  userHandle !== undefined &&
  userHandle !== '' &&
  Buffer.from(userHandle, 'base64url').toString('utf8') !== accountId;

function jsonOf(response: string): object {
  try {
    const value = JSON.parse(response) as unknown;
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
