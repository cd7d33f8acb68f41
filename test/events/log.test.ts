import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  appendEntries,
  type NewLogEntry,
} from '../../packages/server/src/platform/events/append.ts';
import {
  BEGINNING,
  headPosition,
  isAfter,
  rebaseLog,
  type LogPosition,
} from '../../packages/server/src/platform/events/position.ts';
import { pruneLog } from '../../packages/server/src/platform/events/prune.ts';
import {
  findEntryAt,
  findEntryOf,
  readEntries,
  readEntriesOfPlants,
} from '../../packages/server/src/platform/events/read.ts';
import { engineOf } from '../../packages/server/src/platform/storage/engine.ts';
import { describeEngines } from '../support/engines.ts';
import { createForwardingScene } from '../forwarding/scene.ts';

const entry = (subject: string, plantId: string | null = '1', count = 1): NewLogEntry => ({
  kind: 'device.bound',
  accountId: '7',
  plantId,
  events: Array.from({ length: count }, () => ({
    subject,
    sn: `SN-${subject}`,
    occurredAt: 5,
    data: '{"deviceKind":"inverter"}',
  })),
});

describeEngines('the event log', (database) => {
  const scene = createForwardingScene(database);
  const { clock } = scene;
  const append = (entries: readonly NewLogEntry[]) =>
    scene.write((trx) => appendEntries(trx, entries, clock.at));
  const head = () => headPosition(database().db);

  test('numbers the events of each subject and kind without gaps, whatever is rolled back', async () => {
    await append([entry('11'), entry('12', '1', 3)]);
    await scene
      .write(async (trx) => {
        await appendEntries(trx, [entry('11')], clock.at);
        throw new Error('rolled back');
      })
      .catch(() => {});
    await append([entry('11'), { ...entry('11'), kind: 'device.unbound' }]);
    const events = (await scene.logged()).filter(
      ({ subject }) => subject === '11' || subject === '12',
    );
    expect(events.map(({ subject, kind, sequence }) => `${subject} ${kind} ${sequence}`)).toEqual([
      '11 device.bound 1',
      '12 device.bound 1',
      '12 device.bound 2',
      '12 device.bound 3',
      '11 device.bound 2',
      '11 device.unbound 1',
    ]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  });

  test('says when the event before was recorded, and that there is none where it belonged to another plant', async () => {
    const first = clock.at;
    await append([entry('21', '1', 2)]);
    clock.at += 1_000;
    await append([entry('21', '1')]);
    clock.at += 1_000;
    await append([entry('21', '2'), entry('21', '1')]);
    const events = (await scene.logged()).filter(({ subject }) => subject === '21');
    expect(
      events.map(({ previousAt, plantId, sequence }) => [sequence, plantId, previousAt]),
    ).toEqual([
      [1, '1', 0],
      [2, '1', first],
      [3, '1', first],
      [4, '2', 0],
      [5, '1', 0],
    ]);
  });

  test('a reader never steps over an event that is committed late', async () => {
    const { db, engine } = database();
    const from = await head();
    const gate = Promise.withResolvers<void>();
    const appended = Promise.withResolvers<void>();
    const late = scene.write(async (trx) => {
      await appendEntries(trx, [entry('31')], clock.at);
      appended.resolve();
      await gate.promise;
    });
    await appended.promise;
    // On SQLite, the second waits for the first.
    const second = append([entry('32')]);
    if (engine === 'postgres') await second;
    expect(await readEntries(db, from, 10)).toEqual([]);
    gate.resolve();
    await Promise.all([late, second]);
    await scene.settled();
    expect((await readEntries(db, from, 10)).map(({ events }) => events[0]!.subject)).toEqual([
      '31',
      '32',
    ]);
  });

  test('events of a device stand in its order, whichever transaction began first', async () => {
    const { db, engine } = database();
    const from = await head();
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const early = scene.write(async (trx) => {
      if (engine === 'postgres') {
        await sql`select pg_current_xact_id()`.execute(trx);
        begun.resolve();
        await gate.promise;
      }
      await appendEntries(trx, [entry('35')], clock.at);
    });
    // On SQLite, one transaction follows the other anyway.
    if (engine === 'postgres') await begun.promise;
    await append([entry('35')]);
    gate.resolve();
    await early;
    await scene.settled();
    expect(
      (await readEntries(db, from, 10)).flatMap(({ events }) =>
        events.map(({ sequence }) => sequence),
      ),
    ).toEqual([1, 2]);
  });

  test('readers that follow many writers get everything once, and each device in its order', async () => {
    const { db } = database();
    const from = await head();
    let writing = true;
    const read: { position: LogPosition; subject: string; sequence: number }[] = [];
    const reader = (async () => {
      let position = from;
      for (let last = false; !last;) {
        last = !writing;
        const entries = await readEntries(db, position, 7);
        for (const one of entries) {
          expect(isAfter(one, position)).toBe(true);
          position = one;
          for (const { subject, sequence } of one.events)
            read.push({ position: one, subject, sequence });
        }
        if (entries.length > 0) last = false;
        await pause(1);
      }
    })();
    await Promise.all(
      Array.from({ length: 6 }, async (_, writer) => {
        for (let i = 0; i < 15; i++) {
          await scene
            .write(async (trx) => {
              // Takes its transaction number before it appends, so that numbers and entries are not in the same order.
              if (engineOf(trx) === 'postgres') await sql`select pg_current_xact_id()`.execute(trx);
              await pause((writer * 7 + i * 3) % 5);
              await appendEntries(trx, [entry(`4${writer}`)], clock.at);
              await pause((writer * 3 + i * 7) % 5);
              if (i % 5 === 4) throw new Error('rolled back');
            })
            .catch(() => {});
        }
      }),
    );
    await scene.settled();
    writing = false;
    await reader;
    expect(read.length).toBe(6 * 12);
    for (let writer = 0; writer < 6; writer++)
      expect(
        read.filter(({ subject }) => subject === `4${writer}`).map(({ sequence }) => sequence),
      ).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
  });

  test('goes on behind what is there after a dump was read into a new cluster', async () => {
    const { db, engine } = database();
    if (engine === 'postgres')
      await db
        .updateTable('event')
        .set((eb) => ({ key: eb('key', '+', 1_000_000_000) }))
        .execute();
    const before = await head();
    await rebaseLog(db);
    await append([entry('51')]);
    await scene.settled();
    const [found] = await readEntries(db, before, 10);
    expect(found?.events[0]?.subject).toBe('51');
    // Nothing to mend: the next start leaves it as it is.
    const base = await db.selectFrom('eventLog').selectAll().execute();
    await rebaseLog(db);
    expect(await db.selectFrom('eventLog').selectAll().execute()).toEqual(base);
  });

  test('is read by plant, by event and by time', async () => {
    const { db } = database();
    const from = await head();
    clock.at += 60_000;
    await append([entry('61', '601')]);
    clock.at += 60_000;
    await append([entry('62', '602', 2)]);
    await scene.settled();
    const [one, two] = await readEntries(db, from, 10);
    expect((await readEntriesOfPlants(db, from, ['602'], 10)).map(({ no }) => no)).toEqual([
      two!.no,
    ]);
    const [, second] = two!.events;
    expect((await findEntryOf(db, second!.id))?.no).toBe(two!.no);
    expect(await findEntryOf(db, second!.id.replace(/-1$/, '-2'))).toBeUndefined();
    expect(await findEntryOf(db, 'nonsense')).toBeUndefined();
    expect(await findEntryAt(db, clock.at)).toBe(two!.no);
    expect(await findEntryAt(db, clock.at - 60_000)).toBe(one!.no);
    expect(await findEntryAt(db, clock.at + 1)).toBeUndefined();
  });

  test('an entry has at most 200 events', async () => {
    const from = await head();
    await append([entry('71', '1', 450)]);
    await scene.settled();
    const entries = await readEntries(database().db, from, 10);
    expect(entries.map(({ events }) => events.length)).toEqual([200, 200, 50]);
    expect(entries.flatMap(({ events }) => events.map(({ sequence }) => sequence))).toEqual(
      Array.from({ length: 450 }, (_, i) => i + 1),
    );
  });

  test('is pruned by age and by size, a batch at a time, but for its newest entry', async () => {
    const { db } = database();
    const all = async () => {
      await scene.settled();
      return (await readEntries(db, BEGINNING, 10_000)).map(({ no }) => no);
    };
    const old = await all();
    clock.at += 86_400_000;
    for (let i = 0; i < 5; i++) await append([entry('81')]);
    const young = (await all()).slice(-5);
    const age = { before: clock.at, entries: 1_000_000 };
    expect(await pruneLog(db, age, 3)).toBe(3);
    while ((await pruneLog(db, age, 3)) > 0);
    expect(await all()).toEqual(young);
    expect(old.length).toBeGreaterThan(5);
    await pruneLog(db, { before: 0, entries: 2 }, 100);
    expect(await all()).toEqual(young.slice(-2));
    await pruneLog(db, { before: clock.at + 1, entries: 0 }, 100);
    expect(await all()).toEqual(young.slice(-1));
    await append([entry('81')]);
    expect((await all()).at(-1)).toBeGreaterThan(young.at(-1)!);
  });
});
