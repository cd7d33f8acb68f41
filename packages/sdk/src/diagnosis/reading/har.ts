import { fromBase64, utf8 } from '../bytes.ts';
import type { CapturedRequest } from '../captured-request.ts';
import { targetOf } from './target.ts';
import { Unreadable } from './unreadable.ts';

/** A request of a HAR file, and when it was sent, epoch ms. */
export interface HarRequest extends CapturedRequest {
  readonly sentAt?: number;
  /** The text that answered it. */
  readonly answer?: string;
}

/** The parts of HAR 1.2 that are read; all of it is somebody else's word. */
type Loose = { readonly [key: string]: unknown };

const isLoose = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textIn = (value: unknown, key: string): string | undefined =>
  isLoose(value) && typeof value[key] === 'string' ? value[key] : undefined;
const listIn = (value: unknown, key: string): readonly unknown[] =>
  isLoose(value) && Array.isArray(value[key]) ? value[key] : [];

/** Reads a HAR file, one of its entries or one of its requests. Of several requests, the first signed one counts. Throws Unreadable. */
export function readHar(json: unknown): HarRequest {
  const log = isLoose(json) ? json['log'] : undefined;
  const entries = isLoose(log)
    ? listIn(log, 'entries')
    : [isLoose(json) && isLoose(json['request']) ? json : { request: json }];
  const read = entries.flatMap((entry) => readEntry(entry) ?? []);
  const isSigned = ({ rawHeaders }: HarRequest): boolean =>
    rawHeaders.some((name, i) => i % 2 === 0 && name.toLowerCase() === 'authorization');
  const found = read.find(isSigned) ?? read[0];
  if (!found) throw new Unreadable('notHar');
  return found;
}

function readEntry(entry: unknown): HarRequest | undefined {
  const request = isLoose(entry) ? entry['request'] : undefined;
  const [method, url] = [textIn(request, 'method'), textIn(request, 'url')];
  if (method === undefined || url === undefined) return undefined;
  // HTTP/2 writes pseudo-headers such as :path among them.
  const rawHeaders = listIn(request, 'headers').flatMap((header) => {
    const [name, value] = [textIn(header, 'name'), textIn(header, 'value')];
    return name === undefined || value === undefined || name.startsWith(':') ? [] : [name, value];
  });
  const postData = isLoose(request) ? request['postData'] : undefined;
  const text = textIn(postData, 'text') ?? '';
  const body = textIn(postData, 'encoding') === 'base64' ? fromBase64(text) : undefined;
  const started = Date.parse(textIn(entry, 'startedDateTime') ?? '');
  const response = isLoose(entry) ? entry['response'] : undefined;
  const answer = textIn(isLoose(response) ? response['content'] : undefined, 'text');
  return {
    method,
    target: targetOf(url),
    rawHeaders,
    body: body ?? utf8(text),
    ...(Number.isFinite(started) && { sentAt: started }),
    ...(answer !== undefined && { answer }),
  };
}
