import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { RECALCULATE } from '../../packages/server/src/fleet/plants/tariffs/recalculation.ts';
import { armTasks } from '../../packages/server/src/platform/work/arm.ts';
import { LEASE_MS } from '../../packages/server/src/platform/work/claim.ts';
import { effort, proving } from '../support/effort.ts';
import { describeLoad, type TestDatabase } from '../support/engines.ts';
import { lanesWith } from '../work/lanes.ts';

const INSTANCES = 3;
const QUEUED = effort(200, 10_000);
const HANGING = 4;
const KILLS = effort(1, 10);
const START_LIMIT_MS = 2_000;
/** A lease, and the second in which it is noticed; the rest is for a busy machine. */
const TAKEN_UP_LIMIT_MS = LEASE_MS + 3_000;

const SCRIPT = fileURLToPath(new URL('../work/instance.ts', import.meta.url));

interface Witness {
  readonly event: 'begin' | 'end';
  readonly kind: string;
  readonly key: string;
  readonly run: string;
  readonly process: number;
  readonly at: number;
}

async function startInstance({ address }: TestDatabase): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', SCRIPT, address],
    { stdio: ['pipe', 'pipe', 'ignore'] },
  );
  await once(child.stdout, 'data');
  return child;
}

describeLoad('work on three instances', (database) => {
  const db = () => database().db;
  const witnesses = async (): Promise<Witness[]> =>
    (
      await sql<Witness>`select event, kind, key, run, process, at from witness order by no`.execute(
        db(),
      )
    ).rows;

  test(
    `${QUEUED} queued recalculations and ${HANGING} that hang hold up no other kind, killed instances' work is taken up, nothing runs twice at once`,
    async () => {
      const { engine } = database();
      await sql
        .raw(
          `create table witness (no ${engine === 'postgres' ? 'serial' : 'integer'} primary key, event text, kind text, key text, run text, process bigint, at bigint)`,
        )
        .execute(db());
      await sql`create table effect (key text)`.execute(db());
      const arm = (kind: string, keys: string[], at = Date.now()) =>
        db()
          .transaction()
          .execute((trx) => armTasks(trx, kind, keys, at));
      await arm(
        RECALCULATE,
        Array.from({ length: HANGING }, (_, i) => String(-1 - i)),
        Date.now() - 60_000,
      );
      const queued = Array.from({ length: QUEUED }, (_, i) => String(1_000_000 + i));
      await arm(RECALCULATE, queued, Date.now() - 30_000);

      const instances = await Promise.all(
        Array.from({ length: INSTANCES }, () => startInstance(database())),
      );
      const hung = async () =>
        new Set(
          (await witnesses())
            .filter(({ kind, key }) => kind === RECALCULATE && key.startsWith('-'))
            .map(({ key }) => key),
        );
      await expect.poll(async () => (await hung()).size, { timeout: 60_000 }).toBe(HANGING);

      const waits: { readonly task: string; readonly ms: number }[] = [];
      const takenUp: number[] = [];
      const lanes = lanesWith({ db: db() });
      const others = Object.entries(lanes).flatMap(([kind, { keys = [''] }]) =>
        kind === RECALCULATE ? [] : keys.map((key) => [kind, key] as const),
      );
      /** Arms every other kind and sees each begin, except what a killed instance has in hand. */
      async function probe(left: readonly string[] = []): Promise<void> {
        const armedAt = new Map<string, number>();
        for (const [kind, key] of others) {
          if (left.includes(`${kind} ${key}`)) continue;
          armedAt.set(`${kind} ${key}`, Date.now());
          await arm(kind, [key]);
        }
        const from = Math.min(...armedAt.values());
        await expect
          .poll(
            async () => {
              const begun = (await witnesses()).filter(
                ({ event, at }) => event === 'begin' && at >= from,
              );
              for (const [task, since] of armedAt) {
                const first = begun.find(
                  ({ kind, key, at }) => `${kind} ${key}` === task && at >= since,
                );
                if (first && armedAt.delete(task)) waits.push({ task, ms: first.at - since });
              }
              return [...armedAt.keys()];
            },
            { timeout: 60_000 },
          )
          .toEqual([]);
      }

      const name = ({ kind, key }: { kind: string; key: string }): string => `${kind} ${key}`;
      /** What is claimed, and by none of these processes: a killed instance has left it behind. */
      async function leftBehind(living: readonly ChildProcess[]): Promise<string[]> {
        const claimed = await db()
          .selectFrom('task')
          .select(['kind', 'key'])
          .where('claimedUntil', '>', 0)
          .execute();
        const all = await witnesses();
        const ended = new Set(all.flatMap(({ event, run }) => (event === 'end' ? [run] : [])));
        const inHand = new Set(
          all
            .filter((one) => living.some(({ pid }) => pid === one.process) && !ended.has(one.run))
            .map(name),
        );
        return claimed.map(name).filter((task) => !inHand.has(task));
      }
      const running = async ({ pid }: ChildProcess): Promise<number> =>
        (await witnesses()).filter(({ process, key }) => process === pid && key.startsWith('-'))
          .length;

      await probe();
      for (let kill = 0; kill < KILLS; kill++) {
        // One that has something in hand.
        const holding = await Promise.all(instances.map(running));
        const at = holding.indexOf(Math.max(...holding));
        const victim = instances[at]!;
        const killedAt = Date.now();
        victim.kill('SIGKILL');
        await once(victim, 'exit');
        const claimed = await leftBehind(instances.filter((instance) => instance !== victim));
        // As whatever watches over processes would: of six places four hang.
        instances[at] = await startInstance(database());
        const begunSince = async (): Promise<Map<string, number>> => {
          const since = (await witnesses()).filter(
            (one) => one.event === 'begin' && one.process !== victim.pid && one.at > killedAt,
          );
          return new Map(since.toReversed().map((one) => [name(one), one.at - killedAt]));
        };
        // Without what the others were just about to release.
        const [begun, still] = [await begunSince(), await leftBehind(instances)];
        const left = claimed.filter((task) => begun.has(task) || still.includes(task));
        expect(left.length).toBeGreaterThan(0);
        await probe(left);
        const untaken = async (): Promise<string[]> => {
          const now = await begunSince();
          return left.filter((task) => !now.has(task));
        };
        await expect.poll(untaken, { timeout: 2 * TAKEN_UP_LIMIT_MS }).toEqual([]);
        const taken = await begunSince();
        takenUp.push(...left.map((task) => taken.get(task)!));
      }

      const effects = async () =>
        (await sql<{ key: string }>`select key from effect`.execute(db())).rows.map(
          ({ key }) => key,
        );
      await expect
        .poll(async () => (await effects()).length, {
          timeout: effort(60_000, 1_800_000),
          interval: 500,
        })
        .toBeGreaterThanOrEqual(QUEUED);
      for (const instance of instances) {
        instance.kill('SIGKILL');
        await once(instance, 'exit');
      }
      expect((await effects()).toSorted()).toEqual(queued);
      expect(overlaps(await witnesses())).toEqual([]);
      expect(waits.filter(({ ms }) => ms >= START_LIMIT_MS)).toEqual([]);
      expect(Math.max(...takenUp)).toBeLessThan(TAKEN_UP_LIMIT_MS);
      if (proving)
        console.log({
          engine,
          queued: QUEUED,
          begun: waits.length,
          begunWithinMs: Math.max(...waits.map(({ ms }) => ms)),
          takenUpWithinMs: Math.max(...takenUp),
          takenUp: takenUp.length,
        });
    },
    effort(120_000, 3_600_000),
  );
});

/** Runs of a task that began between the begin and the end of another run of it. */
function overlaps(witnesses: readonly Witness[]): Witness[] {
  const found: Witness[] = [];
  for (const of of Map.groupBy(witnesses, ({ kind, key }) => `${kind} ${key}`).values()) {
    for (const [i, begin] of of.entries()) {
      if (begin.event !== 'begin') continue;
      const end = of.findIndex(({ event, run }) => event === 'end' && run === begin.run);
      found.push(...of.slice(i + 1, Math.max(end, i + 1)).filter(({ event }) => event === 'begin'));
    }
  }
  return found;
}
