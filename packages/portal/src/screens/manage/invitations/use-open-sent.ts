import { toast } from '../../../parts/toast.tsx';
import { useChange, useOperation } from '../../../wire/queries.ts';

/** Newest first, so what is open is hardly ever on a later page. */
const PAGE = 100;

export type OpenSent = ReturnType<typeof useOpenSent>;

/** What one sent about a plant and nobody has answered yet, and how it is withdrawn. There is never more than one offer. */
export function useOpenSent(plantId: string, onWithdrawn: () => void) {
  const { data } = useOperation('invitation/list', { pageNo: 1, pageSize: PAGE });
  const { mutate, error, isPending, variables } = useChange('invitation/withdraw');
  const open =
    data?.records.filter(
      (one) => one.direction === 'sent' && one.state === 'open' && one.plantId === plantId,
    ) ?? [];
  return {
    offer: open.find(({ kind }) => kind === 'owner'),
    invitations: open.filter(({ kind }) => kind !== 'owner'),
    isWithdrawing: (id: string) => isPending && variables.id === id,
    faultOf: (id: string) => (variables?.id === id ? error : null),
    withdraw(id: string, said: string): void {
      const onSuccess = (): void => {
        toast.show(said);
        onWithdrawn();
      };
      mutate({ id }, { onSuccess });
    },
  };
}
