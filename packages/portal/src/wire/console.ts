import type { WireData, WireRequest } from '@helioport/contract';
import {
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { callConsole, changeConsole, type ConsoleRead, type ConsoleWrite } from './call.ts';
import { askAgainAfter } from './queries.ts';

/** The answer of an operation of the console that reads. The former one is shown until that to another request has arrived. */
export const useConsole = <Id extends ConsoleRead>(
  operation: Id,
  request: WireRequest<Id>,
  { refreshMs, enabled = true }: { readonly refreshMs?: number; readonly enabled?: boolean } = {},
): UseQueryResult<WireData<Id>> =>
  useQuery<WireData<Id>>({
    queryKey: ['console', operation, request],
    queryFn: ({ signal }) => callConsole(operation, request, signal),
    enabled,
    placeholderData: keepPreviousData,
    ...(refreshMs !== undefined && { refetchInterval: refreshMs }),
  });

/** An operation of the console that changes something; afterwards everything that is shown is asked for again. */
export function useConsoleChange<Id extends ConsoleWrite>(
  operation: Id,
): UseMutationResult<WireData<Id>, Error, WireRequest<Id>> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (request: WireRequest<Id>) => changeConsole(operation, request),
    onSuccess: () => client.invalidateQueries(),
    onError: (error) => askAgainAfter(client, error),
  });
}
