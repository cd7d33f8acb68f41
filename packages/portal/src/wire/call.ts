import type { OperationIdBy, WireData, WireRequest, WriteIdBy } from '@helioport/contract';
import { errorCodes } from '@helioport/contract/error-codes';
import { CallFailure, Unreachable } from './failure.ts';
import { newKey } from './new-key.ts';
import { post } from './post.ts';
import { csrfToken, readSession } from './session.ts';
import { settle } from './settle.ts';
import { activeSupport, isReadable } from './support.ts';

/** Operations that people at the portal may call, and those of them that change something. */
export type PortalOperation = OperationIdBy<'portal'>;
export type PortalWrite = WriteIdBy<'portal'>;
export type PortalRead = Exclude<PortalOperation, PortalWrite>;

/** Operations that operators of the service may call at the console. */
export type ConsoleOperation = OperationIdBy<'console'>;
export type ConsoleWrite = WriteIdBy<'console'>;
export type ConsoleRead = Exclude<ConsoleOperation, ConsoleWrite>;

/** Asks the person to sign in again, above the page; resolves once that has happened. */
type Renew = () => Promise<void>;

let renew: Renew | undefined;

/** Says who asks people to sign in again when their session has ended. */
export function onSessionEnd(renewal: Renew): void {
  renew = renewal;
}

/**
 * Calls an operation that reads, and returns the envelope's `data`. If the session has ended, it waits until the person has signed in again and then
 * repeats the call, so that no form is lost. Throws CallFailure if the server refuses, Unreachable if it does not answer.
 */
export const call = <Id extends PortalRead>(
  operation: Id,
  request: WireRequest<Id>,
  signal?: AbortSignal,
): Promise<WireData<Id>> => callPortal(operation, request, { signal });

/**
 * Calls an operation that changes something, as `call` does. If the answer does not arrive, it finds out what came out: the answer of what was carried
 * out, or LostAnswer, which says so.
 */
export const change = <Id extends PortalWrite>(
  operation: Id,
  request: WireRequest<Id>,
): Promise<WireData<Id>> =>
  settled(operation, (idempotencyKey) => callPortal(operation, request, { idempotencyKey }));

/** Calls an operation of the console that reads; it is open to accounts with the role operator. Throws as `call` does. */
export const callConsole = <Id extends ConsoleRead>(
  operation: Id,
  request: WireRequest<Id>,
  signal?: AbortSignal,
): Promise<WireData<Id>> =>
  callAt(`/portal/console/${operation}`, request, { signal }) as Promise<WireData<Id>>;

/** Calls an operation of the console that changes something, as `change` does. */
export const changeConsole = <Id extends ConsoleWrite>(
  operation: Id,
  request: WireRequest<Id>,
): Promise<WireData<Id>> =>
  settled(
    operation,
    (idempotencyKey) =>
      callAt(`/portal/console/${operation}`, request, { idempotencyKey }) as Promise<WireData<Id>>,
  );

/** Carries a write out, and finds out what came out if the answer does not arrive. */
async function settled<T>(operation: string, attempt: (key: string) => Promise<T>): Promise<T> {
  const key = newKey();
  try {
    return await attempt(key);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    return (await settle(() => callAt('/portal/outcome', { operation, key }, {}))) as T;
  }
}

interface CallSettings {
  readonly signal?: AbortSignal | undefined;
  /** Names a write, so that it is carried out once. */
  readonly idempotencyKey?: string;
}

async function callPortal<Id extends PortalOperation>(
  operation: Id,
  request: WireRequest<Id>,
  settings: CallSettings,
): Promise<WireData<Id>> {
  const support = activeSupport();
  if (!support || OWN.test(operation))
    return (await callAt(`/portal/api/${operation}`, request, settings)) as WireData<Id>;
  if (!isReadable(operation))
    throw new CallFailure({
      code: errorCodes.noPermission,
      message: 'not open to operators who look',
      status: 200,
      data: null,
    });
  return (await callAt(`/portal/support/${operation}`, request, {
    ...settings,
    support: support.id,
  })) as WireData<Id>;
}

/** Families of operations about the own account, also while looking through an owner's eyes. */
const OWN = /^(account|factor|passkey|password|recovery|session|totp)\//;

async function callAt(
  path: string,
  request: unknown,
  settings: CallSettings & { readonly support?: string },
): Promise<unknown> {
  const attempt = () => post(path, request, csrfToken(), settings);
  try {
    return await attempt();
  } catch (error) {
    if (!mayBeSession(error)) throw error;
    const { account } = await readSession(settings.signal);
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
  (error.status === 401 || error.status === 403 || error.is('loginExpired'));
