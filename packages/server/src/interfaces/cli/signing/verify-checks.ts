import {
  JSON_MEDIA,
  MAX_SKEW_SECONDS,
  operationsBy,
  pathsOf,
  readSignedDate,
  SIGNED_CONTENT_TYPE,
  signedDate,
  stringToSign,
  type SignatureProfile,
} from '@helioport/contract';
import {
  diagnose,
  englishSentences,
  sentenceOf,
  valueOf,
  type CapturedRequest,
  type Fault,
} from '@helioport/sdk/diagnosis';
import { bodyMd5, isDigestOf } from '../../edges/user-api/content-digest.ts';
import { isSignedWith, parseAuthorization } from '../../edges/user-api/signature.ts';
import { signedHeaders } from '../../edges/user-api/signed-headers.ts';

/** The facts that the checks need besides the request. */
export interface Expectations {
  readonly keySecret: string;
  readonly profile: SignatureProfile;
  /** The time of the server, epoch milliseconds. */
  readonly now: number;
}

/** The result of a check. `problem` says why it failed and what to do. */
export type VerifyFinding = { readonly found: string } | { readonly problem: string };

const found = (text: string): VerifyFinding => ({ found: text });
const problem = (text: string): VerifyFinding => ({ problem: text });

type Check = (request: CapturedRequest, expectations: Expectations) => VerifyFinding;

/** The checks of the signed interface that can be repeated for a captured request, in the server's order and with its functions. */
export const verifyChecks: Readonly<Record<string, Check>> = {
  path({ target }, { profile }) {
    const [path = ''] = (profile === 'strict' ? target : target.replace(/^\/{2,}/, '/')).split('?');
    if (target.includes('?'))
      return problem('a query string cannot be signed; send everything in the body');
    const known = operationsBy('signed').some((operation) =>
      pathsOf(operation, 'signed').includes(path),
    );
    return known ? found(path) : problem(`${path} is not a path of this interface (404)`);
  },

  method: ({ method }) =>
    method === 'POST' ? found(method) : problem(`only POST is allowed, not ${method} (405)`),

  'media type'({ rawHeaders }, { profile }) {
    const type = valueOf(rawHeaders, 'content-type') ?? '';
    if (valueOf(rawHeaders, 'content-encoding') !== undefined)
      return problem('Content-Encoding is not accepted (415)');
    const accepted = profile === 'strict' ? type === SIGNED_CONTENT_TYPE : JSON_MEDIA.test(type);
    return accepted
      ? found(type)
      : problem(`Content-Type is ${JSON.stringify(type)}; send ${SIGNED_CONTENT_TYPE} (415)`);
  },

  Authorization({ rawHeaders }) {
    const header = valueOf(rawHeaders, 'authorization');
    if (header === undefined) return problem('the header is missing (401)');
    const credentials = parseAuthorization(header);
    return credentials
      ? found(`KeyID ${credentials.keyId}`)
      : problem('it must be `API <KeyID>:<sign>`, where the sign is 28 characters of base64 (401)');
  },

  'the four headers'({ rawHeaders }) {
    try {
      signedHeaders(rawHeaders);
      return found('each once');
    } catch (error) {
      return problem(`${(error as Error).message} (400)`);
    }
  },

  'form of Date'({ rawHeaders }, { profile, now }) {
    const date = valueOf(rawHeaders, 'date') ?? '';
    return readSignedDate(date, profile) === undefined
      ? problem(`${JSON.stringify(date)} is not a valid Date; write it as ${signedDate(now)} (400)`)
      : found(date);
  },

  'time window'({ rawHeaders }, { profile, now }) {
    const at = readSignedDate(valueOf(rawHeaders, 'date') ?? '', profile);
    if (at === undefined) return problem('not checked: the Date cannot be read');
    const seconds = Math.round((at - now) / 1000);
    const text = `${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} ${signedDate(now)}`;
    return Math.abs(at - now) <= MAX_SKEW_SECONDS * 1000
      ? found(text)
      : problem(`${text}; ${MAX_SKEW_SECONDS} s are allowed (408)`);
  },

  signature(request, expectations) {
    const { keySecret, profile } = expectations;
    const parts = partsOf(request);
    const credentials = parseAuthorization(valueOf(request.rawHeaders, 'authorization') ?? '');
    if (!credentials) return problem('not checked: Authorization cannot be read');
    if (isSignedWith(keySecret, parts, credentials.digest, profile))
      return found('matches the request and the KeySecret');
    const text = stringToSign(
      profile === 'strict' ? { ...parts, contentType: SIGNED_CONTENT_TYPE } : parts,
    );
    const explained = sentences(request, expectations, ({ proof }) => proof === 'signature');
    return problem(
      `${explained || `It was made with another secret, or from a string other than ${JSON.stringify(text)}.`} (403)`,
    );
  },

  'Content-MD5'(request, expectations) {
    const { rawHeaders, body } = request;
    const header = valueOf(rawHeaders, 'content-md5') ?? '';
    if (isDigestOf(header, Buffer.from(body), expectations.profile))
      return found(
        header === bodyMd5(body)
          ? 'digest of the body as sent'
          : 'digest of the same JSON, formatted differently',
      );
    const explained = sentences(
      request,
      expectations,
      ({ proof, cause }) => proof === 'digest' || cause === 'bodyOther',
    );
    return problem(`${explained || 'The header is missing.'} (Z0002)`);
  },
};

/** What the diagnosis says about a request, as far as it is wanted. */
const sentences = (
  request: CapturedRequest,
  expectations: Expectations,
  isWanted: (fault: Fault) => boolean,
): string =>
  diagnose({ ...expectations, request, isTimeKnown: true })
    .faults.filter(isWanted)
    .map((fault) => sentenceOf(englishSentences, fault))
    .join(' ');

const partsOf = ({ target, rawHeaders }: CapturedRequest) => ({
  contentMd5: valueOf(rawHeaders, 'content-md5') ?? '',
  contentType: valueOf(rawHeaders, 'content-type') ?? '',
  date: valueOf(rawHeaders, 'date') ?? '',
  path: target.replace(/^\/{2,}/, '/').replace(/\?[^]*$/, ''),
});
