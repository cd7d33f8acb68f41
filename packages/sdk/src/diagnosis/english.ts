import type { Rewrite } from './body-texts.ts';
import type { Fault } from './fault.ts';
import { worded, type FaultSentences } from './sentences.ts';

const rewrites: Record<Rewrite, string> = {
  compact: 'without white space',
  spaced: 'with ", " and ": " as separators',
  indented: 'with indented lines',
  sorted: 'with its keys sorted',
  escaped: 'with other escapes of non-ASCII characters',
  slashes: 'with slashes escaped as \\/',
  lineFeedAdded: 'with a line feed at its end',
  lineFeedRemoved: 'without the white space at its ends',
  crlf: 'with CRLF at the ends of its lines',
  lf: 'with LF instead of CRLF, or without line ends',
  bomAdded: 'with a byte order mark (BOM) at its beginning',
  bomRemoved: 'without its byte order mark (BOM)',
  latin1: 'in ISO 8859-1',
  utf16: 'in UTF-16',
  quoted: 'encoded as JSON twice',
  singleQuotes: 'with single quotes, as Python prints it',
  form: 'as a form',
  emptyObject: 'as an empty object {}',
  empty: 'empty',
};

const rewriteOf = ({ rewrite }: Fault): string =>
  rewrite === undefined ? '' : `, of the body ${rewrites[rewrite]}`;

/** In English, for the command line and the portal. */
export const englishSentences: FaultSentences = {
  query: worded(
    ({ was }) =>
      `The address has a query (?${was}), which a signature cannot cover. Send everything in the body.`,
  ),
  pathSlash: worded(
    ({ was, should }) => `The path ${was} has a slash too many. Call ${should}, and sign that.`,
  ),
  pathForm: worded(
    ({ was }) =>
      `${was} is no path of this interface: paths begin with /v1/api/ or /v2/api/ and are written without escapes and dots.`,
  ),
  method: worded(
    ({ was }) =>
      `The method is ${was}. Send a POST; the first line of the string to sign is always POST.`,
  ),
  contentType: worded(({ was, should }) => `Content-Type is “${was}”. Send ${should}.`),
  contentEncoding: worded(
    ({ was }) => `The body is said to be compressed (Content-Encoding: ${was}). Send it as it is.`,
  ),
  headerMissing: worded(({ part }) => `The header ${part} is missing.`),
  headerTwice: worded(
    ({ part }) =>
      `The header ${part} was sent more than once. Send it once; a library or a proxy may add a second one.`,
  ),
  invisible: worded(({ part, was }) => `${part} has an invisible character: ${was}. Remove it.`),
  notExpanded: worded(
    ({ part, was }) =>
      `${part} still has ${was}: the shell did not put the value in its place. Use double quotes around it.`,
  ),
  bearer: () =>
    'This is a Bearer token. Signed requests go to this interface; tokens belong to the OAuth interface.',
  basic: () => 'This is HTTP Basic. Write Authorization as API <KeyID>:<sign>.',
  scheme: worded(
    ({ was }) =>
      `Authorization begins with “${was}”. Write API, one space, the KeyID, a colon and the sign.`,
  ),
  schemeCase: worded(
    ({ was }) => `Authorization begins with “${was}”. Write API in capitals, and one space.`,
  ),
  separator: worded(
    ({ was }) => `Between KeyID and sign is “${was}”. Write a colon, without spaces.`,
  ),
  brackets: () =>
    'Authorization has quotation marks or brackets. Write API KeyID:sign without them.',
  keyIdForm: worded(({ was }) => `“${was}” is no KeyID: it consists of letters and digits only.`),
  keyIdOther: worded(
    ({ was, should }) => `The request names KeyID ${was}, but the KeySecret belongs to ${should}.`,
  ),
  signHex: () => 'The sign is hexadecimal. Encode the 20 bytes of the HMAC as base64.',
  signHexBase64: () =>
    'The sign is base64 of hexadecimal digits. Encode the 20 bytes of the HMAC themselves.',
  signUrlSafe: () =>
    'The sign is in the URL-safe base64 with - and _. Use the usual alphabet with + and /.',
  signPadding: () => 'The sign lacks its padding. It ends in =, 28 characters in all.',
  signPercent: () => 'The sign is percent-encoded (%2B, %2F, %3D). Headers take it as it is.',
  signPlus: () => 'In the sign, + became a space, as in forms. Headers take it as it is.',
  signCase: () =>
    'The sign was changed to another case. Base64 distinguishes capitals from small letters.',
  signForm: () => 'The sign is not base64 of 20 bytes.',
  dateForm: worded(
    ({ was, should }) =>
      `“${was}” is no valid Date.${should === '' ? ' Write it as Fri, 6 Nov 2026 05:01:09 GMT.' : ` Write it as ${should}.`}`,
  ),
  dateWeekday: worded(
    ({ was, should }) => `The weekday of “${was}” does not belong to that day. It is ${should}.`,
  ),
  clock: worded(
    ({ time, isAhead }) =>
      `Date is ${time} ${isAhead ? 'ahead of' : 'behind'} the server’s time; 0:15:00 are allowed. Set the clock, or add the difference.`,
  ),
  zone: worded(
    ({ time, isAhead }) =>
      `Date is ${time} ${isAhead ? 'ahead' : 'behind'}, as if it were the local time of a zone. Write the time in GMT.`,
  ),
  crlf: () => 'The five parts were joined with CRLF. Join them with a single line feed (LF).',
  cr: () => 'The five parts were joined with CR. Join them with a single line feed (LF).',
  notJoined: () =>
    'The five parts were joined without anything between. Put a line feed (LF) between them.',
  joinedOtherwise: worded(
    ({ was }) => `The five parts were joined with “${was}”. Join them with a line feed (LF).`,
  ),
  literalLineFeed: () =>
    'The five parts were joined with the two characters \\n. Join them with a real line feed (LF), for example by printf or double quotes.',
  endsWithLineFeed: () =>
    'The string to sign ended in a line end. Sign it without one; echo adds one, printf does not.',
  emptyLine: () => 'The string to sign had an empty line. It has five lines, without one between.',
  order: worded(
    ({ was }) =>
      `The parts were in another order: ${was}. The order is POST, Content-MD5, Content-Type, Date, path.`,
  ),
  partLeftOut: worded(({ part }) => `The string to sign lacked a part: ${part}.`),
  quotedText: () => 'The string was signed in quotation marks or with its escapes. Sign its text.',
  caseOfText: () => 'The string was changed to one case before it was signed. Sign it as it is.',
  percentText: () => 'The string was percent-encoded before it was signed. Sign it as it is.',
  charset: worded(
    ({ was }) => `The string was signed in ${was}. Use UTF-8 without a byte order mark.`,
  ),
  signedMethod: worded(
    ({ was }) =>
      `The first line of the signed string was “${was}”. It is always POST, in capitals.`,
  ),
  signedContentType: worded(
    ({ was, should }) =>
      `Content-Type was signed as “${was}”, but sent as “${should}”. Sign what you send.`,
  ),
  signedDateForm: worded(
    ({ was, should }) =>
      `Date was signed as “${was}”, but sent as “${should}”. Use the same text for both.`,
  ),
  signedDateOther: worded(
    ({ time, was }) =>
      `Another Date was signed: “${was}”, ${time} apart. Take the time once, and use its text for both.`,
  ),
  signedDateZone: worded(
    ({ time, was, should }) =>
      `Date was signed as “${was}”, ${time} from “${should}”, which was sent: one of them is in another time zone. Use GMT for both.`,
  ),
  signedQuery: worded(
    ({ was, should }) => `The path was signed with its query: ${was}. Sign ${should} alone.`,
  ),
  signedAddress: worded(
    ({ was, should }) => `The whole address was signed: ${was}. Sign the path ${should} alone.`,
  ),
  signedPrefix: worded(
    ({ was, should }) =>
      `The path was signed with a prefix: ${was}. A proxy removes it, so sign ${should}, which the service sees.`,
  ),
  signedNoPrefix: worded(
    ({ was, should }) => `The path was signed as “${was}”. Sign all of it: ${should}.`,
  ),
  signedSlash: worded(
    ({ was, should }) =>
      `The path was signed as ${was}, with a slash too many or too few. Sign ${should}.`,
  ),
  signedPathCase: worded(
    ({ was, should }) => `The path was signed in another case: ${was}. Sign ${should}.`,
  ),
  signedVersion: worded(
    ({ was, should }) =>
      `The path ${was} was signed, but ${should} was called. Sign the one that you call.`,
  ),
  signedPath: worded(({ was, should }) => `The path was signed as ${was}. Sign ${should}.`),
  signedDigest: worded(
    ({ was, should }, fault) =>
      `Another Content-MD5 was signed: ${was}${rewriteOf(fault)}; ${should} was sent. Compute it once, from the bytes that you send, and use it for both.`,
  ),
  signedBody: () => 'The body itself was signed in place of Content-MD5. Sign the digest.',
  keyLineEnd: () => 'The KeySecret had a line end, as when it is read from a file. Trim it.',
  keySpace: () => 'The KeySecret had white space around it, or has it here. Trim it.',
  keyDecoded: worded(
    ({ was }) => `The KeySecret was decoded as ${was}. Use its text, as UTF-8, as the key.`,
  ),
  keyEncoded: worded(
    ({ was }) => `The KeySecret was encoded (${was}). Use its text, as UTF-8, as the key.`,
  ),
  keyHashed: worded(
    ({ was }) => `The KeySecret was hashed with ${was}. Use its text, as UTF-8, as the key.`,
  ),
  keyCase: () => 'The KeySecret was changed to another case. Use it as it was shown.',
  keyQuotes: () => 'The KeySecret had quotation marks around it. Remove them.',
  keyBom: () =>
    'The KeySecret had a byte order mark (BOM), as when it is read from a file. Remove it.',
  keySuffix: worded(
    ({ was }) =>
      `“${was}” was added to the KeySecret, as other services want it. Use the KeySecret alone.`,
  ),
  keyIsKeyId: () => 'The KeyID was used as the key. Use the KeySecret.',
  keyCharset: worded(({ was }) => `The KeySecret was used in ${was}. Use it as UTF-8.`),
  keyLetter: worded(
    ({ place, was, should }) =>
      `Letter ${place} of the KeySecret differs: the program has ${was}, here it is ${should}.`,
  ),
  keyTurned: worded(
    ({ place }) =>
      `Letters ${place} and ${place + 1} of the KeySecret are turned round, in the program or here.`,
  ),
  keyShort: () => 'A letter of the KeySecret, or all of it, is missing in the program.',
  algorithm: worded(({ was }) => `The signature was made with ${was}. Use HMAC-SHA1.`),
  noHmac: worded(
    ({ was }) =>
      `The signature is a plain ${was} digest. Use HMAC-SHA1 with the KeySecret as the key.`,
  ),
  swapped: () => 'Key and text were exchanged in the call of HMAC. The KeySecret is the key.',
  otherSecret: () =>
    'Both strings are the same, so the program uses another KeySecret than this one.',
  ownText: () =>
    'Your string gives this signature, so the KeySecret is right and the string differs from the service’s: see the bytes marked below.',
  tooLong: worded(
    ({ part, should }) =>
      `${part} is too long to look into: it may have ${should} characters here.`,
  ),
  unknown: () =>
    'No common mistake gives this signature, so it was probably made with another KeySecret. Paste the string that your program signs to be sure.',
  digestHex: worded(
    (_, fault) =>
      `Content-MD5 is hexadecimal${rewriteOf(fault)}. Encode the 16 bytes of the digest as base64.`,
  ),
  digestHexBase64: worded(
    (_, fault) =>
      `Content-MD5 is base64 of hexadecimal digits${rewriteOf(fault)}. Encode the 16 bytes of the digest themselves.`,
  ),
  digestUrlSafe: () =>
    'Content-MD5 is in the URL-safe base64 with - and _. Use the usual alphabet with + and /, padded with ==.',
  digestPadding: () => 'Content-MD5 lacks its padding. It ends in ==.',
  digestCase: () =>
    'Content-MD5 was changed to another case. Base64 distinguishes capitals from small letters.',
  digestAlgorithm: worded(
    ({ part, should }) => `Content-MD5 is a ${part} digest. Use MD5: ${should}.`,
  ),
  digestEmpty: worded(({ should }) => `Content-MD5 is empty, but there is a body. Send ${should}.`),
  bodyRewritten: ({ rewrite, should = '' }) =>
    `Content-MD5 belongs to the body ${rewrites[rewrite ?? 'empty']}: after the digest was made, a library or a proxy wrote the body anew. Hash the bytes that are sent (${should}), or send the bytes that you hashed.`,
  bodyOther: worded(
    ({ was, should }) =>
      `Content-MD5 is ${was}, but the digest of this body is ${should}. Hash the bytes that are sent.`,
  ),
  rewrittenOnTheWay: ({ rewrite, was = '' }) =>
    `The body arrived ${rewrite === undefined ? `changed (its digest there is ${was})` : rewrites[rewrite]}: a library or a proxy wrote it anew on the way. Have it pass the body on as it is.`,
  headerRewritten: worded(
    ({ part, was, should }) =>
      `The service got “${was}” as ${part}, but “${should}” was sent: a library or a proxy changed it on the way.`,
  ),
};
