import { utf8 } from '../bytes.ts';
import { readCurl } from './curl.ts';
import { readHar, type HarRequest } from './har.ts';
import { headersOf, readHttp } from './http.ts';
import { Unreadable } from './unreadable.ts';

/** What a pasted text says about a request; headers alone say neither method nor address. */
export type PastedRequest = Partial<HarRequest> & Pick<HarRequest, 'rawHeaders'>;

/** Characters; files of a HAR hold all that a page has loaded. */
const AT_MOST = 256 * 1024;
const HAR_AT_MOST = 16 * 1024 * 1024;

/** Reads a curl command, a HAR file or a part of it, an HTTP request, or its headers alone. Throws Unreadable. */
export function readPasted(text: string): PastedRequest {
  const trimmed = text.trim();
  if (text.length > (trimmed.startsWith('{') ? HAR_AT_MOST : AT_MOST))
    throw new Unreadable('tooLong');
  if (/^curl(?:\.exe)?\s/.test(trimmed)) return readCurl(trimmed);
  if (trimmed.startsWith('{')) return readHar(parsed(trimmed));
  const lines = text.replace(/^(?:[ \t]*\r?\n)+/, '').split(/\r?\n/);
  if (/^[A-Za-z]+ \S+/.test(lines[0]!) && !/^[A-Za-z-]+:/.test(lines[0]!))
    return readHttp(utf8(lines.join('\n')));
  const [first] = lines;
  if (first === undefined || !/^[A-Za-z0-9-]+:/.test(first))
    throw new Unreadable('notARequest', first ?? '');
  const end = lines.indexOf('');
  const rawHeaders = headersOf(end < 0 ? lines : lines.slice(0, end));
  const body = end < 0 ? '' : lines.slice(end + 1).join('\n');
  return { rawHeaders, ...(body !== '' && { body: utf8(body) }) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Unreadable('notHar', text);
  }
}
