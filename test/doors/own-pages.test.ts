import { expect, test } from 'vitest';
import { refuseOtherSites } from '../../packages/server/src/interfaces/edges/portal/own-pages.ts';

/** Whether a request with an Origin is answered. */
const answers = (
  portalUrl: string,
  { origin, host, protocol = 'http', method = 'POST' }: Record<string, string>,
): boolean => {
  try {
    refuseOtherSites(portalUrl)({ headers: { origin }, host, protocol, method } as never);
    return true;
  } catch {
    return false;
  }
};
const HTTPS = 'https://portal.example';
const HTTP = 'http://portal.example:8082';

test.each([
  // By the public address, and by another name over the same scheme.
  [HTTPS, { origin: HTTPS, host: 'portal.example' }, true],
  [HTTPS, { origin: HTTPS, host: '10.0.0.7' }, true],
  [HTTPS, { origin: 'https://sun.example', host: 'sun.example', protocol: 'https' }, true],
  [HTTPS, { origin: 'https://sun.example', host: 'sun.example' }, true],
  [HTTP, { origin: HTTP, host: 'portal.example:8082' }, true],
  [HTTP, { origin: 'http://sun.example', host: 'sun.example' }, true],
  [HTTP, { origin: 'https://sun.example', host: 'sun.example', protocol: 'https' }, true],
  // What somebody on the way wrote into a page without encryption.
  [HTTPS, { origin: 'http://portal.example', host: 'portal.example' }, false],
  [HTTPS, { origin: 'http://portal.example', host: 'portal.example', protocol: 'https' }, false],
  [HTTPS, { origin: 'http://sun.example', host: 'sun.example' }, false],
  [HTTP, { origin: 'http://sun.example', host: 'sun.example', protocol: 'https' }, false],
  [HTTP, { origin: 'https://portal.example:8082', host: 'portal.example:8082' }, false],
  // Other hosts and ports, and what is no origin.
  [HTTPS, { origin: 'https://evil.example', host: 'portal.example' }, false],
  [HTTPS, { origin: 'https://portal.example:444', host: 'portal.example' }, false],
  [HTTPS, { origin: 'https://portal.example.evil.example', host: 'portal.example' }, false],
  [HTTPS, { origin: 'null', host: 'portal.example' }, false],
  [HTTPS, { origin: '', host: 'portal.example' }, false],
  [HTTPS, { origin: 'ftp://portal.example', host: 'portal.example' }, false],
] as const)('at %s, a request with %j is answered: %s', (portalUrl, request, answered) => {
  expect(answers(portalUrl, request)).toBe(answered);
});
