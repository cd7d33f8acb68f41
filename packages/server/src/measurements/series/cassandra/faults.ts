import { errors, types } from 'cassandra-driver';
import type { ClusterAddress } from '../../../platform/config/cluster-address.ts';
import { SeriesFault } from '../series-fault.ts';

const { responseErrorCodes: CODES } = types;

/** What nodes answer when they, or too many others, are gone, slow or overloaded. */
const AWAY: ReadonlySet<number> = new Set([
  CODES.unavailableException,
  CODES.overloaded,
  CODES.isBootstrapping,
  CODES.truncateError,
  CODES.writeTimeout,
  CODES.readTimeout,
  CODES.readFailure,
  CODES.writeFailure,
  CODES.serverError,
]);

/** Whether a call failed because too little of the cluster answers, so that a retry may work a little later. */
export function isClusterAway(error: unknown): boolean {
  if (error instanceof errors.ResponseError) return AWAY.has(error.code);
  // A connection that broke while a request was under way is a plain error with a mark.
  if (error instanceof Error && 'isSocketError' in error && error.isSocketError === true)
    return true;
  return (
    error instanceof errors.NoHostAvailableError ||
    error instanceof errors.OperationTimedOutError ||
    error instanceof errors.BusyConnectionError
  );
}

/** Why no connection could be made, for the person who runs the server. */
export function connectFault(
  error: unknown,
  { hosts, port, user, dataCenter }: ClusterAddress,
): SeriesFault {
  const reasons =
    error instanceof errors.NoHostAvailableError
      ? Object.values(error.innerErrors as Record<string, unknown>)
      : [error];
  const of = (test: (reason: Error) => boolean): Error | undefined =>
    reasons.find((reason): reason is Error => reason instanceof Error && test(reason));
  if (of((reason) => reason instanceof errors.AuthenticationError))
    return new SeriesFault(
      user
        ? `the Cassandra cluster refuses the user ${user.name}: wrong name or password`
        : 'the Cassandra cluster asks for a user and a password',
    );
  const certificate = of((reason) =>
    /certificate|self.signed|altname|SSL|TLS/i.test(
      `${(reason as { code?: string }).code ?? ''} ${reason.message}`,
    ),
  );
  if (certificate)
    return new SeriesFault(
      `the certificate of the Cassandra cluster is not trusted: ${certificate.message}`,
    );
  if (of(({ message }) => /localDataCenter/.test(message)))
    return new SeriesFault(`the Cassandra cluster has no data center ${dataCenter}`);
  const text = String(error instanceof Error ? error.message : error);
  const first = reasons.find((reason) => reason instanceof Error);
  return new SeriesFault(
    `no node of the Cassandra cluster answers at ${hosts.join(', ')} (port ${port}): ${first instanceof Error ? first.message : text}`,
  );
}

/** An error of a first read, as a fault if the cluster does not answer reads; others as they are. */
export const readFault = (error: unknown): unknown =>
  isClusterAway(error)
    ? new SeriesFault(`the Cassandra cluster does not answer reads: ${(error as Error).message}`)
    : error;
