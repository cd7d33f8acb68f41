import type { FastifyRequest } from 'fastify';
import { isActive } from '../../../identity/oauth/applications.ts';
import {
  authenticateApplication,
  type AuthenticatedApplication,
} from '../../../identity/oauth/client-secrets.ts';
import { OauthRefusal } from '../../../identity/oauth/refusal.ts';
import type { AuthorizationDeps } from './deps.ts';
import { percentDecoded, readForm, type Form } from './form.ts';

// Form bodies are read as UTF-8, so no other charset may be declared. interface O32
const FORM_MEDIA =
  /^application\/x-www-form-urlencoded[ \t]*(;[ \t]*charset=(utf-8|"utf-8")[ \t]*)?$/i;

const NEVER_IN_QUERY = [
  'client_id',
  'client_secret',
  'grant_type',
  'code',
  'refresh_token',
  'token',
  'access_token',
];

/** The body of a token, revocation or introspection request. RFC 6749 3.2 */
export function readRequestForm(request: FastifyRequest, names: readonly string[]): Form {
  // interface O26
  const query = readForm(request.raw.url!.split('?').slice(1).join('?'));
  if (NEVER_IN_QUERY.some((name) => query.has(name))) throw new OauthRefusal('credentialsInQuery');
  // interface O32
  if (!FORM_MEDIA.test(request.headers['content-type'] ?? '')) throw new OauthRefusal('notForm');
  const form = readForm(
    ((request.body as Buffer | undefined) ?? Buffer.alloc(0)).toString('latin1'),
  );
  if (!form.readable) throw new OauthRefusal('bodyUnreadable');
  // Checked before the code is touched. interface O25
  if (form.has('client_id') || form.has('client_secret'))
    throw new OauthRefusal('credentialsInBody');
  // interface O33
  if (form.repeats(names)) throw new OauthRefusal('parameterRepeated');
  return form;
}

/** The application that authenticates with HTTP Basic. interface O25 */
export async function authenticateClient(
  request: FastifyRequest,
  deps: AuthorizationDeps,
): Promise<AuthenticatedApplication> {
  const { db, clock, failedClients } = deps;
  if (
    request.raw.headersDistinct['authorization']?.length !== 1 &&
    request.headers.authorization !== undefined
  )
    throw new OauthRefusal('credentialsRepeated');
  const credentials = basicCredentials(request.headers.authorization);
  if (!credentials) throw new OauthRefusal('clientNotAuthenticated');
  const application = await authenticateApplication(
    db,
    clock.now(),
    credentials.id,
    credentials.secret,
  );
  if (!application) {
    // Only failures count, and only against the address that they come from: nobody can lock an application out. interface O31
    const retryAfterSeconds = await failedClients.count(request.ip, '');
    if (retryAfterSeconds > 0) throw new OauthRefusal('clientThrottled', { retryAfterSeconds });
    throw new OauthRefusal('clientRefused');
  }
  // interface O30
  if (!isActive(application)) throw new OauthRefusal('clientNotApproved');
  return application;
}

/** interface O28. Ids and secrets are letters and digits, so it does not matter whether they are form-encoded. RFC 6749 2.3.1 */
function basicCredentials(header: string | undefined): { id: string; secret: string } | undefined {
  const [, encoded = ''] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header ?? '') ?? [];
  const text = Buffer.from(encoded, 'base64').toString('latin1');
  const colon = text.indexOf(':');
  if (colon < 1) return undefined;
  const [id, secret] = [
    percentDecoded(text.slice(0, colon)),
    percentDecoded(text.slice(colon + 1)),
  ];
  return /^[\x21-\x7e]+$/.test(id) && /^[\x21-\x7e]+$/.test(secret) ? { id, secret } : undefined;
}
