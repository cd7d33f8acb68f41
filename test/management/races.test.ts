import { expect, test } from 'vitest';
import type { OperationId } from '@helioport/contract';
import { assignCollector } from '../../packages/server/src/fleet/devices/devices.ts';
import { countMiscounts } from '../../packages/server/src/fleet/plants/fleet/recount.ts';
import { createChance } from '../prove/hostile/chance.ts';
import { effort } from '../support/effort.ts';
import { describeManagement, minimal, type Person } from './fixture.ts';
import { linksAcrossOwners } from './links.ts';

describeManagement(
  'owners who move the same devices at once',
  ({ fleet, database, person, call, collector }) => {
    test(
      'wait for one another and never block one another; what is left fits together',
      { timeout: 120_000 },
      async () => {
        const { below: pick } = createChance(20_261_121);
        const owners: Person[] = [await person(), await person(), await person()];
        const plants = new Map<Person, string[]>();
        for (const owner of owners)
          plants.set(owner, [await fleet.plant(owner.id), await fleet.plant(owner.id)]);
        const collectors = [await collector(), await collector()];
        const inverters = await Promise.all(Array.from({ length: 6 }, () => fleet.device(null)));
        for (const [i, { id }] of inverters.entries())
          await fleet.write((trx) => assignCollector(trx, id, collectors[i % 2]!.id));
        const some = <T>(items: readonly T[]): T[] => items.filter(() => pick(2) === 0);
        const sns = (devices: readonly { sn: string }[]): string[] => {
          const chosen = some(devices).map(({ sn }) => sn);
          return chosen.length > 0
            ? pick(2) === 0
              ? chosen
              : chosen.toReversed()
            : [devices[pick(devices.length)]!.sn];
        };
        const any = (): [OperationId, (owner: Person) => Record<string, unknown>] => {
          const all = [...collectors, ...inverters];
          const plantOf = (owner: Person): string => plants.get(owner)![pick(2)]!;
          return (
            [
              ['addDevice', (owner: Person) => ({ id: plantOf(owner), sn: sns(all) })],
              ['unbindDevice', () => ({ sn: sns(all) })],
              ['delCollector', () => ({ sn: sns(collectors), deleteInvert: pick(2) })],
              ['addStation', () => ({ ...minimal, collectorSn: sns(collectors) })],
            ] as const
          )[pick(4)] as never;
        };
        const seen = new Map<string, number>();
        for (let round = 0; round < effort(25, 300); round++) {
          const calls = owners.flatMap((owner) =>
            Array.from({ length: 3 }, () => [owner, any()] as const),
          );
          const answers = await Promise.all(
            calls.map(([owner, [id, body]]) => call(owner, id, body(owner))),
          );
          for (const { code } of answers) seen.set(code, (seen.get(code) ?? 0) + 1);
        }
        expect([...seen.keys()].toSorted()).toEqual(['0', 'B0001', 'B0049', 'R0000']);

        const { db } = database();
        for (const { id } of [...collectors, ...inverters]) {
          const { plantId } = await db
            .selectFrom('device')
            .select('plantId')
            .where('id', '=', id)
            .executeTakeFirstOrThrow();
          const bindings = await db
            .selectFrom('binding')
            .select(['plantId', 'fromAt', 'toAt'])
            .where('deviceId', '=', id)
            .orderBy('no')
            .execute();
          expect(bindings.filter(({ toAt }) => toAt === null).map((open) => open.plantId)).toEqual(
            plantId === null ? [] : [plantId],
          );
          for (const [i, { fromAt }] of bindings.entries())
            expect(fromAt).toBeGreaterThanOrEqual(bindings[i - 1]?.toAt ?? 0);
        }
        expect(await linksAcrossOwners(db)).toEqual([]);
        expect(await countMiscounts(db)).toBe(0);
      },
    );
  },
);
