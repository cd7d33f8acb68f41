import { setTimeout as pause } from 'node:timers/promises';
import { admitLogIn } from '../../../identity/accounts/log-in-throttle.ts';
import { logIn } from '../../../identity/accounts/log-in.ts';
import { Failure, invalidValue } from '../../../platform/kernel/failure.ts';
import { randomAlphanumeric } from '../../../platform/kernel/secrets.ts';
import { actOf } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';

const MD5 = /^[0-9a-f]{32}$/i;

/** The log-in of existing control clients. interface S29, C22 */
export function createLogIn(deps: OperationDependencies): HandlersOf<'login'> {
  const { db, clock, credentials } = deps;
  return {
    async login(caller, { email, digest }) {
      if (caller.kind !== 'user' || !caller.canControl) throw new Failure('noPermission');
      if (!MD5.test(digest))
        throw invalidValue('passWord', 'the MD5 of the password: 32 hexadecimal digits');
      if (!credentials.legacyLogin)
        throw new Failure('wrongLogin', {
          message: 'the operator of this service has turned this log-in off; no operation needs it',
        });
      const { at, address, newId } = actOf(deps, caller);
      // It counts as on the log-in page, so that a key does not help to guess passwords.
      const admitted = await admitLogIn(db, at, {
        email,
        address: address ?? '',
        browser: undefined,
      });
      if (admitted.delayMs > 0) await pause(admitted.delayMs);
      await logIn(
        db,
        { at: clock.now(), address, newId },
        { email, digest, accountId: caller.accountId },
        admitted.turn,
      );
      await admitted.succeeded();
      return { token: randomAlphanumeric(32) };
    },
  };
}
