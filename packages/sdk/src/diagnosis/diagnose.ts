import { stringToSign, type SignatureProfile } from '@helioport/contract';
import { parsed } from './body-texts.ts';
import { valueOf, type CapturedRequest } from './captured-request.ts';
import { digestFaults, md5Of, onTheWayFaults } from './digest-faults.ts';
import type { Fault } from './fault.ts';
import {
  dateFaults,
  endpointOf,
  headerFaults,
  looseAuthorization,
  mediaFaults,
  methodFaults,
  pathFaults,
  timeFaults,
  tooLong,
} from './form-faults.ts';
import { digestOf, serviceRecipe, type Parts } from './recipe.ts';
import { expectedSign, explainSignature, type SearchInput } from './search.ts';
import { signReadings, type SignReading } from './sign-readings.ts';
import { instantOf } from './variants/dates.ts';

/** What is known about a refused request. */
export interface Case {
  readonly request: CapturedRequest;
  /** Without it, only what shows without a signature is found. */
  readonly keySecret: string;
  /** The KeyID that the KeySecret belongs to; by default that of the request. */
  readonly keyId?: string;
  readonly profile: SignatureProfile;
  /** The server's time when the request arrived, epoch ms. */
  readonly now: number;
  /** Whether `now` is that time, rather than the time of the diagnosis. */
  readonly isTimeKnown: boolean;
  /** The string that the caller signed, as far as the caller knows. */
  readonly ownText?: string | undefined;
  /** The body of the service's refusal. */
  readonly answer?: string | undefined;
}

/** What is wrong with a request, the decisive fault first. */
export interface Diagnosis {
  /** The string that the service builds from the request. */
  readonly stringToSign: string;
  /** The string that was signed: found, or the caller's own. */
  readonly signedText?: string;
  /** What the service expects in Authorization; absent without a KeySecret. */
  readonly expectedSign?: string;
  /** Base64 of the MD5 of the body. */
  readonly bodyDigest: string;
  /** Whether the signature is the service's own. */
  readonly isSignatureRight: boolean;
  readonly faults: readonly Fault[];
}

/** Says what is wrong with a signed request and how that is known, from the request and the KeySecret alone. */
export function diagnose(facts: Case): Diagnosis {
  const { request, profile, keySecret, now, isTimeKnown } = facts;
  const answer = answerOf(facts.answer);
  const header = (name: string): string | undefined => valueOf(request.rawHeaders, name);
  const bodyDigest = md5Of(request.body);
  const parts: Parts = {
    method: 'POST',
    contentMd5: header('content-md5') ?? bodyDigest,
    contentType: header('content-type') ?? '',
    date: header('date') ?? '',
    path: endpointOf(request.target),
  };
  const service = answer.stringToSign ?? stringToSign(parts);
  const authorization = looseAuthorization(header('authorization') ?? '');
  const hasAuthorization = header('authorization') !== undefined;
  const serverTime = answer.serverTime === undefined ? undefined : instantOf(answer.serverTime);
  const late = hasDate(parts) ? timeFaults(parts.date, serverTime ?? now) : [];
  const isLateCertain = isTimeKnown || serverTime !== undefined || (late[0]?.seconds ?? 0) > 0;
  const signature = signatureOf(facts, parts, authorization, service);
  const faults = [
    ...pathFaults(request),
    ...methodFaults(request),
    ...mediaFaults(request, profile),
    ...(hasAuthorization ? authorization.faults : []),
    ...headerFaults(request),
    ...(hasDate(parts) ? dateFaults(parts.date, profile) : []),
    ...(isLateCertain ? late : []),
    ...signature.faults,
    ...(header('content-md5') === undefined
      ? []
      : digestFaults(parts.contentMd5, request.body, profile)),
    ...(answer.expected === undefined ? [] : onTheWayFaults(answer.expected, request.body)),
    ...rewrittenHeaders(parts, answer.stringToSign),
    // Requests grow old while they are examined.
    ...(isLateCertain ? [] : late),
  ];
  return {
    stringToSign: service,
    bodyDigest,
    isSignatureRight: signature.isRight,
    faults: withoutRepeats(withoutGuesses(faults)),
    ...(signature.text !== undefined && { signedText: signature.text }),
    ...(keySecret !== '' && { expectedSign: expectedSign(parts, keySecret) }),
  };
}

const hasDate = ({ date }: Parts): boolean => date !== '';

interface SignatureFinding {
  readonly isRight: boolean;
  readonly faults: readonly Fault[];
  readonly text?: string;
}

function signatureOf(
  { request, keySecret, keyId, profile, ownText }: Case,
  parts: Parts,
  given: { keyId: string; sign: string },
  service: string,
): SignatureFinding {
  const own = ownText === undefined ? {} : { text: ownText };
  if (given.sign === '') return { isRight: false, faults: [], ...own };
  const other: Fault[] =
    keyId !== undefined && given.keyId !== '' && keyId !== given.keyId
      ? [{ cause: 'keyIdOther', proof: 'form', was: given.keyId, should: keyId }]
      : [];
  const written = signReadings(given.sign);
  const formOnly = written.some(({ cause }) => cause === undefined) ? [] : [formFault(written)];
  if (keySecret === '') return { isRight: false, faults: [...other, ...formOnly], ...own };
  const host = valueOf(request.rawHeaders, 'host') ?? '';
  const long = longFaults({
    KeySecret: keySecret,
    'string to sign': service,
    path: request.target,
    Host: host,
    'own string': ownText ?? '',
  });
  if (long.length > 0) return { isRight: false, faults: [...other, ...formOnly, ...long], ...own };
  const readings = [...written, ...lowerCaseReading(given.sign, parts, keySecret)];
  const input: SearchInput = {
    request,
    parts,
    profile,
    keyId: given.keyId,
    keySecret,
    readings,
    host,
    ownText,
  };
  const found = explainSignature(input);
  if (!found)
    return {
      isRight: false,
      faults: [...other, ...formOnly, unexplained(ownText, service)],
      ...own,
    };
  const writing =
    found.reading.cause === undefined
      ? []
      : [{ cause: found.reading.cause, proof: 'signature' } as Fault];
  const faults = found.variants.map(({ fault }): Fault => ({ ...fault, proof: 'signature' }));
  const ownFault: Fault[] =
    found.fromOwnText && found.text !== service ? [{ cause: 'ownText', proof: 'signature' }] : [];
  return {
    isRight: faults.length === 0 && !found.fromOwnText,
    faults: [...other, ...writing, ...faults, ...ownFault],
    text: found.text,
  };
}

/** Characters. Far more is tried than is given: of a KeySecret, each letter in place of each of its own. */
const TEXT_AT_MOST = 4096;
const SECRET_AT_MOST = 128;

const longFaults = (given: Readonly<Record<string, string>>): Fault[] =>
  Object.entries(given).flatMap(([part, text]) => {
    const atMost = part === 'KeySecret' ? SECRET_AT_MOST : TEXT_AT_MOST;
    return text.length > atMost ? [tooLong(part, atMost)] : [];
  });

const formFault = ([reading]: readonly SignReading[]): Fault => ({
  cause: reading?.cause ?? 'signForm',
  proof: 'form',
});

const unexplained = (ownText: string | undefined, service: string): Fault =>
  ownText === service
    ? { cause: 'otherSecret', proof: 'signature' }
    : { cause: 'unknown', proof: 'none' };

/** A sign of which a program changed the case cannot be decoded, but it can be recognized. */
function lowerCaseReading(sign: string, parts: Parts, keySecret: string): SignReading[] {
  const expected = expectedSign(parts, keySecret);
  const isCase = sign !== expected && sign.toLowerCase() === expected.toLowerCase();
  return isCase ? [{ digest: digestOf(serviceRecipe(parts, keySecret)), cause: 'signCase' }] : [];
}

interface Answer {
  readonly stringToSign?: string;
  readonly expected?: string;
  readonly serverTime?: string;
}

/** The facts of a refusal (docs/signing.md, "If a request is refused"), or of its `data` alone. */
function answerOf(text: string | undefined): Answer {
  const envelope = parsed(text ?? '');
  const data = memberOf(envelope, 'data') ?? envelope;
  const textIn = (key: string): object => {
    const value = memberOf(data, key);
    return typeof value === 'string' ? { [key]: value } : {};
  };
  // `expected` of a Date is no digest.
  const digest = memberOf(data, 'field') === undefined ? textIn('expected') : {};
  return { ...textIn('stringToSign'), ...digest, ...textIn('serverTime') };
}

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;

const LINES = ['method', 'Content-MD5', 'Content-Type', 'Date', 'path'] as const;

/** Parts that arrived differently from how they were sent. */
function rewrittenHeaders(parts: Parts, arrived: string | undefined): Fault[] {
  if (arrived === undefined) return [];
  const sent = stringToSign(parts).split('\n');
  const lines = arrived.split('\n');
  return LINES.flatMap((part, i): Fault[] =>
    lines[i] === undefined || lines[i] === sent[i]
      ? []
      : [{ cause: 'headerRewritten', proof: 'form', part, was: lines[i], should: sent[i]! }],
  );
}

/** That nothing explains a signature says nothing as long as the request has another form than the one that was signed may have had. */
const withoutGuesses = (faults: readonly Fault[]): readonly Fault[] =>
  faults.some(({ proof }) => proof === 'form')
    ? faults.filter(({ cause }) => cause !== 'unknown')
    : faults;

/** A fault of one part that shows twice, in a header and in the signature over it, counts once. */
function withoutRepeats(faults: readonly Fault[]): Fault[] {
  const identityOf = ({ cause, part = '' }: Fault): string => `${cause} ${part}`;
  return faults.filter(
    (fault, i) => faults.findIndex((other) => identityOf(other) === identityOf(fault)) === i,
  );
}
