import { useSession } from '../../session/session-context.ts';
import { useOperation } from '../../wire/queries.ts';

const LOOKED_AT = 50;

/** How many invitations wait for the answer of the person who is signed in. */
export function useOpenInvitations(): number {
  const { session } = useSession();
  const enabled = session?.account != null && session.account.role !== 'operator';
  const { data } = useOperation('invitation/list', { pageNo: 1, pageSize: LOOKED_AT }, { enabled });
  return (data?.records ?? []).filter(({ direction, state }) => direction === 'received' && state === 'open').length;
}
