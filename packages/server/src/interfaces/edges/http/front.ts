import type { Front, Link } from '@helioport/reference/front-page';
import { policyOf } from './content-policy.ts';
import { JSON_TYPE } from './errors.ts';

export type { Front, Link } from '@helioport/reference/front-page';

type Role = 'user-api' | 'oauth' | 'portal';

/** Links from the front page of the listener `own` to the other interfaces that this process serves. */
export function linksToOtherListeners(
  own: string,
  roles: readonly string[],
  urls: { userApiUrl: string; oauthUrl: string; portalUrl: string },
): readonly Link[] {
  const links: Readonly<Record<Role, Link>> = {
    portal: { href: urls.portalUrl, text: 'Portal' },
    'user-api': {
      href: `${urls.userApiUrl}/reference`,
      text: 'Reference of the user-level interface',
    },
    oauth: { href: `${urls.oauthUrl}/reference`, text: 'Reference of the OAuth interface' },
  };
  return Object.entries(links).flatMap(([role, link]) =>
    role !== own && roles.includes(role) ? [link] : [],
  );
}

/** Links from the front page of a listener to its own reference. */
export const ownReference: readonly Link[] = [
  { href: 'reference', text: 'Reference' },
  { href: 'openapi.json', text: 'OpenAPI document' },
];

/** The answer to `GET /`: a page for browsers, the same as JSON for everybody else. */
export async function frontAnswer(
  front: Front,
  accept: string | undefined,
): Promise<{ headers: Readonly<Record<string, string>>; body: string }> {
  const headers = {
    Vary: 'Accept',
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  };
  if (!/\btext\/html\b/i.test(accept ?? ''))
    return {
      headers: { ...headers, 'Content-Type': JSON_TYPE },
      body: `${JSON.stringify(front)}\n`,
    };
  const { frontPage } = await import('@helioport/reference/front-page');
  const page = frontPage(front);
  return {
    headers: {
      ...headers,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policyOf(page),
    },
    body: page.html,
  };
}
