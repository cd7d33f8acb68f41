import { randomInt } from 'node:crypto';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { HandedInstruction } from '../../packages/server/src/control/commands/instruction.ts';
import {
  describeStrategies,
  type Battery,
  type Partner,
  type StrategyScene,
} from '../strategies/scene.ts';
import { effort } from '../support/effort.ts';
import { describeLoad, type TestDatabase } from '../support/engines.ts';
import { serve, type ServerProcess } from '../support/server-process.ts';

const KILLS = effort(2, 50);
/** Two settings are read, written and read back, and the same again to restore them. */
const INSTRUCTIONS_AT_MOST = 14;

/** What a strategy makes of the settings that it changes. */
const LIMITED = { 230: '1000', 636: '33' };

// interface C31, C32
describeStrategies('kill -9 in the middle of a strategy', suite, describeLoad);

function suite(scene: StrategyScene): void {
  const { clock, database } = scene;

  test(
    `leaves each device with the settings of the strategy or with its former ones, and in the end with these, ${KILLS} times`,
    { timeout: effort(60_000, 1_200_000) },
    async () => {
      for (let kill = 0; kill < KILLS; kill++) {
        clock.at = Date.now();
        const here = await scene.battery();
        const before = here.registers();
        const partner = await scene.partner(here.ownerId);
        const servers = [startServer(database()), startServer(database())];
        const gateways = await Promise.all(
          servers.map(async ({ started }) => (await started)['gateway']!),
        );
        const id = await partner.dispatch({ sn: here.sn });
        await obeyUntilKilled(here, partner, id, {
          servers,
          gateways,
          after: randomInt(1, INSTRUCTIONS_AT_MOST),
        });
        clock.at = Date.now();
        await goOn(here);
        const { state } = await scene.stored(id, here);
        // A write that was handed over and never carried out has failed.
        expect(here.registers()).toEqual(state === 'active' ? { ...before, ...LIMITED } : before);
        await scene.ask('strategy/cancel', partner.caller, { id });
        await goOn(here);
        expect(here.registers()).toEqual(before);
        expect(await scene.stored(id, here)).toMatchObject({ restoredAt: expect.any(Number) });
      }
    },
  );

  /** The collector calls one server and the other, until both are killed; half of the time, the application cancels the strategy meanwhile. */
  async function obeyUntilKilled(
    here: Battery,
    partner: Partner,
    id: string,
    {
      servers,
      gateways,
      after,
    }: {
      readonly servers: readonly ServerProcess[];
      readonly gateways: readonly string[];
      readonly after: number;
    },
  ): Promise<void> {
    const headers = { Authorization: `Bearer ${here.token}`, 'Content-Type': 'application/json' };
    const cancelAfter = randomInt(2) === 0 ? Infinity : randomInt(1, INSTRUCTIONS_AT_MOST);
    const killAll = (): void => {
      for (const server of servers) server.kill('SIGKILL');
    };
    const late = setTimeout(killAll, 10_000);
    let carriedOut = 0;
    try {
      for (let call = 0; ; call++) {
        const gateway = gateways[call % gateways.length]!;
        const { commands } = (await (
          await fetch(`${gateway}/v1/commands?wait=1`, { headers })
        ).json()) as { commands: HandedInstruction[] };
        for (const instruction of commands) {
          const result = scene.carryOut(here, instruction);
          carriedOut += 1;
          if (carriedOut === after) setTimeout(killAll, randomInt(0, 10));
          if (carriedOut === cancelAfter)
            await scene.ask('strategy/cancel', partner.caller, { id });
          await pause(randomInt(0, 5));
          await fetch(`${gateway}/v1/results`, {
            method: 'POST',
            headers,
            body: JSON.stringify({ results: [result] }),
          });
        }
        // Nothing more will come before the strategy is over.
        if (commands.length === 0 && carriedOut > 0) killAll();
      }
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
    }
    clearTimeout(late);
    for (const server of servers) expect((await server.ended).signal).toBe('SIGKILL');
  }

  /** Another instance goes on where the killed ones stopped. */
  async function goOn(here: Battery): Promise<void> {
    const open = () =>
      database()
        .db.selectFrom('command')
        .select('id')
        .where('deviceId', '=', here.deviceId)
        .where('endedAt', 'is', null)
        .execute();
    // Leases of the killed ones run out.
    for (let round = 0; round < 4 || (await open()).length > 0; round++) {
      expect(round).toBeLessThan(100);
      await scene.wait(10_000, here);
    }
  }
}

function startServer({ engine, address }: TestDatabase): ServerProcess {
  const folder = engine === 'sqlite' ? dirname(address) : process.cwd();
  const storage: Record<string, string> =
    engine === 'sqlite' ? { HELIOPORT_DATA_DIR: folder } : { HELIOPORT_DATABASE_URL: address };
  const limits = { HELIOPORT_COLLECTOR_RATE_LIMIT: 'off' };
  return serve(folder, {
    ...storage,
    ...limits,
    HELIOPORT_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    HELIOPORT_ROLES: 'gateway,worker',
  });
}
