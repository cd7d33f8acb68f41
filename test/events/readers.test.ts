import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { changeAlarms } from '../../packages/server/src/outbound/alarms/alarm-rows.ts';
import { appendInternal } from '../../packages/server/src/platform/events/internal.ts';
import { BEGINNING } from '../../packages/server/src/platform/events/position.ts';
import { pruneLog } from '../../packages/server/src/platform/events/prune.ts';
import { readEntries } from '../../packages/server/src/platform/events/read.ts';
import {
  findReaderPosition,
  moveReader,
  readChanges,
  storedReaders,
  type ReaderPosition,
} from '../../packages/server/src/platform/events/readers.ts';
import { migrate } from '../../packages/server/src/platform/storage/migrate.ts';
import { describeEngines } from '../support/engines.ts';
import { createForwardingScene } from '../forwarding/scene.ts';
import { useReceiver } from '../forwarding/receiver.ts';

const KINDS = storedReaders.notifications;

describeEngines('readers of our own', (database, onEngine) => {
  const scene = createForwardingScene(database);
  const { clock } = scene;
  const receiver = useReceiver();

  const raise = (deviceId: string, code: string, before?: () => Promise<void>) =>
    scene.write(async (trx) => {
      const circumstances = { now: clock.at, newId: scene.newId };
      const alarm = { code, level: 2, message: 'too hot', beginAt: clock.at } as const;
      await changeAlarms(trx, circumstances, deviceId, [{ raise: alarm }]);
      await before?.();
    });
  const device = async () => scene.device(await scene.plant((await scene.person()).id));
  /** The codes of alarms in what a reader reads, and where it is then. */
  const read = async (from: ReaderPosition, limit = 100) => {
    const { changes, position } = await readChanges(database().db, from, KINDS, limit);
    const codes = changes.flatMap(({ events }) => events.map(({ data }) => data['code'] as string));
    return { codes, position };
  };
  /** Past what is there. */
  const end = async (): Promise<ReaderPosition> => {
    await scene.settled();
    return (await read({ ...BEGINNING, ahead: [] }, 10_000)).position;
  };

  test('hear of what no destination could want, which goes to none, however much one takes', async () => {
    const from = await end();
    const [unheard, { device: heard }] = [await device(), await scene.connected(receiver.url)];
    const meter = await scene.device(heard.plantId, { kind: 'ammeter' });
    const before = (await scene.logged()).length;
    await raise(unheard.id, 'UNHEARD');
    await raise(meter.id, 'METER');
    await raise(heard.deviceId, 'HEARD');
    await scene.settled();
    expect((await read(from)).codes).toEqual(['UNHEARD', 'METER', 'HEARD']);
    // Nothing but that there is an entry, so that destinations come past it.
    const entries = await readEntries(database().db, from, 100);
    expect(entries.filter(({ kind }) => kind === null).length).toBeGreaterThan(1);
    const logged = (await scene.logged()).slice(before);
    expect(new Set(logged.map(({ subject }) => subject))).toEqual(new Set([heard.deviceId]));
    await scene.deliver();
    const sent = JSON.stringify(receiver.seen);
    expect(sent).toContain('HEARD');
    expect(sent).not.toContain('METER');
    expect(sent).not.toContain('UNHEARD');
    expect(JSON.stringify(logged)).not.toMatch(/METER|UNHEARD/);
  });

  test('do not wait for transactions that are open, and miss nothing that is committed late', async () => {
    let at = await end();
    const [early, late] = [await device(), await device()];
    const gate = Promise.withResolvers<void>();
    const appended = Promise.withResolvers<void>();
    const open = raise(late.id, 'LATE', async () => {
      appended.resolve();
      await gate.promise;
    });
    await appended.promise;
    // On SQLite, the second waits for the first.
    const second = raise(early.id, 'EARLY');
    if (onEngine === 'PostgreSQL') {
      await second;
      const first = await read(at);
      expect(first.codes).toEqual(['EARLY']);
      expect(first.position).toMatchObject({ key: at.key, no: at.no, ahead: [expect.any(Number)] });
      at = first.position;
      // It was read, however small the next page.
      expect((await read(at, 1)).codes).toEqual([]);
    }
    gate.resolve();
    await Promise.all([open, second]);
    await scene.settled();
    const then = await read(at);
    expect(then.codes).toEqual(onEngine === 'PostgreSQL' ? ['LATE'] : ['LATE', 'EARLY']);
    expect(then.position.ahead).toEqual([]);
    expect((await read(then.position)).codes).toEqual([]);
  });

  test('wait with destinations once they have read very much ahead', async () => {
    if (onEngine === 'SQLite') return;
    let at = await end();
    const { id } = await device();
    const gate = Promise.withResolvers<void>();
    const appended = Promise.withResolvers<void>();
    const open = raise(id, 'LATE', async () => {
      appended.resolve();
      await gate.promise;
    });
    await appended.promise;
    const many = Array.from({ length: 1_010 }, (_, i) => ({
      subject: `${i}`,
      plantId: `${i}`,
      data: { code: `M${i}` },
    }));
    const append = (events: typeof many) =>
      scene.write((trx) => appendInternal(trx, 'alarm.raised', events, clock.at));
    const got: string[] = [];
    const readOn = async (): Promise<number> => {
      const { codes, position } = await read(at, 300);
      at = position;
      got.push(...codes);
      return codes.length;
    };
    await append(many.slice(0, 1_005));
    while ((await readOn()) > 0);
    expect(got).toHaveLength(1_005);
    await append(many.slice(1_005));
    expect(await readOn()).toBe(0);
    gate.resolve();
    await open;
    await scene.settled();
    while ((await readOn()) > 0);
    expect(got.toSorted()).toEqual([...many.map(({ data }) => data.code), 'LATE'].toSorted());
    expect(at.ahead).toEqual([]);
  });

  test('read what many writers append once each, in small pages', async () => {
    let at = await end();
    const devices = await Promise.all(Array.from({ length: 12 }, device));
    let writing = true;
    const got: string[] = [];
    const reading = (async () => {
      for (let last = false; !last;) {
        last = !writing;
        const { codes, position } = await read(at, 3);
        at = position;
        got.push(...codes);
        if (codes.length > 0) last = false;
        await pause(1);
      }
    })();
    await Promise.all(
      devices.map(async ({ id }, writer) => {
        for (let i = 0; i < 5; i++) {
          await raise(id, `W${writer}-${i}`, async () => {
            await pause((writer * 3 + i * 7) % 5);
            if (i === 2) throw new Error('rolled back');
          }).catch(() => {});
        }
      }),
    );
    writing = false;
    await reading;
    const all = devices.flatMap((_, writer) => [0, 1, 3, 4].map((i) => `W${writer}-${i}`));
    expect(got.toSorted()).toEqual(all.toSorted());
  });

  test('are moved on by one of many processes that have read the same', async () => {
    const { db } = database();
    const from = await findReaderPosition(db, 'notifications');
    const { id } = await device();
    await raise(id, 'ONCE');
    const { position } = await readChanges(db, from, KINDS, 10_000);
    const moved = await Promise.all(
      Array.from({ length: 12 }, () =>
        scene.write((trx) => moveReader(trx, 'notifications', from, position)),
      ),
    );
    expect(moved.filter(Boolean)).toHaveLength(1);
    expect(await findReaderPosition(db, 'notifications')).toEqual(position);
  });

  test('lose nothing to pruning that they have not read, and keep nothing that they have', async () => {
    const { db } = database();
    const { id } = await device();
    await raise(id, 'UNREAD');
    for (let i = 0; i < 3; i++)
      await scene.connected(receiver.url, { kinds: ['telemetry.sample'] });
    const { device: reporting } = await scene.connected(receiver.url);
    await scene.report(reporting, [{ at: clock.at, values: { acPowerW: 1 } }]);
    await scene.settled();
    const all = { before: clock.at + 1, entries: 1_000_000 };
    while ((await pruneLog(db, all, 2)) > 0);
    const from = await findReaderPosition(db, 'notifications');
    const unread = await read(from);
    expect(unread.codes).toContain('UNREAD');
    await scene.write((trx) => moveReader(trx, 'notifications', from, unread.position));
    while ((await pruneLog(db, all, 2)) > 0);
    expect((await read({ ...BEGINNING, ahead: [] })).codes).toEqual([]);
    expect(await readEntries(db, BEGINNING, 10)).toHaveLength(1);
  });

  test('of an older database read what had not been passed on', async () => {
    const { db, engine } = database();
    const [began, ended] = [await device(), await device()];
    for (const { id } of [began, ended]) await raise(id, 'FORMER');
    const alarms = await db
      .selectFrom('alarm')
      .select(['id', 'deviceId', 'plantId'])
      .where('code', '=', 'FORMER')
      .orderBy('id')
      .execute();
    for (const statement of [
      'drop table "logReader"',
      'drop index "eventChange"',
      'create table "alarmNotice" ("alarmId" text primary key, began integer not null, at bigint not null)',
      'delete from schema_migration where id = 155',
    ])
      await sql.raw(statement).execute(db);
    for (const [i, { id }] of alarms.entries())
      await sql`insert into "alarmNotice" ("alarmId", began, at) values (${id}, ${1 - i}, ${7 + i})`.execute(
        db,
      );
    expect(await migrate(db, engine, 0)).toEqual(['0155-log-readers.sql']);
    await scene.settled();
    const from = await findReaderPosition(db, 'notifications');
    const { changes } = await readChanges(db, from, KINDS, 100);
    expect(changes).toEqual(
      alarms.map(({ id, deviceId, plantId }, i) => ({
        kind: i === 0 ? 'alarm.raised' : 'alarm.cleared',
        plantId,
        events: [{ subject: deviceId, data: { alarmId: id } }],
      })),
    );
  });
});
