import type { PlantUpdate, LiveUpdate } from '@helioport/contract';
import { once } from 'node:events';
import { connect } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { disableAccount } from '../../packages/server/src/identity/accounts/accounts.ts';
import { createChangeReader } from '../../packages/server/src/interfaces/edges/portal/live/changes.ts';
import { endSessions } from '../../packages/server/src/identity/accounts/sessions.ts';
import { changeAlarms } from '../../packages/server/src/outbound/alarms/alarm-rows.ts';
import { markPosted } from '../../packages/server/src/fleet/collectors/presence.ts';
import { advance, lockCommands } from '../../packages/server/src/control/commands/open-commands.ts';
import { queueCommands } from '../../packages/server/src/control/commands/queue.ts';
import { foundCompany } from '../../packages/server/src/fleet/plants/companies/companies.ts';
import { inviteToCompany } from '../../packages/server/src/fleet/plants/companies/invitations.ts';
import { invite } from '../../packages/server/src/fleet/plants/invitations/invite.ts';
import { engineOf } from '../../packages/server/src/platform/storage/engine.ts';
import { sharePlant, unsharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { describeEngines } from '../support/engines.ts';
import {
  createPortalVisitor,
  startPortal,
  visitAs,
  type PortalVisitor,
  type TestPortal,
} from '../support/portal.ts';
import { createWorld, settableClock, userCaller } from '../support/world.ts';

const isAbout = ({ changed }: LiveUpdate, what: string): boolean =>
  (changed as readonly string[]).includes(what);

/** A browser's EventSource: what was received, and the connection's end. */
interface Listening {
  readonly news: LiveUpdate[];
  /** Everything received, comments included. */
  text(): string;
  /** Resolves once a message fits. */
  until(fits: (news: LiveUpdate) => boolean): Promise<LiveUpdate>;
  readonly ended: Promise<void>;
  leave(): void;
}

describeEngines('what happens in plants is sent live', (database) => {
  const clock = settableClock('2026-11-06T05:01:09Z');
  const world = createWorld(database, clock);
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await startPortal(database(), clock, { livePace: { lookMs: 20, restMs: 10 } });
  });
  afterAll(() => portal.close());

  const sessionOf = async (accountId: string): Promise<PortalVisitor> =>
    (await visitAs(world, portal.url, accountId)).visitor;

  async function listen(visitor: PortalVisitor): Promise<Listening> {
    const stop = new AbortController();
    const cookie = [...visitor.cookies].map((pair) => pair.join('=')).join('; ');
    const response = await fetch(`${portal.url}/portal/live`, {
      headers: { Cookie: cookie, Accept: 'text/event-stream' },
      signal: stop.signal,
    });
    expect([
      response.status,
      response.headers.get('content-type'),
      response.headers.get('cache-control'),
    ]).toEqual([200, 'text/event-stream', 'no-store']);
    const news: LiveUpdate[] = [];
    const watchers = new Set<() => void>();
    let text = '';
    const read = async (): Promise<void> => {
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        news.splice(
          0,
          news.length,
          ...text
            .split('\n\n')
            .flatMap((one) =>
              one.startsWith('data: ') ? [JSON.parse(one.slice(6)) as LiveUpdate] : [],
            ),
        );
        for (const look of watchers) look();
      }
    };
    const ended = read().catch(() => {});
    return {
      news,
      text: () => text,
      until: (fits) => {
        const { promise, resolve } = Promise.withResolvers<LiveUpdate>();
        const look = (): void => {
          const found = news.find(fits);
          if (found) resolve(found);
        };
        watchers.add(look);
        look();
        return promise;
      },
      ended,
      leave: () => stop.abort(),
    };
  }

  /** A plant with a collector and an inverter, and how something happens there. */
  async function plantOf(ownerId: string) {
    const plantId = await world.plant(ownerId);
    const collector = await world.device(plantId, { kind: 'collector' });
    const inverter = await world.device(plantId, { model: 'SIM-8K-ES' });
    return {
      plantId,
      inverter,
      async post(): Promise<void> {
        clock.at += 61_000;
        const found = database()
          .db.selectFrom('device')
          .select([
            'id',
            'state',
            'reportedAt',
            'expectedSeconds',
            'clockOffsetSeconds',
            'backlogAt',
          ]);
        await markPosted(
          database().db,
          await found.where('id', '=', collector.id).executeTakeFirstOrThrow(),
          clock.at,
        );
      },
    };
  }

  /** Somebody listens, and hears of a first report: from then on, whatever happens is news. */
  async function attentive(
    accountId: string,
    plant: { plantId: string; post(): Promise<void> },
  ): Promise<Listening> {
    const listening = await listen(await sessionOf(accountId));
    await plant.post();
    await listening.until((news) => news.plantId === plant.plantId && isAbout(news, 'readings'));
    return listening;
  }

  test('readings, states, alarms and commands of one’s own and shared plants, and nothing of foreign ones', async () => {
    const [owner, friend, stranger] = [
      await world.person(),
      await world.person(),
      await world.person(),
    ];
    const [mine, foreign] = [await plantOf(owner.id), await plantOf(stranger.id)];
    const { plantId } = mine;
    await world.write((trx) => sharePlant(trx, world.act(), plantId, friend.email, 'read'));
    const listeners = [await attentive(owner.id, mine), await attentive(friend.id, mine)];
    const theirs = await attentive(stranger.id, foreign);

    const circumstances = { now: clock.at, newId: world.newId };
    const raise = {
      raise: { code: 'TEST1', level: 2, message: 'a test', beginAt: clock.at },
    } as const;
    await world.write((trx) => changeAlarms(trx, circumstances, mine.inverter.id, [raise]));
    for (const one of listeners)
      await one.until((news) => news.plantId === plantId && isAbout(news, 'alarms'));

    const wanted = {
      deviceId: mine.inverter.id,
      plantId,
      parameter: '157',
      value: '20',
      expiresAt: clock.at + 300_000,
    };
    const [id] = await world.write((trx) =>
      queueCommands(trx, world.act(), userCaller(owner.id), [wanted]),
    );
    const isAt = (state: string) => (news: LiveUpdate) =>
      (news as PlantUpdate).commands?.some(
        (command) => command.id === id && command.state === state,
      ) === true;
    for (const one of listeners)
      expect(await one.until(isAt('queued'))).toMatchObject({ plantId, changed: ['commands'] });
    await world.write(async (trx) => {
      const { commands } = await lockCommands(trx, mine.inverter.id, clock.at);
      await advance(trx, commands[0]!, { state: 'failed', endedAt: clock.at }, clock.at);
    });
    for (const one of listeners) await one.until(isAt('failed'));
    const heard = listeners.map(({ news }) => news.length);
    const since = (what: string) =>
      Promise.all(
        listeners.map(({ until, news }, i) =>
          until((one) => news.indexOf(one) >= heard[i]! && isAbout(one, what)),
        ),
      );
    await world.write((trx) =>
      changeAlarms(trx, circumstances, mine.inverter.id, [
        { clear: { code: 'TEST1', endAt: clock.at } },
      ]),
    );
    await since('alarms');
    await world.device(plantId);
    await since('states');

    await foreign.post();
    await theirs.until(
      (news) =>
        news.plantId === foreign.plantId && isAbout(news, 'readings') && theirs.news.length > 1,
    );
    for (const one of listeners) expect(one.text()).not.toContain(foreign.plantId);
    expect(theirs.text()).not.toContain(plantId);
    // Each change once.
    for (const one of listeners) expect(one.news.filter(isAt('queued'))).toHaveLength(1);
    for (const one of [...listeners, theirs]) one.leave();
  });

  test('no more once a share is withdrawn', async () => {
    const [owner, friend] = [await world.person(), await world.person()];
    const [shared, own] = [await plantOf(owner.id), await plantOf(friend.id)];
    await world.write((trx) =>
      sharePlant(trx, world.act(), shared.plantId, friend.email, 'control'),
    );
    const listening = await attentive(friend.id, shared);
    const heard = listening.news.filter(({ plantId }) => plantId === shared.plantId).length;
    await world.write((trx) => unsharePlant(trx, world.act(), shared.plantId, friend.email));
    await shared.post();
    await own.post();
    await listening.until(({ plantId }) => plantId === own.plantId);
    expect(listening.news.filter(({ plantId }) => plantId === shared.plantId)).toHaveLength(heard);
    listening.leave();
  });

  test('of an invitation to a plant or a company, to the person who is invited by address or by id, and to nobody else', async () => {
    const [owner, friend, installer] = [
      await world.person(),
      await world.person(),
      await world.person(),
    ];
    const plant = await plantOf(owner.id);
    const [theirs, others, mine] = [
      await listen(await sessionOf(friend.id)),
      await listen(await sessionOf(installer.id)),
      await attentive(owner.id, plant),
    ];
    const inviting = { plantId: plant.plantId, fromAccountId: owner.id } as const;
    await world.write((trx) =>
      invite(trx, world.act(), {
        ...inviting,
        to: { email: friend.email },
        kind: 'share',
        level: 'read',
      }),
    );
    expect(await theirs.until((news) => isAbout(news, 'invitations'))).toEqual({
      changed: ['invitations'],
    });
    expect(others.text()).not.toContain('data:');
    await world.write((trx) =>
      invite(trx, world.act(), { ...inviting, to: { accountId: installer.id }, kind: 'owner' }),
    );
    await others.until((news) => isAbout(news, 'invitations'));
    const companyId = await world.write((trx) =>
      foundCompany(trx, world.act(), owner.id, 'Sun & Sons'),
    );
    await world.write((trx) =>
      inviteToCompany(
        trx,
        world.act(),
        { companyId, accountId: owner.id, role: 'manager', createdAt: clock.at },
        friend.email,
        'member',
      ),
    );
    await theirs.until(() => theirs.news.length === 2);
    await plant.post();
    await mine.until(() => mine.news.length > 1);
    expect(mine.text()).not.toContain('invitations');
    // Each of them once.
    expect([theirs.news, others.news].map((news) => news.map(({ changed }) => changed))).toEqual([
      [['invitations'], ['invitations']],
      [['invitations']],
    ]);
    for (const one of [theirs, others, mine]) one.leave();
  });

  test('once the database is back, what could not be told', async () => {
    const plant = await plantOf((await world.person()).id);
    const look = createChangeReader({ db: database().db, clock });
    await look(async ({ plants }) => expect([...plants]).toEqual([]));
    await plant.post();
    const circumstances = { now: clock.at, newId: world.newId };
    const raise = {
      raise: { code: 'TEST2', level: 2, message: 'a test', beginAt: clock.at },
    } as const;
    await world.write((trx) => changeAlarms(trx, circumstances, plant.inverter.id, [raise]));
    const away = new Error('the database is away');
    await expect(look(() => Promise.reject(away))).rejects.toBe(away);
    const told: (readonly string[] | undefined)[] = [];
    for (let i = 0; i < 2; i++)
      await look(async ({ plants }) => void told.push(plants.get(plant.plantId)?.changed));
    expect(told).toEqual([['readings', 'states', 'alarms'], undefined]);
  });

  test('while a transaction stays open that has nothing to do with it', async () => {
    const owner = await world.person();
    const [plant, other] = [await plantOf(owner.id), await plantOf(owner.id)];
    const listening = await attentive(owner.id, plant);
    const gate = Promise.withResolvers<void>();
    const open =
      engineOf(database().db) === 'postgres'
        ? world.write(async (trx) => {
            await sql`select pg_current_xact_id()`.execute(trx);
            await gate.promise;
          })
        : undefined;
    const circumstances = { now: clock.at, newId: world.newId };
    for (const { inverter, plantId } of [plant, other]) {
      const raise = {
        raise: { code: 'TEST3', level: 2, message: 'a test', beginAt: clock.at },
      } as const;
      await world.write((trx) => changeAlarms(trx, circumstances, inverter.id, [raise]));
      await listening.until((news) => news.plantId === plantId && isAbout(news, 'alarms'));
    }
    const heard = listening.news.filter((news) => isAbout(news, 'alarms')).length;
    gate.resolve();
    await open;
    await other.post();
    await listening.until((news) => news.plantId === other.plantId && isAbout(news, 'readings'));
    // Not once more when it ends.
    expect(listening.news.filter((news) => isAbout(news, 'alarms'))).toHaveLength(heard);
    listening.leave();
  });

  test('until the session ends, by log-out, by the operator or with its account', async () => {
    const ways: ((accountId: string, visitor: PortalVisitor) => Promise<unknown>)[] = [
      (_, visitor) => visitor.post('/portal/log-out'),
      (accountId) => world.write((trx) => endSessions(trx, accountId)),
      (accountId) => world.write((trx) => disableAccount(trx, world.act(), accountId)),
    ];
    for (const end of ways) {
      const { id } = await world.person();
      const visitor = await sessionOf(id);
      const listening = await listen(visitor);
      await end(id, visitor);
      await listening.ended;
      expect((await visitor.get('/portal/live')).status).toBe(401);
    }
  });

  test('to nobody who is not logged in, to no other site, and to twenty browsers of an account at most', async () => {
    const { id } = await world.person();
    const visitor = await sessionOf(id);
    expect((await createPortalVisitor(portal.url).get('/portal/live')).status).toBe(401);
    expect((await visitor.get('/portal/live', { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(
      403,
    );
    expect((await visitor.post('/portal/live')).status).toBe(405);
    const open = [];
    for (let i = 0; i < 20; i++) open.push(await listen(visitor));
    const refused = await visitor.get('/portal/live');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    const other = await listen(await sessionOf((await world.person()).id));
    open.shift()!.leave();
    // The server notices that the browser has gone.
    for (;;) {
      const again = await fetch(`${portal.url}/portal/live`, {
        headers: { Cookie: [...visitor.cookies].map((pair) => pair.join('=')).join('; ') },
      });
      void again.body?.cancel();
      if (again.status === 200) break;
    }
    for (const one of [...open, other]) one.leave();
  });

  test('with a place for those who come after hundreds that left while they were being answered', async () => {
    const visitor = await sessionOf((await world.person()).id);
    const { port } = new URL(portal.url);
    const request = [
      'GET /portal/live HTTP/1.1',
      'Host: localhost',
      `Cookie: ${[...visitor.cookies].map((pair) => pair.join('=')).join('; ')}`,
      '\r\n',
    ].join('\r\n');
    const leaveAtOnce = async (): Promise<void> => {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
      await once(socket, 'connect');
      await new Promise<void>((resolve) => void socket.write(request, () => resolve()));
      socket.destroy();
    };
    const held = Promise.withResolvers<void>();
    // The database answers none of the first of them before they have left.
    const holding =
      engineOf(database().db) === 'postgres'
        ? database()
            .db.transaction()
            .execute(async (trx) => {
              await sql`lock table session in access exclusive mode`.execute(trx);
              await held.promise;
            })
        : undefined;
    for (let i = 0; i < 300; i++) {
      await leaveAtOnce();
      if (i === 100) held.resolve();
    }
    await holding;
    const open: Listening[] = [];
    // What was sent last may still be under way.
    await expect
      .poll(async () => {
        while (open.length < 20) open.push(await listen(visitor));
        return open.length;
      })
      .toBe(20);
    for (const one of open) one.leave();
  });

  test('with a sign of life while nothing happens, and until the server stops', async () => {
    const stopping = await startPortal(database(), clock, { livePace: { lookMs: 20, restMs: 10 } });
    const usual = portal;
    portal = stopping;
    const listening = await listen(await sessionOf((await world.person()).id));
    portal = usual;
    clock.at += 16_000;
    while (!listening.text().includes(':\n\n')) await new Promise(setImmediate);
    await stopping.close();
    await listening.ended;
  });
});
