import { expect, test } from 'vitest';
import type { Account } from '../../packages/server/src/identity/accounts/accounts.ts';
import { removeClosed } from '../../packages/server/src/data-rights/closing/remove.ts';
import { createClosing } from '../../packages/server/src/data-rights/closing/run.ts';
import { CLOSING } from '../../packages/server/src/data-rights/closing/step.ts';
import { createOutbox } from '../../packages/server/src/identity/mail/outbox.ts';
import type { Operations } from '../../packages/server/src/interfaces/operations/index.ts';
import { foundCompany } from '../../packages/server/src/fleet/plants/companies/companies.ts';
import { joinCompany } from '../../packages/server/src/fleet/plants/companies/members.ts';
import { shareWithCompany } from '../../packages/server/src/fleet/plants/companies/plants.ts';
import { countMiscounts, recount } from '../../packages/server/src/fleet/plants/fleet/recount.ts';
import { invite } from '../../packages/server/src/fleet/plants/invitations/invite.ts';
import { lockPlant } from '../../packages/server/src/fleet/plants/lock.ts';
import { endShare, sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { armTasks } from '../../packages/server/src/platform/work/arm.ts';
import { createRunner } from '../../packages/server/src/platform/work/runner.ts';
import { sources } from '../accounts/factors/fixture.ts';
import { createMailScene } from '../accounts/mail-tokens/fixture.ts';
import { createFleet } from '../operations/fleet.ts';
import { effort } from '../support/effort.ts';
import { describeEngines } from '../support/engines.ts';
import { operationsOn } from '../support/operations.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { createKilledSteps } from './killed-steps.ts';

const OPERATOR = { kind: 'operator', accountId: null, plantIds: null } as const;
const DAY = 86_400_000;
const PLANTS = effort(120, 10_000);
/** No step ends more shares or plants than that. */
const ENDED_AT_MOST = 50;

describeEngines('an account that ends in steps', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const fleet = createFleet(database, clock);
  const db = () => database().db;
  const { letters } = createMailScene(database, fleet);
  const outbox = createOutbox({ ids: fleet.newId, secretBox: sources.secretBox });
  const steps = createKilledSteps(database, { clock, ids: fleet.newId, outbox });
  const operations = (on: Db = db()): Operations =>
    operationsOn(on, clock, fleet.newId, {
      notifications: { outbox, portalUrl: 'https://portal.example.org' },
      closedRetention: 14,
    });
  const close = ({ email }: Account, on?: Db) => operations(on)['user/close'](OPERATOR, { email });
  const reopen = ({ email }: Account) => operations()['user/reopen'](OPERATOR, { email });
  const share = (plantId: string, { email }: Account) =>
    fleet.write((trx) => sharePlant(trx, fleet.act(), plantId, email, 'read'));
  const codeOf = (asked: Promise<unknown>): Promise<string> =>
    asked.then(
      () => 'done',
      ({ code, message }: Error & { code?: string }) => code ?? message,
    );
  const seen = async ({ id }: Account): Promise<number> =>
    (
      (await operations().userStationList(userCaller(id), {
        pageNo: 1,
        pageSize: 100,
      } as never)) as { page: { total: number } }
    ).page.total;
  const sharesOf = async ({ id }: Account) =>
    (
      await db()
        .selectFrom('plantAccess as s')
        .innerJoin('plant as p', 'p.id', 's.plantId')
        .select('s.plantId')
        .where('s.level', '!=', 'owner')
        .where((eb) => eb.or([eb('p.ownerId', '=', id), eb('s.accountId', '=', id)]))
        .execute()
    ).length;
  const countEvents = async (kind: string, { id }: Account): Promise<number> =>
    (
      await db()
        .selectFrom('auditEvent')
        .select('id')
        .where('kind', '=', kind)
        .where('accountId', '=', id)
        .execute()
    ).length;

  /** Somebody with three plants, two of which are shared with two guests each, who have a plant each that is shared with the owner. */
  const neighbours = async () => {
    const [owner, ...guests] = [
      await fleet.person(),
      await fleet.person(),
      await fleet.person(),
    ] as const;
    const plants = [
      await fleet.plant(owner.id),
      await fleet.plant(owner.id),
      await fleet.plant(owner.id),
    ] as const;
    await fleet.device(plants[0]);
    for (const guest of guests) {
      await share(plants[0], guest);
      await share(plants[1], guest);
      await share(await fleet.plant(guest.id), owner);
    }
    return { owner, guests, plants };
  };

  /** Copies a plant with its rows, many times, for one owner; the plants are shared with some readers, one each. */
  async function furnish(owner: Account, readers: readonly Account[]): Promise<void> {
    const first = await fleet.plant(owner.id);
    const plant = await db()
      .selectFrom('plant')
      .selectAll()
      .where('id', '=', first)
      .executeTakeFirstOrThrow();
    const standing = await db()
      .selectFrom('plantStanding')
      .selectAll()
      .where('plantId', '=', first)
      .executeTakeFirstOrThrow();
    const ids = Array.from({ length: PLANTS - 1 }, fleet.newId);
    const access = { createdAt: clock.at, level: 'read' as const };
    const given = [first, ...ids].map((plantId, i) => ({
      ...access,
      plantId,
      accountId: readers[i % readers.length]!.id,
    }));
    for (let from = 0; from < PLANTS; from += 500) {
      const some = ids.slice(from, from + 500);
      if (some.length > 0) {
        await db()
          .insertInto('plant')
          .values(some.map((id) => ({ ...plant, id })))
          .execute();
        await db()
          .insertInto('plantStanding')
          .values(some.map((plantId) => ({ ...standing, plantId })))
          .execute();
        await db()
          .insertInto('plantAccess')
          .values(
            some.map((plantId) => ({
              ...access,
              plantId,
              accountId: owner.id,
              level: 'owner' as const,
              ownLevel: 'owner' as const,
            })),
          )
          .execute();
      }
      await db()
        .insertInto('plantAccess')
        .values(given.slice(from, from + 500).map((one) => ({ ...one, ownLevel: one.level })))
        .execute();
    }
    await recount(db());
  }

  test(
    `of ${PLANTS} plants and as many shares ends fifty at a time, each once, and each reader gets one letter`,
    { timeout: 1_800_000 },
    async () => {
      const [owner, nobody] = [await fleet.person(), await fleet.person()];
      const readers = [await fleet.person(), await fleet.person(), await fleet.person()];
      await furnish(owner, readers);
      await letters();
      // The first transaction asks as much for this one as for somebody who has nothing.
      const asked = { queries: 0 };
      const counted = db().withPlugin({
        transformQuery: ({ node }) => {
          asked.queries++;
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      await close(nobody, counted);
      const little = asked.queries;
      await steps.all();
      asked.queries = 0;
      await close(owner, counted);
      expect(asked.queries).toBe(little);
      await letters();
      for (const reader of readers) expect(await seen(reader)).toBe(0);

      for (let left = await sharesOf(owner), events = 0, more = true; more;) {
        more = await steps.step(owner.id);
        const [leftNow, eventsNow] = [
          await sharesOf(owner),
          await countEvents('plant.unshared', owner),
        ];
        expect(left - leftNow).toBeLessThanOrEqual(ENDED_AT_MOST);
        expect(eventsNow - events).toBe(left - leftNow);
        [left, events] = [leftNow, eventsNow];
      }
      expect([await sharesOf(owner), await countEvents('plant.unshared', owner)]).toEqual([
        0,
        PLANTS,
      ]);
      expect(
        (await Promise.all(readers.map((reader) => countEvents('plant.unshared', reader)))).reduce(
          (sum, one) => sum + one,
        ),
      ).toBe(PLANTS);
      const posted = await letters();
      expect(posted.map(({ address }) => address).toSorted()).toEqual(
        readers.map(({ email }) => email).toSorted(),
      );
      // The first plants are named, and all are counted.
      for (const { address, paragraphs } of posted) {
        const count = await countEvents(
          'plant.unshared',
          readers.find(({ email }) => email === address)!,
        );
        expect(paragraphs[0]).toMatch(
          new RegExp(`: (Plant \\d+, ){19}Plant \\d+ … \\(${count}\\)\\.$`),
        );
      }
      expect(await countEvents('account.closed', owner)).toBe(1);

      clock.at += 14 * DAY;
      while ((await removeClosed({ db: db(), clock, ids: fleet.newId })) > 0);
      const open = async (): Promise<number> =>
        (
          await db()
            .selectFrom('plant')
            .select('id')
            .where('ownerId', '=', owner.id)
            .where('name', '!=', '')
            .execute()
        ).length;
      for (let left = await open(), more = true; more;) {
        more = await steps.step(owner.id);
        const leftNow = await open();
        expect(left - leftNow).toBeLessThanOrEqual(ENDED_AT_MOST);
        left = leftNow;
      }
      expect([
        await open(),
        await countEvents('plant.archived', owner),
        await countEvents('account.removed', owner),
      ]).toEqual([0, PLANTS, 1]);
      await steps.all();
      expect(await countMiscounts(db())).toBe(0);
    },
  );

  test('takes its plants from companies, everybody in which gets one letter for all of them', async () => {
    const [owner, boss, member] = [
      await fleet.person(),
      await fleet.person({ role: 'installer' }),
      await fleet.person(),
    ];
    const [first, second] = [
      await fleet.plant(owner.id, { name: 'Barn' }),
      await fleet.plant(owner.id, { name: 'Mill' }),
    ];
    await db().updateTable('account').set({ language: 'de' }).where('id', '=', boss.id).execute();
    const companies = await fleet.write(async (trx) => {
      const [ours, other] = [
        await foundCompany(trx, fleet.act(), boss.id, 'Sun'),
        await foundCompany(trx, fleet.act(), owner.id, 'Own'),
      ];
      await joinCompany(
        trx,
        fleet.act(),
        { accountId: member.id, companyId: ours, role: 'member' },
        boss.id,
      );
      return { ours, other };
    });
    for (const id of [first, second])
      await fleet.write(async (trx) => {
        const plant = await lockPlant(trx, id);
        await shareWithCompany(trx, fleet.act(), plant, {
          companyId: companies.ours,
          accountId: boss.id,
          level: 'control',
        });
        await shareWithCompany(trx, fleet.act(), plant, {
          companyId: companies.other,
          accountId: owner.id,
          level: 'read',
        });
      });
    await letters();
    await close(owner);
    await letters();
    await steps.all();
    const posted = (await letters()).map(({ address, paragraphs }) => [address, paragraphs[0]]);
    expect(new Map(posted as [string, string][])).toEqual(
      new Map([
        [
          boss.email,
          'Der Eigentümer dieser Anlagen hat sein Konto geschlossen; Sie sehen sie daher nicht mehr: Barn, Mill.',
        ],
        [
          member.email,
          'The owner of these plants has closed the account, so you no longer see them: Barn, Mill.',
        ],
      ]),
    );
    expect(posted).toHaveLength(2);
    expect(
      await db()
        .selectFrom('companyPlant')
        .select('plantId')
        .where('plantId', 'in', [first, second])
        .execute(),
    ).toEqual([]);
    expect(await countMiscounts(db())).toBe(0);
  });

  test('is seen by nobody between any two steps, and all is counted as it is', async () => {
    const { owner, guests, plants } = await neighbours();
    await letters();
    expect([await seen(guests[0]), await seen(owner)]).toEqual([3, 5]);
    await close(owner);
    for (let more = true, first = true; more || first; first = false) {
      for (const guest of guests) {
        for (const id of plants)
          expect(
            await codeOf(operations().stationDetail(userCaller(guest.id), { id } as never)),
          ).toBe('noPermission');
        expect(await seen(guest)).toBe(1);
      }
      expect(await codeOf(close(owner))).toBe('invalidValue');
      expect(await countMiscounts(db())).toBe(0);
      more = await steps.step(owner.id);
    }
    expect(await sharesOf(owner)).toBe(0);
    expect([
      await countEvents('plant.unshared', owner),
      await countEvents('plant.unshared', guests[0]),
    ]).toEqual([6, 3]);
    expect(await countMiscounts(db())).toBe(0);
  });

  test('is there again when that is taken back, whichever step it is at, and what was to end ends', async () => {
    let more = true;
    for (let after = 0; more; after++) {
      const { owner, guests, plants } = await neighbours();
      await close(owner);
      for (let i = 0; i < after; i++) more = await steps.step(owner.id);
      clock.at += 1;
      await reopen(owner);
      // Nobody sees for a moment what has ended.
      if (more) for (const guest of guests) expect(await seen(guest)).toBe(1);
      await share(plants[2], guests[0]);
      await steps.all();
      expect([after, await seen(owner), await seen(guests[0]), await seen(guests[1])]).toEqual([
        after,
        3,
        2,
        1,
      ]);
      expect(await sharesOf(owner)).toBe(1);
      expect(
        await db()
          .selectFrom('account')
          .select(['disabledAt', 'closedAt', 'removeAt'])
          .where('id', '=', owner.id)
          .executeTakeFirst(),
      ).toEqual({
        disabledAt: null,
        closedAt: null,
        removeAt: null,
      });
      expect([
        await countEvents('account.reopened', owner),
        await countEvents('account.enabled', owner),
      ]).toEqual([1, 1]);
      expect(await countMiscounts(db())).toBe(0);
    }
  });

  test('closed again before it was there again, it can be taken back again', async () => {
    const { owner, guests } = await neighbours();
    await close(owner);
    await steps.step(owner.id);
    clock.at += 1;
    await reopen(owner);
    clock.at += 1;
    await close(owner);
    expect(
      await db()
        .selectFrom('account')
        .select(['disabledAt', 'closedAt'])
        .where('id', '=', owner.id)
        .executeTakeFirst(),
    ).toEqual({
      disabledAt: clock.at,
      closedAt: clock.at,
    });
    await steps.all();
    await reopen(owner);
    expect([await seen(owner), await seen(guests[0]), await sharesOf(owner)]).toEqual([3, 1, 0]);
  });

  test('is ended by the worker, and removed only when nothing of its closing is left', async () => {
    const { owner } = await neighbours();
    const faults: unknown[] = [];
    const logger = {
      error: (fault: unknown) => void faults.push(fault),
      warn: (fault: unknown) => void faults.push(fault),
    };
    const lanes = {
      [CLOSING]: {
        runsAtOnce: 1,
        limitSeconds: 60,
        ...createClosing({ clock, ids: fleet.newId, outbox }),
      },
    };
    const runner = createRunner({ db: db(), clock, logger, lanes });
    const begin = () => removeClosed({ db: db(), clock, ids: fleet.newId });
    // Those of the other tests.
    clock.at += 14 * DAY;
    while ((await begin()) > 0);
    await runner.runDue();
    await close(owner);
    clock.at += 14 * DAY;
    expect(await begin()).toBe(0);
    expect(await runner.runDue()).toBe(1);
    expect([await sharesOf(owner), await steps.left()]).toEqual([0, []]);
    expect([await begin(), await begin()]).toEqual([1, 0]);
    // There are more steps than one run takes.
    expect(await runner.runDue()).toBe(2);
    expect([
      await countEvents('account.removed', owner),
      await countEvents('plant.archived', owner),
      await steps.left(),
      faults,
    ]).toEqual([1, 3, [], []]);
    // A worker may be killed after the last step, and before it has said so.
    await fleet.write((trx) => armTasks(trx, CLOSING, [owner.id], clock.at));
    expect([await runner.runDue(), await countEvents('account.removed', owner)]).toEqual([1, 1]);
    expect(await countMiscounts(db())).toBe(0);
  });

  test('leaves a share of a plant that belongs to somebody else by now', async () => {
    const { owner, guests, plants } = await neighbours();
    const [plantId] = plants;
    const ended = (ownerId: string) =>
      fleet.write((trx) =>
        endShare(trx, fleet.act(), { plantId, accountId: guests[0].id, ownerId }),
      );
    expect(await ended(guests[1].id)).toBeUndefined();
    expect(await seen(guests[0])).toBe(3);
    expect(await ended(owner.id)).toMatch(/^Plant/);
    expect(await ended(owner.id)).toBeUndefined();
    expect(await seen(guests[0])).toBe(2);
  });

  test('that the operator disables for other reasons stays disabled', async () => {
    const { owner } = await neighbours();
    await operations()['user/disable'](OPERATOR, { email: owner.email });
    clock.at += 1;
    await close(owner);
    await reopen(owner);
    await steps.all();
    expect(
      await db()
        .selectFrom('account')
        .select(['disabledAt', 'closedAt'])
        .where('id', '=', owner.id)
        .executeTakeFirst(),
    ).toEqual({
      disabledAt: clock.at - 1,
      closedAt: null,
    });
  });

  test.each(['closed twice', 'handed over', 'given away', 'shared'] as const)(
    '%s at the same time, it is one or the other',
    async (what) => {
      for (let round = 0; round < effort(2, 60); round++) {
        const { owner, guests, plants } = await neighbours();
        const [guest] = guests;
        const house = await fleet.plant(guest.id);
        const [shared, given] = await fleet.write(async (trx) => [
          await invite(trx, fleet.act(), {
            plantId: plants[2],
            fromAccountId: owner.id,
            to: { accountId: guest.id },
            kind: 'share',
            level: 'read',
          }),
          await invite(trx, fleet.act(), {
            plantId: house,
            fromAccountId: guest.id,
            to: { accountId: owner.id },
            kind: 'owner',
            level: undefined,
          }),
        ]);
        await letters();
        const others = {
          'closed twice': () => close(owner),
          'handed over': () =>
            operations()['plant/transfer'](OPERATOR, { plantId: plants[0], owner: guest.email }),
          'given away': () =>
            operations()['invitation/accept'](userCaller(owner.id), {
              id: given,
              forCompany: undefined,
              withoutSender: undefined,
            }),
          shared: () =>
            operations()['invitation/accept'](userCaller(guest.id), {
              id: shared,
              forCompany: undefined,
              withoutSender: undefined,
            }),
        };
        const codes = await Promise.all(
          (round % 2 === 0 ? [close(owner), others[what]()] : [others[what](), close(owner)]).map(
            codeOf,
          ),
        );
        const done = codes.filter((code) => code === 'done').length;
        expect([codes, done]).toEqual([
          codes,
          what === 'closed twice' ? 1 : expect.toBeOneOf([1, 2]),
        ]);
        expect(await countEvents('account.closed', owner)).toBe(1);
        expect((await letters()).filter(({ address }) => address === owner.email)).toHaveLength(1);
        await steps.all();
        expect(await sharesOf(owner)).toBe(0);
        const owned = await db()
          .selectFrom('plant')
          .select('id')
          .where('ownerId', '=', guest.id)
          .execute();
        expect(await seen(guest)).toBe(owned.length);
        expect(await countMiscounts(db())).toBe(0);
        await reopen(owner);
        expect(await countMiscounts(db())).toBe(0);
      }
    },
  );
});
