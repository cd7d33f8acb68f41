import { invalidValue } from '../../platform/kernel/failure.ts';

const LENGTH_AT_MOST = 2000;
// Parameters of authorization responses. If a redirect URI had one of them too,
// it could not be distinguished from the response's own. RFC 6749 4.1.2, RFC 9207
const RESPONSE_PARAMETERS = new Set([
  'code',
  'state',
  'error',
  'error_description',
  'error_uri',
  'iss',
]);
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

// Tests that find a fault in a redirect URI, each with what is expected instead. RFC 6749 3.1.2, RFC 9700 2.1 and 4.1
const rules: readonly (readonly [fault: (text: string, url: URL) => boolean, expected: string])[] =
  [
    [(text) => text.length > LENGTH_AT_MOST, `at most ${LENGTH_AT_MOST} characters`],
    [
      (text) => !/^[\x21-\x7e]+$/.test(text),
      'printable ASCII: host names with other letters as punycode, other characters percent-encoded',
    ],
    [
      (text) => /[*\\"<>^`{|}]/.test(text),
      'no wildcard and no backslash, quote, brace or angle bracket',
    ],
    [(text) => text.includes('#'), 'no fragment'],
    [
      (_, { protocol, hostname }) =>
        protocol !== 'https:' && !(protocol === 'http:' && LOOPBACK.has(hostname)),
      'https, or http on a loopback address',
    ],
    [(text) => !/^https?:\/\/[^/]/.test(text), 'a host after https://'],
    [(text) => /^[^/]*\/\/[^/?]*@/.test(text), 'no user name or password'],
    [
      (_, { searchParams }) => searchParams.keys().some((name) => RESPONSE_PARAMETERS.has(name)),
      `no query parameter with a name that the response uses: ${[...RESPONSE_PARAMETERS].join(', ')}`,
    ],
    [(text) => /\/(\.|%2e){1,2}(?=[/;?]|$)/i.test(text), 'no dot segments'],
  ];

/**
 * Checks a redirect URI before registration; it is stored and compared exactly as given.
 * @returns warnings about an address that is allowed but may cause problems
 * @throws invalidValue
 */
export function checkRedirectUri(text: string): string[] {
  if (!URL.canParse(text)) throw invalidValue('redirectUri', 'an absolute address');
  const url = new URL(text);
  for (const [fault, expected] of rules)
    if (fault(text, url)) throw invalidValue('redirectUri', expected);
  return [
    ...(url.search === ''
      ? []
      : [
          'the callback address has a query: some client libraries drop it when they exchange the code, and then fail',
        ]),
    ...(/^[^/]*\/\/[^/?]+\//.test(text)
      ? []
      : ['the callback address has no path: some client libraries add a slash, and then fail']),
    ...(url.protocol === 'http:'
      ? ['the callback address is http: use it for development only']
      : []),
  ];
}

/** Why a redirect URI does not match the registered one; undefined if it does, byte for byte. RFC 9700 2.1 */
export function redirectUriFault(
  registered: string,
  sent: string,
): 'callbackMismatch' | 'callbackUnencoded' | undefined {
  if (sent === registered) return undefined;
  // The application did not percent-encode the address, so the part after & was read as another parameter. interface O6
  return registered.startsWith(`${sent}&`) ? 'callbackUnencoded' : 'callbackMismatch';
}

/** Where an authorization response goes: the redirect URI with parameters appended to its own query, which stays unchanged. RFC 6749 3.1.2, 4.1.2 */
export function responseUri(
  registered: string,
  parameters: readonly (readonly [name: string, encodedValue: string])[],
): string {
  const joint = !registered.includes('?') ? '?' : /[?&]$/.test(registered) ? '' : '&';
  return registered + joint + parameters.map(([name, value]) => `${name}=${value}`).join('&');
}
