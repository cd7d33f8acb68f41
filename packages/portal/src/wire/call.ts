import type { OperationIdBy, WireData, WireRequest } from '@helioport/contract';
import { CallFailure } from './failure.ts';
import { post } from './post.ts';
import { csrfToken, readSession } from './session.ts';
import { activeSupport, isReadable } from './support.ts';

/** Operations that people at the portal may call. */
export type PortalOperation = OperationIdBy<'portal'>;

/** Operations that operators of the service may call at the console. */
export type ConsoleOperation = OperationIdBy<'console'>;

/** Asks the person to sign in again, above the page; resolves once that has happened. */
type Renew = () => Promise<void>;

let renew: Renew | undefined;

/** Says who asks people to sign in again when their session has ended. */
export function onSessionEnd(renewal: Renew): void {
  renew = renewal;
}

/**
 * Calls an operation, and returns the envelope's `data`. If the session has ended, it waits until the person has signed in again and then repeats the call,
 * so that no form is lost. Throws CallFailure if the server refuses, Unreachable if it does not answer.
 */
export async function call<Id extends PortalOperation>(
  operation: Id,
  request: WireRequest<Id>,
  signal?: AbortSignal,
): Promise<WireData<Id>> {
  const support = activeSupport();
  if (!support || OWN.test(operation))
    return (await callAt(`/portal/api/${operation}`, request, { signal })) as WireData<Id>;
  if (!isReadable(operation))
    throw new CallFailure({
      code: 'R0000',
      message: 'not open to operators who look',
      status: 200,
      data: null,
    });
  return (await callAt(`/portal/support/${operation}`, request, {
    signal,
    support: support.id,
  })) as WireData<Id>;
}

/** Families of operations about the own account, also while looking through an owner's eyes. */
const OWN = /^(account|factor|passkey|password|recovery|session|totp)\//;

/** Calls an operation of the console, which is open to accounts with the role operator. Throws as `call` does. */
export const callConsole = <Id extends ConsoleOperation>(
  operation: Id,
  request: WireRequest<Id>,
  signal?: AbortSignal,
): Promise<WireData<Id>> =>
  callAt(`/portal/console/${operation}`, request, { signal }) as Promise<WireData<Id>>;

async function callAt(
  path: string,
  request: unknown,
  { signal, support }: { signal?: AbortSignal | undefined; support?: string },
): Promise<unknown> {
  const idempotencyKey = newKey();
  const attempt = () =>
    post(path, request, csrfToken(), {
      signal,
      idempotencyKey,
      ...(support !== undefined && { support }),
    });
  try {
    return await attempt();
  } catch (error) {
    if (!mayBeSession(error)) throw error;
    const { account } = await readSession(signal);
    // A 403 with a session that goes on: its token was another tab's, or the refusal is about the call itself.
    if (account === null) {
      if (!renew) throw error;
      await renew();
    }
    return attempt();
  }
}

const mayBeSession = (error: unknown): boolean =>
  error instanceof CallFailure &&
  (error.status === 401 || error.status === 403 || error.code === 'Z0001');

/** A name that no other request has. (`randomUUID` exists only on pages that came over TLS or from this machine.) */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
