import { randomInt } from 'node:crypto';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Instruction } from '../../packages/server/src/control/commands/instruction.ts';
import { createControlScene, type Home } from '../commands/scene.ts';
import { effort } from '../support/effort.ts';
import { describeEngines, type TestDatabase } from '../support/engines.ts';
import { serve, type ServerProcess } from '../support/server-process.ts';
import { addKey, signed } from '../user-api/fixture.ts';

const KILLS = effort(2, 50);
const HOMES = 3;
/** A device is read, written and read back for each of its commands. */
const INSTRUCTIONS_AT_MOST = 60;

/** What is written to each device, every value other than the one before. */
const WRITES = {
  15: '90',
  157: '21',
  158: '12',
  160: '7',
  469: '11',
  7229: '40',
  7963: '95',
  172: '200',
} as const;
const BEFORE = {
  15: '100',
  157: '30',
  158: '10',
  160: '5',
  469: '10',
  7229: '30',
  7963: '100',
  172: '100',
} as const;

/** A collector behind the real gateway: it reports what it did until somebody says that it has arrived. */
interface Obeying {
  readonly home: Home;
  /** How often the inverter was written, by command. */
  readonly writes: Map<string, number>;
  readonly unsent: object[];
}

// interface C12, C14
describeEngines('kill -9 in the middle of control', (database) => {
  const scene = createControlScene(database);
  const { clock } = scene;

  test(`loses no command, has none written twice, and brings every one to its end, ${KILLS} times`, async () => {
    let written = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      clock.at = Date.now();
      const homes = await Promise.all(Array.from({ length: HOMES }, () => scene.home()));
      for (const { box } of homes) Object.assign(box.values, BEFORE);
      const obeying = homes.map((home): Obeying => ({ home, writes: new Map(), unsent: [] }));
      const server = startServer(database());
      const addresses = await server.started;
      // After so many instructions, and a little later.
      const after = randomInt(1, INSTRUCTIONS_AT_MOST);
      let carriedOut = 0;
      const kill9 = (): void => server.kill('SIGKILL');
      const onCarriedOut = (): void =>
        void (++carriedOut === after && setTimeout(kill9, randomInt(0, 10)));
      const killed = setTimeout(kill9, 20_000);
      const [acknowledged] = await Promise.all([
        Promise.all(homes.map((home) => command(addresses['user-api']!, home))),
        ...obeying.map((one) => obey(addresses['gateway']!, one, onCarriedOut)),
      ]);
      clearTimeout(killed);
      expect((await server.ended).signal).toBe('SIGKILL');
      for (const [i, one] of obeying.entries()) written += await check(one, acknowledged[i]!);
    }
    expect(written).toBeGreaterThanOrEqual(KILLS);
  });

  /** Asks for every write, half of them waiting for the device; returns the commands that were acknowledged, and which of them as confirmed. */
  async function command(
    api: string,
    { ownerId, sn }: Home,
  ): Promise<{ readonly id: string; readonly confirmed: boolean }[]> {
    const key = await addKey(scene, { accountId: ownerId });
    const acknowledged: { id: string; confirmed: boolean }[] = [];
    const ask = async (path: string, body: object): Promise<any> => {
      const { headers, body: text } = signed({
        key,
        at: Date.now(),
        path,
        body: JSON.stringify(body),
      });
      const answer = await fetch(api + path, {
        method: 'POST',
        headers: headers.map(([name, value]) => [name, value] as [string, string]),
        body: text as string,
      });
      return answer.json();
    };
    await Promise.all(
      Object.entries(WRITES).map(async ([cid, value], i) => {
        try {
          if (i % 2 === 0) {
            const { code, data } = await ask('/v2/api/command/send', { sn, cid, value });
            if (code === '0') acknowledged.push({ id: data.id, confirmed: false });
          } else {
            const { code, data } = await ask('/v2/api/control', { inverterSn: sn, cid, value });
            if (code === '0')
              acknowledged.push({
                id: data[0].orderId.split('_')[1],
                confirmed: data[0].code === 0,
              });
          }
        } catch (error) {
          // The server is gone: it may have been queued or not.
          if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
        }
      }),
    );
    return acknowledged;
  }

  const carryOut = ({ home, writes, unsent }: Obeying, instruction: Instruction): void => {
    const [id] = instruction.id.split('.') as [string];
    if (instruction.action === 'write') writes.set(id, (writes.get(id) ?? 0) + 1);
    unsent.push(home.box.carryOut(instruction));
  };

  async function obey(gateway: string, one: Obeying, onCarriedOut: () => void): Promise<void> {
    const headers = {
      Authorization: `Bearer ${one.home.token}`,
      'Content-Type': 'application/json',
    };
    try {
      for (;;) {
        const { commands } = (await (
          await fetch(`${gateway}/v1/commands?wait=1`, { headers })
        ).json()) as { commands: Instruction[] };
        // A bus takes its time.
        await pause(randomInt(0, 5));
        for (const instruction of commands) {
          carryOut(one, instruction);
          onCarriedOut();
        }
        if (one.unsent.length === 0) continue;
        const answer = await fetch(`${gateway}/v1/results`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ results: one.unsent }),
        });
        expect(await answer.json()).toMatchObject({ refused: [] });
        one.unsent.length = 0;
      }
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
    }
  }

  /** Another instance goes on where the killed one stopped. Returns how many commands were written. */
  async function check(
    one: Obeying,
    acknowledged: Awaited<ReturnType<typeof command>>,
  ): Promise<number> {
    const { home, writes, unsent } = one;
    const open = () =>
      database()
        .db.selectFrom('command')
        .select('id')
        .where('deviceId', '=', home.deviceId)
        .where('endedAt', 'is', null)
        .execute();
    clock.at = Math.max(clock.at, Date.now());
    for (let round = 0; (await open()).length > 0; round++) {
      expect(round).toBeLessThan(300);
      if (unsent.length > 0) await home.box.report(...unsent, ...unsent.splice(0));
      const handed = await home.box.fetch();
      for (const instruction of handed) carryOut(one, instruction);
      await scene.runTime();
      if (handed.length === 0) clock.at += 5_000;
    }
    const commands = await database()
      .db.selectFrom('command')
      .select(['id', 'parameter', 'state', 'sentAt'])
      .where('deviceId', '=', home.deviceId)
      .execute();
    for (const { id, confirmed } of acknowledged) {
      const found = commands.find((stored) => stored.id === id);
      expect([id, found !== undefined]).toEqual([id, true]);
      if (confirmed) expect([found, writes.get(id)]).toMatchObject([{ state: 'verified' }, 1]);
    }
    for (const { id, parameter, state, sentAt } of commands) {
      const times = writes.get(id) ?? 0;
      expect([id, times <= 1]).toEqual([id, true]);
      // Nothing is written of which nobody knows, and the device has what is said to be verified.
      if (times === 1) expect([id, state]).toEqual([id, 'verified']);
      if (state === 'verified')
        expect([id, home.box.values[parameter]]).toEqual([id, WRITES[parameter as unknown as 15]]);
      if (sentAt === null) expect([id, times]).toEqual([id, 0]);
      expect(['verified', 'failed', 'cancelled', 'expired']).toContain(state);
    }
    return [...writes.values()].reduce((sum, times) => sum + times, 0);
  }
});

function startServer({ engine, address }: TestDatabase): ServerProcess {
  const folder = engine === 'sqlite' ? dirname(address) : process.cwd();
  const storage: Record<string, string> =
    engine === 'sqlite' ? { HELIOPORT_DATA_DIR: folder } : { HELIOPORT_DATABASE_URL: address };
  const limits = { HELIOPORT_RATE_LIMIT: 'off', HELIOPORT_COLLECTOR_RATE_LIMIT: 'off' };
  return serve(folder, {
    ...storage,
    ...limits,
    HELIOPORT_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    HELIOPORT_ROLES: 'user-api,gateway,worker',
  });
}
