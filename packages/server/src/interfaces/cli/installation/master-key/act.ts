import type { Act } from '../../../../identity/accounts/audit.ts';
import type { CliContext } from '../../context.ts';

/** What is done now by whoever has the shell. */
export const operatorAct = (context: CliContext): Act => ({
  at: context.clock.now(),
  actor: 'operator',
  address: null,
  newId: context.ids,
});
