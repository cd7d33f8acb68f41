import type { OperationId } from '@helioport/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeAlarms } from '../../../packages/server/src/outbound/alarms/alarm-rows.ts';
import { bindDevice, endBinding } from '../../../packages/server/src/fleet/plants/bindings.ts';
import { archivePlant } from '../../../packages/server/src/fleet/plants/plants.ts';
import { sharePlant, unsharePlant } from '../../../packages/server/src/fleet/plants/shares.ts';
import { describeManagement } from '../../management/fixture.ts';
import { lists, type ListId } from './listed.ts';

/** How rows come and go in a list while somebody reads it. */
interface Rows {
  /** Adds one that is newer than all others. */
  append(): Promise<string>;
  /** Adds one that is older than all others. */
  insert(): Promise<string>;
  remove(id: string): Promise<void>;
}

/** What happens between two pages. */
type Event = 'append' | 'insert' | 'remove first' | 'remove last';

const between = fc.array(
  fc.array(fc.constantFrom<Event>('append', 'insert', 'remove first', 'remove last'), {
    maxLength: 3,
  }),
  { maxLength: 8 },
);

describeManagement('while rows come and go', ({ clock, fleet, person, call }) => {
  /** Rows that existed before anybody saw them are made first: ids are ordered by time. */
  const plants = async (owner: { id: string; email: string }): Promise<Rows> => {
    const other = await fleet.person();
    const older: string[] = [];
    for (let i = 0; i < 12; i++) older.push(await fleet.plant(other.id));
    const shared = new Set<string>();
    return {
      append: () => fleet.plant(owner.id),
      async insert() {
        const id = older.pop()!;
        shared.add(id);
        await fleet.write((trx) => sharePlant(trx, fleet.act(), id, owner.email, 'read'));
        return id;
      },
      remove: (id) =>
        fleet.write((trx) =>
          shared.has(id)
            ? unsharePlant(trx, fleet.act(), id, owner.email)
            : archivePlant(trx, fleet.act(), id),
        ),
    };
  };
  const devices = async (
    owner: { id: string },
    kind: Exclude<(typeof lists)[ListId], 'plant'>,
  ): Promise<Rows> => {
    const plantId = await fleet.plant(owner.id);
    const older: string[] = [];
    for (let i = 0; i < 12; i++) older.push((await fleet.device(null, { kind })).id);
    return {
      append: async () => (await fleet.device(plantId, { kind })).id,
      async insert() {
        const id = older.pop()!;
        await fleet.write((trx) => bindDevice(trx, fleet.act(), id, plantId));
        return id;
      },
      remove: (id) => fleet.write((trx) => endBinding(trx, fleet.act(), id, plantId)),
    };
  };

  test.each(Object.keys(lists) as ListId[])(
    '%s shows nobody a row twice and hides none that was there all the time',
    async (id) => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom('pageNo', 'minId'),
          fc.integer({ min: 1, max: 4 }),
          between,
          async (way, pageSize, events) => {
            const owner = await person();
            const rows = await (lists[id] === 'plant' ? plants(owner) : devices(owner, lists[id]));
            const present: string[] = [];
            for (let i = 0; i < 7; i++) present.push(await rows.append());
            const throughout = new Set(present);
            let inserted = 0;
            const change = async (event: Event): Promise<void> => {
              clock.at += 1;
              if (event === 'append') present.push(await rows.append());
              if (event === 'insert' && inserted++ < 12) present.unshift(await rows.insert());
              const gone =
                event === 'remove first'
                  ? present.shift()
                  : event === 'remove last'
                    ? present.pop()
                    : undefined;
              if (gone !== undefined) {
                throughout.delete(gone);
                await rows.remove(gone);
              }
            };
            const seen: string[] = [];
            for (let pageNo = 1; ; pageNo++) {
              const place =
                way === 'pageNo' || seen.length === 0
                  ? { pageNo: way === 'pageNo' ? pageNo : 1 }
                  : { minId: String(BigInt(seen.at(-1)!) + 1n) };
              const { code, data } = await call(owner, id, { ...place, pageSize });
              expect(code).toBe('0');
              const { records } = data.page ?? data;
              seen.push(...records.map((record: { id: string }) => record.id));
              if (records.length < pageSize) break;
              for (const event of events.shift() ?? []) await change(event);
            }
            expect(seen).toEqual([...new Set(seen)]);
            expect([...throughout].filter((row) => !seen.includes(row))).toEqual([]);
          },
        ),
        { numRuns: 8 },
      );
    },
  );

  test('alarmList: the newest first, while alarms begin', async () => {
    const owner = await person();
    const { id } = await fleet.device(await fleet.plant(owner.id));
    let number = 0;
    const raise = (): Promise<void> =>
      fleet.write(async (trx) => {
        clock.at += 1;
        const fault = {
          code: `T${number++}`,
          level: 1,
          message: 'made up',
          beginAt: clock.at,
        } as const;
        await changeAlarms(trx, { now: clock.at, newId: fleet.newId }, id, [{ raise: fault }]);
      });
    for (let i = 0; i < 7; i++) await raise();
    const seen: string[] = [];
    for (let pageNo = 1; pageNo <= 4; pageNo++) {
      const { data } = await call(owner, 'alarmList' satisfies OperationId, {
        pageNo,
        pageSize: 2,
      });
      seen.push(...data.records.map(({ alarmCode }: { alarmCode: string }) => alarmCode));
      await raise();
    }
    expect(seen).toEqual(['T6', 'T5', 'T4', 'T3', 'T2', 'T1', 'T0']);
  });

  test('a place in a list is forgotten after an hour, and belongs to one key and one question', async () => {
    const owner = await person();
    const again = await person();
    const ids: string[] = [];
    for (let i = 0; i < 6; i++) ids.push(await fleet.plant(owner.id));
    const page = async (who: typeof owner, body: object) =>
      (await call(who, 'userStationList', { pageSize: 2, ...body })).data.page.records.map(
        (record: { id: string }) => record.id,
      );
    expect(await page(owner, { pageNo: 1 })).toEqual(ids.slice(0, 2));
    await fleet.write((trx) => archivePlant(trx, fleet.act(), ids[0]!));
    // Goes on after the second, though it is the first now.
    expect(await page(owner, { pageNo: 2 })).toEqual(ids.slice(2, 4));
    expect(await page(owner, { pageNo: 2, pageSize: 3 })).toEqual(ids.slice(4));
    expect(await page(owner, { pageNo: 2, idList: ids })).toEqual(ids.slice(3, 5));
    await fleet.write((trx) => sharePlant(trx, fleet.act(), ids[1]!, again.email, 'read'));
    expect(await page(again, { pageNo: 2 })).toEqual([]);
    clock.at += 3_600_000;
    expect(await page(owner, { pageNo: 2 })).toEqual(ids.slice(3, 5));
  });
});
