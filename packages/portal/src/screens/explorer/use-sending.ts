import type { ExplorerOperation } from '@helioport/contract';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { call, change, type PortalRead, type PortalWrite } from '../../wire/call.ts';
import { CallFailure } from '../../wire/failure.ts';

/** An answer's envelope, and how long it took. */
export interface Answered {
  readonly envelope: {
    readonly success: boolean;
    readonly code: string;
    readonly msg: string;
    readonly data: unknown;
  };
  readonly tookMs: number;
}

/** Sends a request through the session. A refusal is an answer too. */
export function useSending(
  operation: ExplorerOperation,
): UseMutationResult<Answered, Error, Readonly<Record<string, unknown>>> {
  const client = useQueryClient();
  return useMutation({
    async mutationFn(body) {
      const from = performance.now();
      const sent: Promise<unknown> = operation.write
        ? change(operation.id as PortalWrite, body as never)
        : call(operation.id as PortalRead, body as never);
      const envelope = await sent.then(
        (data: unknown) => ({ success: true, code: '0', msg: 'success', data }),
        (error: unknown) => {
          if (!(error instanceof CallFailure)) throw error;
          return { success: false, code: error.code, msg: error.message, data: error.data };
        },
      );
      return { envelope, tookMs: performance.now() - from };
    },
    onSuccess: () => (operation.write ? client.invalidateQueries() : undefined),
  });
}
