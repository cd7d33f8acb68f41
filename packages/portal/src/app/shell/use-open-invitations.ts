import { useSession } from '../../session/session-context.ts';
import { useOperation } from '../../wire/queries.ts';

/** How many invitations, to plants and to companies, wait for the answer of the person who is signed in. */
export function useOpenInvitations(): number {
  const { session } = useSession();
  const enabled = session?.account != null && session.account.role !== 'operator';
  const { data } = useOperation('invitation/open', {}, { enabled });
  const { plants = 0, companies = 0 } = data ?? {};
  return plants + companies;
}
