import { textOf } from '../bytes.ts';
import { valueOf, type CapturedRequest } from '../captured-request.ts';
import { Unreadable } from './unreadable.ts';

/** A request that was captured as HTTP/1.x. */
export interface ReadRequest extends CapturedRequest {
  /** Number of bytes beyond Content-Length, for example a line end that an editor added. */
  readonly surplus: number;
}

/** Bytes; servers refuse longer ones. */
const HEAD_AT_MOST = 64 * 1024;

/** Reads an HTTP/1.x request: request line, headers, an empty line, the body. Lines may end in CRLF or LF. Throws Unreadable. */
export function readHttp(bytes: Uint8Array): ReadRequest {
  const latin1 = Array.from(bytes.subarray(0, HEAD_AT_MOST), (byte) =>
    String.fromCharCode(byte),
  ).join('');
  const end = /\r?\n\r?\n/.exec(latin1);
  if (!end && bytes.length > HEAD_AT_MOST) throw new Unreadable('tooLong');
  const headBytes = bytes.subarray(0, end ? end.index : bytes.length);
  const head = (textOf(headBytes) ?? latin1.slice(0, headBytes.length)).replace(/\r?\n$/, '');
  const [requestLine = '', ...headerLines] = head.split(/\r?\n/);
  const [, method, target] =
    /^([A-Za-z]+) (\S+)(?: HTTP\/[0-9.]+)?$/.exec(requestLine.trim()) ?? [];
  if (method === undefined || target === undefined)
    throw new Unreadable('notARequest', requestLine);
  const rawHeaders = headersOf(headerLines);
  const rest = end ? bytes.subarray(end.index + end[0].length) : new Uint8Array(0);
  if (valueOf(rawHeaders, 'transfer-encoding') !== undefined) throw new Unreadable('chunked');
  const length = Number(valueOf(rawHeaders, 'content-length') ?? rest.length);
  if (!(length <= rest.length))
    throw new Unreadable('incomplete', `${rest.length} of ${length} bytes`);
  return {
    method,
    target,
    rawHeaders,
    body: rest.subarray(0, length),
    surplus: rest.length - length,
  };
}

/** Headers, one a line, as a flat list of names and values. Throws Unreadable. */
export const headersOf = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => {
    const colon = line.indexOf(':', 1);
    if (colon < 1) throw new Unreadable('notAHeader', line);
    // White space around a value does not belong to it (RFC 9110 5.5); other invisible characters do.
    return [line.slice(0, colon), withoutSpace(line.slice(colon + 1))];
  });

/** Without the white space at the ends, in one pass whatever is between. */
function withoutSpace(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && ' \t'.includes(text[start]!)) start++;
  while (end > start && ' \t\r'.includes(text[end - 1]!)) end--;
  return text.slice(start, end);
}
