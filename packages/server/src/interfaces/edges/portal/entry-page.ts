import type { FastifyRequest } from 'fastify';
import type { PortalSession } from '@helioport/contract';

/** Pages for people who are not signed in: they have another form, or none. */
const OPEN = /^\/(?:debugger|sign-up|reset)$/;

/**
 * Whether somebody who opens a page has to sign in there first: they get the page that the build has made for that, so that they need not wait for the app.
 * What is no window is the service worker, which keeps the app's page.
 */
export const isEntry = (
  { headers }: FastifyRequest,
  path: string,
  session: PortalSession | undefined,
): boolean =>
  session?.account === null && headers['sec-fetch-dest'] === 'document' && !OPEN.test(path);

/** Parts of that page that depend on the installation (packages/portal/build/entry-form.ts). */
const PART = /<!--if (\w+)-->(.*?)<!--\/if-->/gs;
const TOKEN_PLACEHOLDER = 'TOKEN-OF-THIS-PAGE';

/** That page, with the parts that are true of this installation. */
export function entryPage(page: string, { demo, mail, signUp, csrf }: PortalSession): string {
  const shown: Readonly<Record<string, boolean>> = {
    demo,
    mail,
    signUp,
    askForAccount: mail && !signUp,
    askForPassword: !mail && signUp,
    askForBoth: !mail && !signUp,
  };
  return page
    .replace(PART, (_part, name: string, part: string) => (shown[name] ? part : ''))
    .replace(TOKEN_PLACEHOLDER, csrf);
}

/** Why somebody could not sign in with the form, for the app on the page that answers it. */
export interface EntryRefusal {
  readonly email: string;
  readonly status: number;
  readonly code: string;
  readonly data: Readonly<Record<string, unknown>> | null;
}
