import { expect, test } from 'vitest';
import { findAccount } from '../../packages/server/src/identity/accounts/accounts.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';

describeEngines('the time zone of an account', (database) => {
  const fleet = createFleet(database, settableClock('2026-06-15T12:00:00Z'));

  test('is set by its owner alone, to a zone that exists', async () => {
    const [owner, other] = [await fleet.person(), await fleet.person()];
    const caller = userCaller(owner.id, { keyId: null });
    const zones = async () =>
      Promise.all(
        [owner, other].map(async ({ id }) => (await findAccount(database().db, id))!.timeZone),
      );
    await fleet.ask('account/timeZone', caller, { timeZone: 'Asia/Kathmandu' });
    expect(await zones()).toEqual(['Asia/Kathmandu', 'UTC']);
    expect(() => fleet.ask('account/timeZone', caller, { timeZone: 'Europe/Atlantis' })).toThrow(
      'an IANA time zone',
    );
    expect(await zones()).toEqual(['Asia/Kathmandu', 'UTC']);
  });
});
