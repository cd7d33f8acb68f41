import { errors } from '@helioport/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import { findApplicationOfToken, findLivingToken } from '../../../identity/oauth/bearer.ts';
import type { RefusedRequests } from '../../../identity/oauth/developers/refused-requests.ts';
import { readAccessToken } from '../../../identity/oauth/tokens.ts';
import type { UseCounts } from '../../../identity/oauth/uses/count-uses.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { parseJsonObject } from '../http/json.ts';
import type { Admission, AnyOperation } from '../http/mount.ts';
import type { RateLimit } from '../http/rate-limit.ts';

const REALM = 'Bearer realm="Helioport"';

/** Why a Bearer request was refused, as stated in WWW-Authenticate. RFC 6750 3.1 */
export type BearerError = {
  readonly error?: 'invalid_request' | 'invalid_token' | 'insufficient_scope';
  readonly scope?: string;
};

/** A refusal with its WWW-Authenticate header. */
export class BearerFailure extends Failure {
  readonly bearerError: BearerError;
  constructor(
    code: 'notAuthenticated' | 'malformedRequest' | 'scopeMissing',
    message: string,
    bearerError: BearerError,
  ) {
    super(code, { message });
    this.bearerError = bearerError;
  }
}

export const wwwAuthenticateOf = ({ error, scope }: BearerError): string =>
  [REALM, ...(error ? [`error="${error}"`] : []), ...(scope ? [`scope="${scope}"`] : [])].join(
    ', ',
  );

/** Refuses, before the body is read, a token in the query and more than one Authorization header. interface O67 */
export function screen(request: FastifyRequest): void {
  if (/[?&]access_token=/.test(request.raw.url!))
    throw malformed('the token belongs in the Authorization header, not in the query');
  if ((request.raw.headersDistinct['authorization']?.length ?? 0) > 1)
    throw malformed('send one Authorization header');
}

// The text is searched for first, so that bodies without it are not parsed twice.
const carriesToken = (body: Buffer | undefined): boolean =>
  body?.includes('access_token') === true && Object.hasOwn(parseJsonObject(body), 'access_token');

const malformed = (message: string): BearerFailure =>
  new BearerFailure('malformedRequest', message, { error: 'invalid_request' });

export interface AdmissionDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly rateLimit: RateLimit;
  readonly refusedRequests: RefusedRequests;
  readonly uses: Pick<UseCounts, 'request'>;
}

/** Identifies the caller, an application with an owner's grant; both are read from the database on each request. */
export const admitBearer =
  ({ db, clock, rateLimit, refusedRequests, uses }: AdmissionDeps) =>
  async (
    request: FastifyRequest,
    reply: FastifyReply,
    operation: AnyOperation,
  ): Promise<Admission> => {
    const { headers, body } = request;
    const header = headers.authorization;
    // Only Bearer counts: a signature has no effect here. interface O68, O70
    if (header === undefined || !/^bearer(?: |$)/i.test(header))
      throw new BearerFailure('notAuthenticated', 'send Authorization: Bearer <ACCESS_TOKEN>', {});
    const [, text] = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(header) ?? [];
    if (text === undefined)
      throw malformed('Authorization must read Bearer <ACCESS_TOKEN>, with a single token');
    const token = readAccessToken(text);
    const living =
      token?.kind === 'access' ? await findLivingToken(db, clock.now(), token) : undefined;
    const applicationId =
      living?.caller.applicationId ?? (token && (await findApplicationOfToken(db, token)));
    if (applicationId !== undefined) refusedRequests.sentBy(request, applicationId);
    if (!living)
      throw new BearerFailure(
        'notAuthenticated',
        'the access token has expired, was revoked or is unknown: refresh it',
        { error: 'invalid_token' },
      );
    const { caller } = living;
    // Counted by authorization, not by token: a refresh does not reset the limit, and one owner's use does not count against another's.
    await rateLimit.count(reply, caller.grantId, operation.id);
    if (carriesToken(body as Buffer | undefined))
      throw malformed('the token belongs in the Authorization header, not in the body');
    if (operation.scope !== undefined && !caller.scopes.includes(operation.scope))
      throw new BearerFailure('scopeMissing', errors.scopeMissing.message, {
        error: 'insufficient_scope',
        scope: operation.scope,
      });
    uses.request(caller, operation.write);
    return { caller };
  };
