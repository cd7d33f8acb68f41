import {
  changePassword,
  changeRole,
  getAccountByEmail,
  insertAccount,
  listAccounts,
  setLanguage,
  setTimeZone,
  type Account,
} from '../../../identity/accounts/accounts.ts';
import {
  listAudit,
  listOwnDeeds,
  recordAudit,
  type Act,
} from '../../../identity/accounts/audit.ts';
import type { Caller } from '../../../identity/accounts/caller.ts';
import { resetFactors } from '../../../identity/accounts/factors/factors.ts';
import { admitSending } from '../../../identity/accounts/sending.ts';
import { sendResetLink } from '../../../identity/accounts/mail-tokens/send-reset-link.ts';
import type { Once } from '../../../identity/accounts/once.ts';
import { checkPassword, makeVerifiers, noPassword } from '../../../identity/accounts/passwords.ts';
import { getNamedAccount, oneSubjectOf } from '../../../identity/accounts/subject.ts';
import { Failure, refusedNow } from '../../../platform/kernel/failure.ts';
import { randomAlphanumeric } from '../../../platform/kernel/secrets.ts';
import { endAllAccess } from '../../../control/commands/all-access.ts';
import { disableOwner, enableOwner, requireNoPlants } from '../../../fleet/plants/owners.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { proveIdentity } from './proven.ts';
import { operators, operatorsAlone, ownAccount } from '../rights/accounts.ts';

type UserOperation =
  | `user/${'add' | 'list' | 'disable' | 'enable' | 'role' | 'resetLink' | 'password' | 'resetFactors' | 'events'}`
  | 'password/change'
  | 'account/language'
  | 'account/timeZone';

const GENERATED_PASSWORD_LENGTH = 20;
const EVENTS_SHOWN = 100;

const named = ({ id, email }: Account): { id: string; email: string } => ({ id, email });

/** Creates and disables users, and sets their passwords. */
export function createUserOperations(deps: OperationDependencies): HandlersOf<UserOperation> {
  const { db, credentials } = deps;

  const ofUser =
    (carryOut: (trx: Db, act: Act, accountId: string) => Promise<void>, right = operators) =>
    (caller: Caller, { email }: { readonly email: string }, once?: Once) =>
      change(deps, caller, once, right, async (trx, act) => {
        const account = await getNamedAccount(trx, caller, email);
        await carryOut(trx, act, account.id);
        return named(account);
      });

  return {
    async 'user/add'(
      caller,
      {
        password,
        withoutPassword = false,
        role = 'owner',
        timeZone = credentials.defaultTimeZone,
        email,
        name,
      },
      once,
    ) {
      const chosen = password ?? randomAlphanumeric(GENERATED_PASSWORD_LENGTH);
      const verifiers = withoutPassword
        ? noPassword(credentials.legacyLogin)
        : await makeVerifiers(chosen, credentials.legacyLogin);
      const account = await change(deps, caller, once, operators, (trx, act) =>
        insertAccount(trx, act, {
          email,
          role,
          timeZone,
          ...(name !== undefined && { name }),
          ...verifiers,
        }),
      );
      const isGenerated = password === undefined && !withoutPassword;
      return { ...named(account), role, ...(isGenerated && { password: chosen }) };
    },

    'user/list': () => listAccounts(db),
    'user/disable': ofUser(disableOwner, operatorsAlone),
    'user/enable': ofUser(enableOwner, operatorsAlone),
    'user/resetFactors': ofUser(resetFactors),

    'user/resetLink': (caller, { email }, once) => {
      const { outbox, portalUrl } = deps.notifications;
      if (outbox === null)
        throw new Failure('noPermission', {
          message:
            'this installation sends no e-mails: a password is set with `helioport user password`',
        });
      return change(deps, caller, once, operators, async (trx, act) => {
        const account = await getNamedAccount(trx, caller, email);
        if (account.disabledAt !== null)
          throw refusedNow('email', 'an account that is not disabled');
        // At once, without the allowance of e-mails: strangers may have used it up.
        const by = caller.kind === 'console' ? caller.operatorId : null;
        await admitSending(trx, act.at, 'resetLink', { by, to: [account.email] });
        await sendResetLink(trx, act.at, { outbox, portalUrl }, account, 'en');
        await recordAudit(trx, act, { kind: 'account.resetLinkSent', accountId: account.id });
        return named(account);
      });
    },

    'user/role': (caller, { email, role }, once) =>
      change(deps, caller, once, operatorsAlone, async (trx, act) => {
        const account = await getAccountByEmail(trx, email);
        if (role === 'operator') {
          await requireNoPlants(trx, account.id);
          await endAllAccess(trx, act, account.id);
        }
        await changeRole(trx, act, account, role);
        return { ...named(account), role };
      }),

    async 'user/password'(caller, { email, password, endAllAccess: endAll = false }, once) {
      await getAccountByEmail(db, email);
      const chosen = password ?? randomAlphanumeric(GENERATED_PASSWORD_LENGTH);
      const verifiers = await makeVerifiers(chosen, credentials.legacyLogin);
      const account = await change(deps, caller, once, operators, async (trx, act) => {
        const found = await getAccountByEmail(trx, email);
        await changePassword(trx, act, found.id, verifiers);
        if (endAll) await endAllAccess(trx, act, found.id);
        return found;
      });
      return { ...named(account), ...(password === undefined && { password: chosen }) };
    },

    async 'password/change'(
      caller,
      { password, secondFactor, newPassword, endAllAccess: endAll = false },
      once,
    ) {
      // Before a code is used up.
      await checkPassword(newPassword);
      const proven = await proveIdentity(
        deps,
        caller,
        { password, secondFactor },
        'password/change',
      );
      const verifiers = await makeVerifiers(newPassword, credentials.legacyLogin);
      const { account } = proven;
      return proven.change(once, async (trx, act) => {
        await changePassword(trx, act, account.id, verifiers);
        if (endAll) await endAllAccess(trx, act, account.id);
        return named(account);
      });
    },

    async 'account/language'(caller, { language }, once) {
      if (caller.kind !== 'user') throw new Failure('noPermission');
      return change(
        deps,
        caller,
        once,
        ownAccount,
        async (trx, _, { id }) => void (await setLanguage(trx, id, language)),
      );
    },
    async 'account/timeZone'(caller, { timeZone }, once) {
      if (caller.kind !== 'user') throw new Failure('noPermission');
      return change(
        deps,
        caller,
        once,
        ownAccount,
        async (trx, _, { id }) => void (await setTimeZone(trx, id, timeZone)),
      );
    },

    async 'user/events'(caller, { email, limit = EVENTS_SHOWN, before }) {
      const id = await oneSubjectOf(db, caller, email);
      const events = await listAudit(db, id, { limit, ...(before !== undefined && { before }) });
      if (caller.kind !== 'user') return events;
      // Where others were when they did something is theirs.
      const own = await listOwnDeeds(db, id, events);
      return events.map((event) => (own.has(event.id) ? event : { ...event, address: null }));
    },
  };
}
