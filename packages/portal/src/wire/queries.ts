import { MINUTE_MS } from '@helioport/contract/durations';
import type { WireData, WireRequest } from '@helioport/contract';
import {
  keepPreviousData,
  QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { call, change, type PortalRead, type PortalWrite } from './call.ts';
import { CallFailure, LostAnswer, Unreachable } from './failure.ts';
import { keep, keptAnswer } from './kept-answers.ts';
import { browserTimeOf, serverNow } from './server-clock.ts';

const STALE_MS = 30_000;

/** Refusals are final; what the network loses is asked for again by the shell once the server answers. */
const retry = (failures: number, error: unknown): boolean =>
  !(error instanceof CallFailure) && !(error instanceof Unreachable) && failures < 2;

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      // Live updates say when something has changed; the rest is for what they do not cover.
      queries: {
        staleTime: STALE_MS,
        gcTime: 10 * MINUTE_MS,
        retry,
        refetchInterval: 5 * MINUTE_MS,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });

interface QuerySettings {
  readonly enabled?: boolean;
  /** Whether the previous answer is shown until that to another request has arrived: pages of a list, days of a chart. */
  readonly keepPrevious?: boolean;
  /** How often it is asked for again without a live update, for what people watch. */
  readonly refreshMs?: number;
  /** Whether the answer is kept on this device, and shown until there is another. */
  readonly kept?: boolean;
  /** Whether it is asked for again whenever a screen with it is opened, however young the answer is: for what live updates do not tell of. */
  readonly fresh?: boolean;
}

/** The answer of an operation that reads; asked for again when live updates say that it has changed. */
export const useOperation = <Id extends PortalRead>(
  operation: Id,
  request: WireRequest<Id>,
  {
    enabled = true,
    keepPrevious = false,
    kept = false,
    fresh = false,
    refreshMs,
  }: QuerySettings = {},
): UseQueryResult<WireData<Id>> =>
  useQuery<WireData<Id>>({
    queryKey: [operation, request],
    queryFn: async ({ signal }) => {
      const data = await call(operation, request, signal);
      if (kept) keep(operation, request, data);
      return data;
    },
    enabled,
    ...(kept && {
      initialData: () => keptAnswer(operation, request)?.data as WireData<Id> | undefined,
      initialDataUpdatedAt: () => keptAt(keptAnswer(operation, request)?.at),
    }),
    ...(keepPrevious && { placeholderData: keepPreviousData }),
    ...(fresh && { staleTime: 0 }),
    ...(refreshMs !== undefined && { refetchInterval: refreshMs }),
  });

/** An operation that changes nothing that is shown, but is asked for by hand: a test, a reading of a device. */
export const useQuestion = <Id extends PortalRead>(
  operation: Id,
): UseMutationResult<WireData<Id>, Error, WireRequest<Id>> =>
  useMutation({ mutationFn: (request: WireRequest<Id>) => call(operation, request) });

/** A write that was carried out has changed what is shown, although its answer is unknown. */
export const askAgainAfter = (client: QueryClient, error: unknown): Promise<void> | undefined =>
  error instanceof LostAnswer ? client.invalidateQueries() : undefined;

/** When an answer was kept, by the browser's clock, which ages are measured by. It is never fresh: the clock may have been set since. */
const keptAt = (at: number | undefined): number | undefined =>
  at && browserTimeOf(Math.min(at, serverNow() - STALE_MS));

/** An operation that changes something. Afterwards everything that is shown is asked for again: what a change touches is known to the server alone. */
export function useChange<Id extends PortalWrite>(
  operation: Id,
): UseMutationResult<WireData<Id>, Error, WireRequest<Id>> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (request: WireRequest<Id>) => change(operation, request),
    onSuccess: () => client.invalidateQueries(),
    onError: (error) => askAgainAfter(client, error),
  });
}
