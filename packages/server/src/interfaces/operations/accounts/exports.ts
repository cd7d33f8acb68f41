import type { ExportRecord } from '@helioport/contract';
import type { Caller } from '../../../identity/accounts/caller.ts';
import {
  beginExport,
  cancelExport,
  listExports,
  type AccountExport,
} from '../../../data-rights/exports/rows.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { ownAccount } from '../rights/accounts.ts';

const shown = ({
  id,
  format,
  state,
  progress,
  bytes,
  createdAt,
  readyAt,
  expiresAt,
}: AccountExport): ExportRecord => ({
  id,
  format,
  state: state === 'ready' ? 'ready' : 'underway',
  progress,
  bytes,
  createdAt,
  readyAt,
  expiresAt,
});

/** Everything that an account has, to take along. Only for a person who is signed in. */
export function createExportOperations(
  deps: OperationDependencies,
): HandlersOf<`export/${'start' | 'list' | 'cancel'}`> {
  return {
    'export/start': async (caller, { format = 'csv' }, once) =>
      change(deps, caller, once, ownAccount, async (trx, act, { id }) =>
        shown(await beginExport(trx, act, id, format)),
      ),

    async 'export/list'(caller) {
      const now = deps.clock.now();
      const kept = (await listExports(deps.db, ownerOf(caller))).filter(
        ({ expiresAt }) => expiresAt === null || expiresAt > now,
      );
      return kept.map(shown);
    },

    'export/cancel': async (caller, { id }, once) =>
      change(deps, caller, once, ownAccount, (trx, act, account) =>
        cancelExport(trx, act, account.id, id),
      ),
  };
}

function ownerOf({ kind, accountId }: Caller): string {
  if (kind !== 'user' || accountId === null) throw new Failure('noPermission');
  return accountId;
}
