import {
  JSON_MEDIA,
  readAuthorization,
  readSignedDate,
  SIGNED_CONTENT_TYPE,
  signedDate,
  MAX_SKEW_SECONDS,
  type SignatureProfile,
} from '@helioport/contract';
import { valueOf, valuesOf, type CapturedRequest } from './captured-request.ts';
import type { Fault } from './fault.ts';
import { instantOf } from './variants/dates.ts';

const form = (fault: Omit<Fault, 'proof'>): Fault => ({ ...fault, proof: 'form' });

/** What is longer than anything that is tried may be: `atMost` characters. */
export const tooLong = (part: string, atMost: number): Fault =>
  form({ cause: 'tooLong', part, should: String(atMost) });

const ENDPOINT = /\/v[12]\/api\/[^?#]*/;

/** The path that the service sees: behind a proxy that removes its prefix, the endpoint's. */
export const endpointOf = (target: string): string =>
  ENDPOINT.exec(target)?.[0] ?? target.replace(/[?#].*$/s, '').replace(/^\/{2,}/, '/');

export function pathFaults({ target }: CapturedRequest): Fault[] {
  const [path = '', query] = target.split('?');
  const endpoint = endpointOf(target);
  const faults: Fault[] = [];
  if (query !== undefined) faults.push(form({ cause: 'query', was: query }));
  if (!ENDPOINT.test(path)) faults.push(form({ cause: 'pathForm', was: path }));
  else if (/\/$|\/\//.test(endpoint))
    faults.push(
      form({
        cause: 'pathSlash',
        was: endpoint,
        should: endpoint.replace(/\/{2,}/g, '/').replace(/\/$/, ''),
      }),
    );
  else if (/%|\/\.\.?(?:\/|$)/.test(endpoint))
    faults.push(form({ cause: 'pathForm', was: endpoint }));
  return faults;
}

export function methodFaults({ method }: CapturedRequest): Fault[] {
  return method === 'POST' ? [] : [form({ cause: 'method', was: method })];
}

export function mediaFaults({ rawHeaders }: CapturedRequest, profile: SignatureProfile): Fault[] {
  const was = valueOf(rawHeaders, 'content-type');
  const encoding = valueOf(rawHeaders, 'content-encoding');
  const isAccepted =
    was === undefined ||
    (profile === 'strict' ? was === SIGNED_CONTENT_TYPE : JSON_MEDIA.test(was));
  return [
    ...(encoding === undefined ? [] : [form({ cause: 'contentEncoding', was: encoding })]),
    ...(isAccepted ? [] : [form({ cause: 'contentType', was, should: SIGNED_CONTENT_TYPE })]),
  ];
}

const FOUR = ['Content-MD5', 'Content-Type', 'Date', 'Authorization'];

// What is not printable ASCII has no place in these four.
const INVISIBLE = /[^\x20-\x7e]/;
const VARIABLE = /\$\{?[A-Za-z_]\w*\}?|\$\(|%[A-Z_]+%/;

export function headerFaults({ rawHeaders }: CapturedRequest): Fault[] {
  return FOUR.flatMap((part) => {
    const values = valuesOf(rawHeaders, part.toLowerCase());
    const [value = ''] = values;
    if (values.length === 0) return [form({ cause: 'headerMissing', part })];
    if (values.length > 1) return [form({ cause: 'headerTwice', part })];
    const variable = VARIABLE.exec(value)?.[0];
    if (variable !== undefined) return [form({ cause: 'notExpanded', part, was: variable })];
    const character = INVISIBLE.exec(value)?.[0];
    return character === undefined ? [] : [form({ cause: 'invisible', part, was: character })];
  });
}

/** What an Authorization header means, however it is written. */
export interface LooseAuthorization {
  readonly keyId: string;
  readonly sign: string;
  readonly faults: readonly Fault[];
}

/** Characters; a scheme, a KeyID and the longest digest have less. */
const AUTHORIZATION_AT_MOST = 512;

export function looseAuthorization(header: string): LooseAuthorization {
  if (/^bearer\b/i.test(header))
    return { keyId: '', sign: '', faults: [form({ cause: 'bearer' })] };
  if (/^basic\b/i.test(header)) return { keyId: '', sign: '', faults: [form({ cause: 'basic' })] };
  if (header.length > AUTHORIZATION_AT_MOST)
    return { keyId: '', sign: '', faults: [tooLong('Authorization', AUTHORIZATION_AT_MOST)] };
  const exact = readAuthorization(header);
  if (exact) return { ...exact, faults: [] };
  const bare = header.replace(/[<>"'[\]{}]/g, '');
  const [, scheme = '', space = '', keyId = '', separator = '', sign = ''] =
    /^\s*(?:([A-Za-z][A-Za-z0-9-]*)(\s+))?([^\s:;,=]*)(\s*[:;,=]?\s*)(.*)$/s.exec(bare.trimEnd()) ??
    [];
  const faults: Fault[] = [];
  if (bare !== header) faults.push(form({ cause: 'brackets' }));
  if (scheme !== 'API' || space !== ' ')
    faults.push(
      form({
        cause: scheme !== 'API' && scheme.toUpperCase() === 'API' ? 'schemeCase' : 'scheme',
        was: scheme + space,
      }),
    );
  if (separator !== ':') faults.push(form({ cause: 'separator', was: separator }));
  if (!/^[A-Za-z0-9]{1,64}$/.test(keyId)) faults.push(form({ cause: 'keyIdForm', was: keyId }));
  return { keyId, sign, faults };
}

export function dateFaults(header: string, profile: SignatureProfile): Fault[] {
  if (readSignedDate(header, profile) !== undefined) return [];
  const at = instantOf(header);
  const should = at === undefined ? undefined : signedDate(at);
  // With the weekday that belongs to it, it can be read.
  const isWeekday =
    should !== undefined &&
    readSignedDate(header.replace(/^\w{3}/, should.slice(0, 3)), profile) !== undefined;
  return [
    form({
      cause: isWeekday ? 'dateWeekday' : 'dateForm',
      was: header,
      ...(should !== undefined && { should }),
    }),
  ];
}

/** A time zone is off by whole quarters of an hour, give or take what a request takes on its way. */
const QUARTER_SECONDS = 900;
const ON_THE_WAY_SECONDS = 90;
const FARTHEST_ZONE_SECONDS = 14 * 3600;

export function timeFaults(header: string, now: number): Fault[] {
  const at = instantOf(header);
  if (at === undefined) return [];
  const seconds = Math.round((at - now) / 1000);
  if (Math.abs(seconds) <= MAX_SKEW_SECONDS) return [];
  const offQuarter = Math.abs(seconds - Math.round(seconds / QUARTER_SECONDS) * QUARTER_SECONDS);
  const isZone =
    offQuarter <= ON_THE_WAY_SECONDS &&
    Math.abs(seconds) <= FARTHEST_ZONE_SECONDS + ON_THE_WAY_SECONDS &&
    isHalfHour(seconds);
  return [
    {
      cause: isZone ? 'zone' : 'clock',
      proof: 'time',
      seconds,
      was: header,
      should: signedDate(now),
    },
  ];
}

const isHalfHour = (seconds: number): boolean =>
  Math.round(Math.abs(seconds) / QUARTER_SECONDS) >= 2;
