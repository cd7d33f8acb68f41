import type { Failure } from '../../../platform/kernel/failure.ts';
import type { Logger } from '../../../platform/kernel/logger.ts';
import type { RefusalCounts } from '../refusal-counts.ts';

interface Request {
  readonly id: string;
}

/** Remembers which application sends a request, so that its developer can read what it was refused. */
export interface RefusedRequests {
  sentBy(request: Request, applicationId: string): void;
  /** Records the refusal of a request if its application is known. The answer does not wait for it. */
  refused(request: Request, { code }: Pick<Failure, 'code'>, path: string): void;
}

export function createRefusedRequests(
  refusalCounts: RefusalCounts,
  logger: Logger,
): RefusedRequests {
  const senders = new WeakMap<Request, string>();
  return {
    sentBy: (request, applicationId) => void senders.set(request, applicationId),
    refused(request, { code: reason }, path) {
      const applicationId = senders.get(request);
      // What the service could not do now, it cannot write down either.
      if (applicationId === undefined || reason === 'unavailable') return;
      refusalCounts
        .count({ applicationId, endpoint: path, reason, requestId: request.id })
        .catch((error: Error) =>
          logger.debug({ reason: error.message }, 'a refusal could not be recorded'),
        );
    },
  };
}
