import { UsageFault } from '../installation/faults.ts';

/** An HTTP request as it was sent. */
export interface CapturedRequest {
  readonly method: string;
  /** Path with query, as sent. */
  readonly target: string;
  /** Name, value, name, value ... as sent, including repeated headers. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** Number of bytes beyond Content-Length, for example a line end that an editor added. */
  readonly surplus: number;
}

/** Reads an HTTP/1.x request: request line, headers, an empty line, the body. Lines may end in CRLF or LF. Throws UsageFault. */
export function readCapturedRequest(bytes: Buffer): CapturedRequest {
  const end = /\r?\n\r?\n/.exec(bytes.toString('latin1'));
  const head = bytes.toString('utf8', 0, end ? end.index : bytes.length).replace(/\r?\n$/, '');
  const [requestLine = '', ...headerLines] = head.split(/\r?\n/);
  const [, method, target] = /^([A-Z]+) (\S+)(?: HTTP\/1\.[01])?$/.exec(requestLine.trim()) ?? [];
  if (method === undefined || target === undefined)
    throw new UsageFault(`this is not an HTTP request: it begins with ${JSON.stringify(requestLine.slice(0, 60))}`);
  const rawHeaders = headerLines.flatMap((line) => headerOf(line));
  const rest = end ? bytes.subarray(end.index + end[0].length) : Buffer.alloc(0);
  if (valueOf(rawHeaders, 'transfer-encoding') !== undefined) throw new UsageFault('the body is chunked; capture the request with a Content-Length');
  const length = Number(valueOf(rawHeaders, 'content-length') ?? rest.length);
  if (!(length <= rest.length)) throw new UsageFault(`the body has ${rest.length} bytes, Content-Length says ${length}: the capture is incomplete`);
  return { method, target, rawHeaders, body: rest.subarray(0, length), surplus: rest.length - length };
}

function headerOf(line: string): [string, string] {
  const colon = line.indexOf(':');
  if (colon < 1) throw new UsageFault(`this is not a header: ${JSON.stringify(line.slice(0, 60))}`);
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}

/** The first value of a header. */
export function valueOf(rawHeaders: readonly string[], name: string): string | undefined {
  const index = rawHeaders.findIndex((header, i) => i % 2 === 0 && header.toLowerCase() === name);
  return index < 0 ? undefined : rawHeaders[index + 1];
}
