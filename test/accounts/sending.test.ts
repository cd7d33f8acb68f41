import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { allowSupport } from '../../packages/server/src/identity/accounts/support.ts';
import {
  admitSending,
  paces,
  type SendingPace,
  type Sent,
} from '../../packages/server/src/identity/accounts/sending.ts';
import { operations } from '@helioport/contract';
import { addClient } from '../oauth/fixture.ts';
import { createEgress } from '../../packages/server/src/platform/egress/egress.ts';
import type { Failure } from '../../packages/server/src/platform/kernel/failure.ts';
import { createLogger } from '../../packages/server/src/platform/kernel/logger.ts';
import { insertWebhook } from '../../packages/server/src/outbound/notifications/settings/webhooks.ts';
import {
  declineCompany,
  inviteToCompany,
} from '../../packages/server/src/fleet/plants/companies/invitations.ts';
import {
  foundCompany,
  lockManaged,
} from '../../packages/server/src/fleet/plants/companies/companies.ts';
import { invite } from '../../packages/server/src/fleet/plants/invitations/invite.ts';
import { declineInvitation } from '../../packages/server/src/fleet/plants/invitations/answers.ts';
import { readSources } from '../../lint/sources.ts';
import { credentials } from '../support/credentials.ts';
import { describeEngines } from '../support/engines.ts';
import { operationsOn } from '../support/operations.ts';
import { createWorld, settableClock, userCaller } from '../support/world.ts';
import { isStorageAway } from '../../packages/server/src/platform/storage/away.ts';

/** How many succeed, and what the others are answered. */
async function attempt(
  number: number,
  work: (i: number) => Promise<unknown>,
): Promise<{ done: number; refusals: Failure[] }> {
  const outcomes = await Promise.allSettled(Array.from({ length: number }, (_, i) => work(i)));
  const refusals = outcomes.flatMap((one) =>
    one.status === 'rejected' ? [one.reason as Failure] : [],
  );
  for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'tooManyRequests' });
  return { done: number - refusals.length, refusals };
}

describeEngines('what people send to others', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const world = createWorld(database, clock);
  const { act, write } = world;

  for (const what of Object.keys(paces) as Sent[])
    test(`is paced by account and by target, however many at once: ${what}`, async () => {
      const { by, pair, to, name }: SendingPace = paces[what];
      const { db } = database();
      const admit = (sender: string, target: string) => () =>
        admitSending(db, clock.now(), what, { by: sender, to: [target] });
      // To ever others.
      const sent = await attempt(by.atOnce + 14, (i) => admit('one', `${what} ${i}`)());
      expect(sent.done).toBe(by.atOnce);
      const seconds = by.intervalMs / 1000;
      expect(sent.refusals[0]).toMatchObject({
        data: { retryAfterSeconds: seconds },
        message: `too many ${name}: try again in ${seconds} s`,
      });
      if (pair) {
        clock.at += by.intervalMs * by.atOnce;
        const tally = await attempt(pair.atOnce + 14, admit('two', `${what} of one`));
        expect(tally.done).toBe(pair.atOnce);
        // Nobody else learns of it.
        await admit('three', `${what} of one`)();
      }
      if (!to) return;
      // By ever others.
      const got = await attempt(to.atOnce + 14, (i) => admit(`sender ${i}`, `${what} target`)());
      expect(got.done).toBe(to.atOnce);
      expect(got.refusals[0]).toMatchObject({ data: { retryAfterSeconds: to.intervalMs / 1000 } });
      clock.at += Math.max(by.intervalMs, to.intervalMs);
      await admit('one', `${what} target`)();
    });

  test('one account alone never uses up what an address may get from everybody', () => {
    for (const what of ['invitation', 'notificationTest', 'destinationTest'] as const) {
      const { by, pair = by, to }: SendingPace = paces[what];
      expect([what, pair.atOnce * 3 <= to.atOnce]).toEqual([what, true]);
    }
  });

  test('addresses that are checked are few, whichever operation checks them', async () => {
    const { db } = database();
    const asked = new Map<string, number>();
    const handlers = operationsOn(db, clock, world.newId, {
      outbound: {
        egress: createEgress({
          allow: [],
          resolveName: async (name) => {
            asked.set(name, (asked.get(name) ?? 0) + 1);
            return [];
          },
        }),
        logger: createLogger('silent', isStorageAway),
      },
    });
    const { atOnce } = paces.addressCheck.by;
    const { application } = await addClient(world, {
      ownerId: (await world.person({ role: 'developer' })).id,
    });
    const client = {
      kind: 'client',
      applicationId: application.id,
      secretId: '1',
      accountId: null,
      plantIds: null,
    } as const;
    const someone = async () => userCaller((await world.person()).id);
    const [first, second, third] = [await someone(), await someone(), await someone()];
    const example = operations['push/subscribe'].example.request;
    const checks: readonly (() => Promise<unknown>)[] = [
      () => handlers['webhook/add'](first, { url: 'https://webhook.example/x' }),
      () =>
        handlers['push/subscribe'](second, {
          ...example,
          endpoint: 'https://push.example/x',
        } as never),
      () => handlers['forwarding/add'](client, { url: 'https://events.example/x' } as never),
      // Different ones count together.
      () => handlers['webhook/add'](third, { url: 'https://third.example/x' }),
      () =>
        handlers['push/subscribe'](third, {
          ...example,
          endpoint: 'https://third.example/x',
        } as never),
    ];
    await Promise.allSettled(
      checks.flatMap((check) => Array.from({ length: atOnce + 14 }, () => check())),
    );
    expect(Object.fromEntries(asked)).toEqual({
      'webhook.example': atOnce,
      'push.example': atOnce,
      'events.example': atOnce,
      'third.example': atOnce,
    });
  });

  test('the person at the command line is not counted', async () => {
    for (let i = 0; i < 20; i++)
      await admitSending(database().db, clock.now(), 'notificationTest', {
        by: null,
        to: ['same'],
      });
  });

  test('invitations to one address count when they were answered, of plants and of companies', async () => {
    const owner = await world.person();
    const invited = await world.person();
    const ownPlant = await world.plant(owner.id);
    const of =
      (fromAccountId: string, plantId = ownPlant) =>
      () =>
        write(async (trx) => {
          const id = await invite(trx, act(), {
            plantId,
            fromAccountId,
            to: { email: invited.email },
            kind: 'share',
            level: 'read',
          });
          await declineInvitation(trx, act(), id, invited);
        });
    const { atOnce } = paces.invitation.pair;
    expect((await attempt(atOnce - 14, of(owner.id))).done).toBe(atOnce - 14);
    await write((trx) => foundCompany(trx, act(), owner.id, 'Sun & Sons'));
    const toCompany = () =>
      write(async (trx) => {
        const membership = await lockManaged(trx, owner.id);
        const id = await inviteToCompany(trx, act(), membership, invited.email, 'member');
        await declineCompany(trx, act(), invited, id);
      });
    const { done, refusals } = await attempt(28, toCompany);
    expect([done, refusals.length]).toEqual([14, 14]);
    expect(refusals[0]).toMatchObject({
      data: { retryAfterSeconds: 60 },
      message: 'too many invitations: try again in 60 s',
    });
    // Another sender neither learns of it nor has to wait.
    const other = await world.person();
    await of(other.id, await world.plant(other.id))();
  });

  test('an account that lets operators look again and again has to wait', async () => {
    const { id } = await world.person();
    const { done } = await attempt(30, () => write((trx) => allowSupport(trx, act(), id)));
    expect(done).toBe(paces.support.by.atOnce);
  });

  test('tests of webhooks are few, one at a time, and hold few connections to what does not answer', async () => {
    const { db } = database();
    const sockets = new Set<Socket>();
    let connections = 0;
    const silent = createServer((socket) => {
      connections += 1;
      sockets.add(socket.on('error', () => {}));
    });
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const { id } = await world.person();
    const box = await credentials.secretBox();
    for (let i = 0; i < 5; i++)
      await write((trx) => insertWebhook(trx, act(), box, id, `http://127.0.0.1:${port}/${i}`));
    const handlers = operationsOn(db, clock, world.newId, {
      outbound: {
        egress: createEgress({ allow: ['127.0.0.0/8'] }),
        logger: createLogger('silent', isStorageAway),
      },
    });
    const running = attempt(50, () => handlers['notifications/test'](userCaller(id), {}));
    await expect.poll(() => connections).toBe(5);
    // One goes on until its connections end.
    const again = await attempt(20, () => handlers['notifications/test'](userCaller(id), {}));
    expect(again.done).toBe(0);
    expect(again.refusals[0]!.message).toBe('a test is under way: try again in 10 s');
    for (const socket of sockets) socket.destroy();
    const { done } = await running;
    expect([done, connections]).toEqual([1, 5]);
    for (const socket of sockets) socket.destroy();
    silent.close();
    // One after the other, there are few too.
    let sent = 1;
    for (let i = 0; i < 10; i++)
      await handlers['notifications/test'](userCaller(id), {}).then(
        () => (sent += 1),
        (error: unknown) => expect(error).toMatchObject({ code: 'tooManyRequests' }),
      );
    expect(sent).toBe(paces.notificationTest.by.atOnce);
  });
});

/** Everything that sends something to somebody, by file: how it is limited. */
const SENDERS: Readonly<Record<string, 'paced' | { readonly not: string }>> = {
  'identity/accounts/mail-tokens/answer.ts': {
    not: 'by mail-tokens/tokens.ts: three an hour per address',
  },
  'identity/accounts/mail-tokens/send-reset-link.ts': {
    not: 'by its caller: answer.ts, and operations/accounts/users.ts, which is paced',
  },
  'data-rights/closing/close.ts': { not: 'once, when an account is closed' },
  'data-rights/closing/end-shares.ts': { not: 'once, when an account is closed' },
  'outbound/forwarding/destinations/test-destination.ts': {
    not: 'by operations/forwarding.ts, which is paced',
  },
  'outbound/forwarding/dispatcher/attempts.ts': { not: 'events are delivered as they happen' },
  'outbound/forwarding/dispatcher/served.ts': { not: 'events are delivered as they happen' },
  'outbound/notifications/ended-access.ts': { not: 'one a day, for all that has ended' },
  'outbound/notifications/messages/deliver.ts': { not: 'alarms are announced as they happen' },
  'outbound/notifications/messages/plan.ts': { not: 'alarms are announced as they happen' },
  'outbound/notifications/messages/test-message.ts': 'paced',
  'outbound/notifications/settings/regular.ts': {
    not: 'once a week, or changes of hours together, in one letter',
  },
  'outbound/sinks/traced-sink.ts': { not: 'passes on what its caller sends' },
  'compose/worker.ts': { not: 'events are delivered as they happen' },
  'fleet/plants/companies/invitations.ts': 'paced',
  'fleet/plants/invitations/invite.ts': 'paced',
  'identity/accounts/support.ts': 'paced',
  'interfaces/operations/accounts/users.ts': 'paced',
  'interfaces/operations/forwarding.ts': 'paced',
};

test('whatever sends something to somebody is paced, or on a list that says what limits it', () => {
  const SENDS =
    /outbox\??\s*\.post\(|openSink\(|postNotification\(|sendPush\(|sink\.send\(|sendResetLink\(|testDestination\(|insertInto\('(invitation|companyInvitation|supportPermission)'/;
  const SERVER = 'packages/server/src/';
  const senders = [...readSources('packages/server/src/**/*.ts')].flatMap(([path, text]) =>
    SENDS.test(text) ? [[path.slice(SERVER.length), text] as const] : [],
  );
  const own = ['outbound/notifications/outlets/push.ts'];
  expect(senders.map(([path]) => path).filter((path) => !own.includes(path))).toEqual(
    Object.keys(SENDERS).toSorted(),
  );
  for (const [path, text] of senders)
    expect([path, text.includes('admitSending(')]).toEqual([path, SENDERS[path] === 'paced']);
});
