import type { KyselyPlugin } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { authenticateCollector } from '../../packages/server/src/fleet/collectors/authenticate.ts';
import { createReportLimit } from '../../packages/server/src/fleet/collectors/limits/limit.ts';
import { revokeTokens } from '../../packages/server/src/fleet/collectors/tokens.ts';
import {
  createCommandCalls,
  type CommandCalls,
} from '../../packages/server/src/control/commands/calls.ts';
import { createExchange } from '../../packages/server/src/control/commands/exchange.ts';
import type { HandedInstruction } from '../../packages/server/src/control/commands/instruction.ts';
import { assignCollector } from '../../packages/server/src/fleet/devices/devices.ts';
import type { Failure } from '../../packages/server/src/platform/kernel/failure.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { createControlScene, MODEL, wordsOf, type Home } from './scene.ts';
import { ownBuckets } from '../../packages/server/src/platform/kernel/token-buckets.ts';

let database: TestDatabase;
const scene = createControlScene(() => database);
const { clock, send, home } = scene;
beforeAll(async () => {
  database = await createSqliteDatabase();
});
afterAll(() => database.drop());

/** Called before the result of a query is handed to the caller that asked. */
let onResult: () => Promise<void> | void;
const watched: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    await onResult();
    return result;
  },
};

/** Wake-ups at the test's command. */
const wakers = new Set<() => void>();
const wakeUps = {
  on(_: string, wake: () => void) {
    wakers.add(wake);
    return () => void wakers.delete(wake);
  },
};
const ring = (): void => wakers.forEach((wake) => wake());

const senderOf = ({ collectorId, tokenId }: Home) => ({ collectorId, tokenId });
const isHere = new AbortController().signal;
/** Long enough for everything that is under way to have happened. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 60));

describe('collectors that wait for instructions', () => {
  let calls: CommandCalls;
  beforeEach(() => {
    // Nobody looks unless woken.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onResult = () => {};
    calls = createCommandCalls({ db: database.db.withPlugin(watched), clock, wakeUps });
  });
  afterEach(() => {
    calls.close();
    vi.useRealTimers();
  });

  /** A collector that stays connected, and what it gets. */
  const attending = (here: Home) => {
    const delivered: (readonly HandedInstruction[])[] = [];
    const refused: Failure[] = [];
    const leave = calls.attend(senderOf(here), {
      deliver: (instructions) => void delivered.push(instructions),
      refuse: (failure) => void refused.push(failure),
    });
    return { delivered, refused, leave, words: () => delivered.map((some) => some.map(wordsOf)) };
  };

  test('share one timer and one subscription, which end with the last of them', async () => {
    const [a, b, c] = [await home(), await home(), await home()];
    const first = attending(a);
    const second = attending(b);
    const waiting = calls.take(senderOf(c), 5_000, isHere);
    await settled();
    expect([vi.getTimerCount(), wakers.size]).toEqual([1, 1]);
    first.leave();
    second.leave();
    await send(c, '157', '20');
    ring();
    expect((await waiting).map(wordsOf)).toEqual(['read 157']);
    expect([vi.getTimerCount(), wakers.size]).toEqual([0, 0]);
  });

  test('learn by time alone what no wake-up brings', async () => {
    const here = await home();
    const { words } = attending(here);
    await settled();
    await send(here, '157', '20');
    await vi.advanceTimersByTimeAsync(1_000);
    await expect.poll(words).toEqual([['read 157']]);
  });

  test('get at once what was queued before they came', async () => {
    const here = await home();
    await send(here, '157', '20');
    await expect.poll(attending(here).words).toEqual([['read 157']]);
  });

  test('are looked for again if something is queued while they are being looked for', async () => {
    const here = await home();
    const { words } = attending(here);
    await settled();
    const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    onResult = () => {
      begun.resolve();
      return release.promise;
    };
    ring();
    await begun.promise;
    await send(here, '157', '20');
    ring();
    onResult = () => {};
    release.resolve();
    await expect.poll(words).toEqual([['read 157']]);
  });

  test('are handed one instruction after the other, the next one too if it becomes due meanwhile', async () => {
    const here = await home();
    const other = await scene.device(here.plantId, { model: MODEL });
    await scene.write((trx) => assignCollector(trx, other.id, here.collectorId));
    await send(here, '157', '20');
    const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let results = 0;
    onResult = () => {
      // The first one finds the collector, the second its device.
      if (++results !== 2) return undefined;
      begun.resolve();
      return release.promise;
    };
    const { delivered, words } = attending(here);
    await begun.promise;
    await scene.queueFor(here.owner, { ...here, deviceId: other.id }, '158', undefined);
    ring();
    await settled();
    expect(words()).toEqual([]);
    release.resolve();
    await expect.poll(words).toEqual([['read 157'], ['read 158']]);
    expect(delivered.map(([instruction]) => instruction!.sn)).toEqual([here.sn, other.sn]);
  });

  test('get neither commands nor refusals while the database is away, and the commands afterwards', async () => {
    const here = await home();
    await send(here, '157', '20');
    for (const failing of [1, 2]) {
      let results = 0;
      onResult = () => {
        if (++results === failing) throw new Error('away');
      };
      const { words, refused, leave } = attending(here);
      await settled();
      expect([results, words(), refused]).toEqual([failing, [], []]);
      if (failing === 1) leave();
      else {
        ring();
        await expect.poll(words).toEqual([['read 157']]);
      }
    }
  });

  test('are refused when they have no right any more, and get nothing if what was due may not be sent', async () => {
    const here = await home();
    const { words, refused } = attending(here);
    await scene.write((trx) =>
      revokeTokens(trx, scene.act(), { id: here.collectorId, sn: here.collectorSn }),
    );
    await scene.queueFor(here.owner, here, '157', undefined);
    ring();
    await expect.poll(() => refused.map(({ code }) => code)).toEqual(['notAuthenticated']);
    const idle = await home();
    const { words: others } = attending(idle);
    await settled();
    await send(idle, '157', '20');
    await database.db
      .updateTable('device')
      .set({ model: 'SIM-8K' })
      .where('id', '=', idle.deviceId)
      .execute();
    ring();
    await settled();
    expect([words(), others()]).toEqual([[], []]);
  });

  test('get everything once: a later receiver takes the place of the earlier one, whose end does not touch it', async () => {
    const here = await home();
    const [earlier, later] = [attending(here), attending(here)];
    earlier.leave();
    expect(wakers.size).toBe(1);
    await send(here, '157', '20');
    ring();
    await expect.poll(later.words).toEqual([['read 157']]);
    expect(earlier.words()).toEqual([]);
  });

  test('that are gone by then are handed nothing, and wait no longer', async () => {
    const here = await home();
    const gone = new AbortController();
    const waiting = calls.take(senderOf(here), 5_000, gone.signal);
    await expect.poll(() => wakers.size).toBe(1);
    gone.abort();
    // Neither the time passes here, nor is anything due.
    expect(await waiting).toEqual([]);
    expect([vi.getTimerCount(), wakers.size]).toEqual([0, 0]);
    const { id } = await send(here, '157', '20');
    ring();
    expect(await calls.take(senderOf(here), 5_000, gone.signal)).toEqual([]);
    expect(await scene.show(here, id)).toMatchObject({ state: 'queued' });
    expect((await here.box.fetch()).map(wordsOf)).toEqual(['read 157']);
  });

  test('wait no more once all waiting has ended', async () => {
    const [here, there] = [await home(), await home()];
    const { words } = attending(there);
    const waiting = calls.take(senderOf(here), 60_000, isHere);
    await expect.poll(() => wakers.size).toBe(1);
    const awake = [...wakers];
    calls.close();
    expect(await waiting).toEqual([]);
    expect(await calls.take(senderOf(here), 60_000, isHere)).toEqual([]);
    await send(there, '157', '20');
    for (const wake of awake) wake();
    await settled();
    expect([words(), vi.getTimerCount(), wakers.size]).toEqual([[], 0, 0]);
  });
});

describe('an exchange', () => {
  const exchangeWith = (perSecond: number) =>
    createExchange({
      db: database.db,
      clock,
      limit: createReportLimit({ buckets: ownBuckets(clock), perSecond }),
    });
  const collectorOf = ({ token }: Home) => authenticateCollector(database.db, token, clock.now());

  test('counts what a collector asks and answers, and reads no results beyond its limit', async () => {
    const collector = await collectorOf(await home());
    const exchange = exchangeWith(2);
    await exchange.instructions(collector, 0, isHere);
    let reads = 0;
    const read = () => {
      reads += 1;
      return [];
    };
    await exchange.results(collector, read);
    const tooMany = { code: 'tooManyRequests' };
    await expect(exchange.instructions(collector, 0, isHere)).rejects.toMatchObject(tooMany);
    await expect(exchange.results(collector, read)).rejects.toMatchObject(tooMany);
    expect(reads).toBe(1);
  });

  test('has forgotten a call when it ends, well or not: only so many are under way at a time', async () => {
    const collector = await collectorOf(await home());
    const exchange = exchangeWith(100);
    const fails = () => {
      throw new Error('unreadable');
    };
    for (let i = 0; i < 5; i++) {
      await exchange.instructions(collector, 0, isHere);
      await expect(exchange.results(collector, fails)).rejects.toThrow('unreadable');
    }
  });

  test('takes each call for a sign of life', async () => {
    const here = await home();
    const stateOf = async () =>
      (
        await database.db
          .selectFrom('device')
          .select('state')
          .where('id', '=', here.collectorId)
          .executeTakeFirstOrThrow()
      ).state;
    const exchange = exchangeWith(100);
    const offline = () =>
      database.db
        .updateTable('device')
        .set({ state: 2 })
        .where('id', '=', here.collectorId)
        .execute();
    await offline();
    await exchange.instructions(await collectorOf(here), 0, isHere);
    expect(await stateOf()).toBe(1);
    await offline();
    await exchange.results(await collectorOf(here), () => []);
    expect(await stateOf()).toBe(1);
  });
});
