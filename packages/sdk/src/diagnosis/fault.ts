import type { Rewrite } from './body-texts.ts';

/** Every fault that can be named. */
export type Cause =
  // The form of the request.
  | 'query'
  | 'pathSlash'
  | 'pathForm'
  | 'method'
  | 'contentType'
  | 'contentEncoding'
  | 'headerMissing'
  | 'headerTwice'
  | 'invisible'
  | 'notExpanded'
  | 'tooLong'
  // Authorization.
  | 'bearer'
  | 'basic'
  | 'scheme'
  | 'schemeCase'
  | 'separator'
  | 'brackets'
  | 'keyIdForm'
  | 'keyIdOther'
  | 'signHex'
  | 'signHexBase64'
  | 'signUrlSafe'
  | 'signPadding'
  | 'signPercent'
  | 'signPlus'
  | 'signCase'
  | 'signForm'
  // Date.
  | 'dateForm'
  | 'dateWeekday'
  | 'clock'
  | 'zone'
  // What was signed.
  | 'crlf'
  | 'cr'
  | 'notJoined'
  | 'joinedOtherwise'
  | 'literalLineFeed'
  | 'endsWithLineFeed'
  | 'emptyLine'
  | 'order'
  | 'partLeftOut'
  | 'quotedText'
  | 'caseOfText'
  | 'percentText'
  | 'charset'
  | 'signedMethod'
  | 'signedContentType'
  | 'signedDateForm'
  | 'signedDateOther'
  | 'signedDateZone'
  | 'signedQuery'
  | 'signedAddress'
  | 'signedPrefix'
  | 'signedNoPrefix'
  | 'signedSlash'
  | 'signedPathCase'
  | 'signedVersion'
  | 'signedPath'
  | 'signedDigest'
  | 'signedBody'
  // How it was signed.
  | 'keyLineEnd'
  | 'keySpace'
  | 'keyDecoded'
  | 'keyEncoded'
  | 'keyHashed'
  | 'keyCase'
  | 'keyQuotes'
  | 'keyBom'
  | 'keySuffix'
  | 'keyIsKeyId'
  | 'keyCharset'
  | 'keyLetter'
  | 'keyTurned'
  | 'keyShort'
  | 'algorithm'
  | 'noHmac'
  | 'swapped'
  | 'otherSecret'
  | 'ownText'
  | 'unknown'
  // Content-MD5.
  | 'digestHex'
  | 'digestHexBase64'
  | 'digestUrlSafe'
  | 'digestPadding'
  | 'digestCase'
  | 'digestAlgorithm'
  | 'digestEmpty'
  | 'bodyRewritten'
  | 'bodyOther'
  | 'rewrittenOnTheWay'
  | 'headerRewritten';

/** What shows that a fault is there: the given signature or digest comes out with it, the form itself, the time, or nothing yet. */
export type Proof = 'signature' | 'digest' | 'form' | 'time' | 'none';

/** A fault of a request. Which of the facts are there depends on the cause. */
export interface Fault {
  readonly cause: Cause;
  readonly proof: Proof;
  /** What the request or the program has. */
  readonly was?: string;
  /** What the service has, or needs. */
  readonly should?: string;
  /** Name of the header or of the part that it is about. */
  readonly part?: string;
  /** How the body was written where the digest was made. */
  readonly rewrite?: Rewrite;
  /** Seconds by which a time is ahead; negative if it is behind. */
  readonly seconds?: number;
  /** Place in a text, from 1. */
  readonly place?: number;
}
