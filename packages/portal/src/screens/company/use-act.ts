import type { WireRequest } from '@helioport/contract';
import { toast } from '../../parts/toast.tsx';
import { CallFailure } from '../../wire/failure.ts';
import type { PortalWrite } from '../../wire/call.ts';
import { useChange } from '../../wire/queries.ts';
import { texts } from './texts/index.ts';

/** A change that says what became of it; `carryOut` calls `done` once it is made. */
export function useAct<Id extends PortalWrite>(operation: Id) {
  const t = texts.useTexts();
  const change = useChange(operation);
  return {
    busy: change.isPending,
    carryOut: (request: WireRequest<Id>, said?: string, done?: () => void): void =>
      change.mutate(request, {
        onSuccess: () => {
          if (said !== undefined) toast.show(said);
          done?.();
        },
        onError: (error) => {
          const expected = error instanceof CallFailure ? error.data['expected'] : undefined;
          toast.fault(typeof expected === 'string' ? t.refused(expected) : error.message);
        },
      }),
  };
}
