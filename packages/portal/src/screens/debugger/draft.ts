import type { Case } from '@helioport/sdk/diagnosis';
import { readOwnText, readPasted, type PastedRequest } from '@helioport/sdk/diagnosis';

/** What has been typed, field by field. It lives as long as the page and is nowhere else. */
export interface Draft {
  readonly method: string;
  readonly target: string;
  /** One a line. */
  readonly headers: string;
  readonly body: string;
  readonly keySecret: string;
  readonly keyId: string;
  readonly ownText: string;
  readonly answer: string;
  /** When the request arrived, as text; empty: now. */
  readonly arrived: string;
  readonly profile: 'compatible' | 'strict';
}

export const EMPTY: Draft = {
  method: 'POST',
  target: '',
  headers: '',
  body: '',
  keySecret: '',
  keyId: '',
  ownText: '',
  answer: '',
  arrived: '',
  profile: 'compatible',
};

/** A draft with the parts of a pasted request. Throws Unreadable. */
export function withPasted(draft: Draft, pasted: string): Draft {
  const request = readPasted(pasted);
  const { method, target, body, sentAt, answer } = request;
  return {
    ...draft,
    headers: headerLines(request),
    ...(method !== undefined && { method }),
    ...(target !== undefined && { target }),
    body:
      body === undefined ? draft.body : new TextDecoder('utf-8', { ignoreBOM: true }).decode(body),
    ...(sentAt !== undefined && { arrived: new Date(sentAt).toISOString() }),
    ...(answer !== undefined && { answer }),
  };
}

const headerLines = ({ rawHeaders }: PastedRequest): string =>
  Array.from(
    { length: rawHeaders.length / 2 },
    (_, i) => `${rawHeaders[2 * i]}: ${rawHeaders[2 * i + 1]}`,
  ).join('\n');

/** The time that a field says: undefined if it is empty, NaN if it is no time. */
export const timeIn = (arrived: string): number | undefined =>
  arrived.trim() === '' ? undefined : Date.parse(arrived.trim());

/** What is to be examined. `now`: epoch ms. Throws Unreadable if a line is no header. */
export function caseOf(draft: Draft, now: number): Case {
  const { method, target, headers, body, keySecret, keyId, ownText, answer, arrived, profile } =
    draft;
  const lines = headers.split('\n').filter((line) => line.trim() !== '');
  const { rawHeaders } = lines.length === 0 ? { rawHeaders: [] } : readPasted(lines.join('\n'));
  const known = timeIn(arrived);
  const own = readOwnText(ownText);
  return {
    request: {
      method: method.trim(),
      target: target.trim(),
      rawHeaders,
      body: new TextEncoder().encode(body),
    },
    keySecret,
    profile,
    now: known ?? now,
    isTimeKnown: known !== undefined,
    ...(keyId.trim() !== '' && { keyId: keyId.trim() }),
    ...(own !== undefined && { ownText: own }),
    ...(answer.trim() !== '' && { answer }),
  };
}

/** A request whose five parts were joined with CRLF, for those who come without one. The key pair is that of docs/signing.md. */
export const EXAMPLE = {
  keySecret: '6680182547',
  pasted: `curl 'https://solar.example/v1/api/userStationList' \\
  -H 'Content-MD5: kxdxk7rbAsrzSIWgEwhH4w==' \\
  -H 'Content-Type: application/json;charset=UTF-8' \\
  -H 'Date: Fri, 26 Jul 2019 06:00:46 GMT' \\
  -H 'Authorization: API 2424:Nj8xrD3GNkdg24Mj51lbs9t8100=' \\
  --data-binary '{"pageNo":1,"pageSize":10}'`,
  arrived: '2019-07-26T06:00:46Z',
};
