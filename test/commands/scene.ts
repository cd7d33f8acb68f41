import type { Caller } from '../../packages/server/src/identity/accounts/caller.ts';
import { insertCollector } from '../../packages/server/src/fleet/collectors/collectors.ts';
import type { ReportingCollector } from '../../packages/server/src/fleet/collectors/authenticate.ts';
import { authenticateCollector } from '../../packages/server/src/fleet/collectors/authenticate.ts';
import { createReportLimit } from '../../packages/server/src/fleet/collectors/limits/limit.ts';
import type { CollectorOutcome } from '../../packages/server/src/fleet/collectors/outcome.ts';
import {
  createExchange,
  type CommandExchange,
} from '../../packages/server/src/control/commands/exchange.ts';
import type { HandedInstruction } from '../../packages/server/src/control/commands/instruction.ts';
import { COMMAND_TIME } from '../../packages/server/src/control/commands/open-commands.ts';
import { queueCommands } from '../../packages/server/src/control/commands/queue.ts';
import { createCommandTime } from '../../packages/server/src/control/commands/time.ts';
import { assignCollector } from '../../packages/server/src/fleet/devices/devices.ts';
import { bindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import { createRunner } from '../../packages/server/src/platform/work/runner.ts';
import { createFleet } from '../operations/fleet.ts';
import type { TestDatabase } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { ownBuckets } from '../../packages/server/src/platform/kernel/token-buckets.ts';

/** A model whose profile can be written. */
export const MODEL = 'SIM-8K-ES';

/** An inverter in a plant, with the collector that it is reached through. */
export interface Home {
  readonly ownerId: string;
  readonly ownerEmail: string;
  readonly owner: Caller;
  readonly plantId: string;
  readonly deviceId: string;
  readonly sn: string;
  readonly collectorId: string;
  readonly collectorSn: string;
  readonly token: string;
  /** Its public id. */
  readonly tokenId: string;
  readonly box: Box;
}

/** A collector and the inverter behind it, as simple as can be: it does what it is asked, and remembers what was written. */
export interface Box {
  /** What the inverter has, by parameter. */
  readonly values: Record<string, string>;
  /** Every write that reached it. */
  readonly writes: [parameter: string, value: string][];
  fetch(): Promise<readonly HandedInstruction[]>;
  /** What it would report of an instruction, after doing it. */
  carryOut(instruction: HandedInstruction): object;
  report(...results: object[]): Promise<CollectorOutcome>;
  /** Fetches, does and reports until nothing is left to do; returns what it was asked, in words. */
  obey(): Promise<string[]>;
}

export const wordsOf = ({ action, parameter, value }: HandedInstruction): string =>
  `${action} ${parameter}${value === undefined ? '' : ` ${value}`}`;

/** Homes with inverters that obey, on a database, by a clock. */
export function createControlScene(database: () => TestDatabase) {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const fleet = createFleet(database, clock);
  let made: CommandExchange | undefined;
  const exchange = (): CommandExchange =>
    (made ??= createExchange({
      db: database().db,
      clock,
      limit: createReportLimit({ buckets: ownBuckets(clock), perSecond: null }),
      wakeUps: database().wakeUps,
    }));

  function box(token: string, values: Record<string, string>): Box {
    const sender = (): Promise<ReportingCollector> =>
      authenticateCollector(database().db, token, clock.now());
    const writes: [string, string][] = [];
    const self: Box = {
      values,
      writes,
      fetch: async () => exchange().instructions(await sender(), 0, new AbortController().signal),
      carryOut({ id, action, parameter, value }) {
        if (action === 'read') {
          const has = values[parameter];
          return has === undefined
            ? { id, ok: false, error: 'no such register' }
            : { id, ok: true, value: has, raw: has };
        }
        writes.push([parameter, value!]);
        values[parameter] = value!;
        return { id, ok: true };
      },
      report: async (...results) => exchange().results(await sender(), () => results),
      async obey() {
        const said: string[] = [];
        for (let next = await self.fetch(); next.length > 0; next = await self.fetch()) {
          said.push(...next.map(wordsOf));
          await self.report(...next.map(self.carryOut));
        }
        return said;
      },
    };
    return self;
  }

  return {
    ...fleet,
    clock,
    exchange,
    async home(
      change: { model?: string | null; ownerId?: string; facts?: object } = {},
    ): Promise<Home> {
      const owner = await fleet.person();
      const plantId = await fleet.plant(owner.id);
      const { id, sn } = await fleet.device(plantId, {
        model: change.model === undefined ? MODEL : change.model,
      });
      if (change.facts)
        await database()
          .db.updateTable('device')
          .set({ facts: JSON.stringify(change.facts) })
          .where('id', '=', id)
          .execute();
      const collectorSn = fleet.uniqueSn('COL');
      const collector = await fleet.write(async (trx) => {
        const added = await insertCollector(trx, fleet.act(), { sn: collectorSn });
        await bindDevice(trx, fleet.act(), added.id, plantId);
        await assignCollector(trx, id, added.id);
        return added;
      });
      const home: Home = {
        ownerId: owner.id,
        ownerEmail: owner.email,
        owner: userCaller(owner.id),
        plantId,
        deviceId: id,
        sn,
        collectorId: collector.id,
        collectorSn,
        token: collector.token,
        tokenId: collector.tokenId,
        box: box(collector.token, { 15: '100', 157: '30', 158: '10', 160: '5', 5916: '0' }),
      };
      // It is online from its first call on.
      await home.box.fetch();
      return home;
    },
    /** Does what time asks for. */
    runTime: (db = database().db) =>
      createRunner({
        db,
        clock,
        logger: {
          error: (fault: unknown) => {
            throw new Error(JSON.stringify(fault));
          },
          warn: () => {},
        },
        lanes: {
          [COMMAND_TIME]: { runsAtOnce: 2, limitSeconds: 60, ...createCommandTime({ db, clock }) },
        },
      }).runDue(),
    /** Queues a write, for the owner unless another is given. */
    send: (
      { sn, owner }: Home,
      parameter: string,
      value: string,
      more: object = {},
      caller = owner,
    ) => fleet.ask('command/send', caller, { sn, cid: parameter, value, ...more }),
    /** Queues a write, or a read without a value, for any requester; those who come by token have no operation that does not wait. */
    queueFor: async (
      caller: Caller,
      { deviceId, plantId }: Home,
      parameter: string,
      value: string | undefined,
      expiryMs = 300_000,
    ): Promise<{ id: string }> => {
      const expiresAt = clock.now() + expiryMs;
      const [id] = await fleet.write((trx) =>
        queueCommands(trx, fleet.act(), caller, [
          { deviceId, plantId, parameter, value, expiresAt },
        ]),
      );
      return { id: id! };
    },
    show: ({ owner }: Home, id: string) => fleet.ask('command/show', owner, { id }),
  };
}
