import { errors, types } from 'cassandra-driver';
import type { ClusterAddress } from '../../../platform/config/cluster-address.ts';
import { SeriesAway, SeriesFault } from '../series-fault.ts';

const { responseErrorCodes: CODES } = types;

/** Answers of nodes for which the statement is to blame, or the settings of the cluster. */
const OWN: ReadonlySet<number> = new Set([
  CODES.protocolError,
  CODES.functionFailure,
  CODES.syntaxError,
  CODES.invalid,
  CODES.configError,
  CODES.alreadyExists,
]);

/** Errors of the driver for which its caller is to blame. */
const OWN_KINDS = [
  TypeError,
  RangeError,
  errors.ArgumentError,
  errors.NotSupportedError,
  errors.VIntOutOfRangeException,
] as const;

/**
 * What a request to the cluster failed with: SeriesAway if too little of the cluster answers, so that a retry may work a little later. Everything that
 * is not known to be a fault of ours counts as that: while nodes die, the driver has many errors, some of them without a code or a class.
 */
export function requestFault(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const isOwn =
    error instanceof errors.ResponseError
      ? OWN.has(error.code)
      : OWN_KINDS.some((kind) => error instanceof kind);
  return isOwn ? error : new SeriesAway(error.message, { cause: error });
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
  error instanceof SeriesAway
    ? new SeriesFault(`the Cassandra cluster does not answer reads: ${error.message}`)
    : error;
