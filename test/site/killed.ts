import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DAY_MS } from '@helioport/contract/durations';
import { expect } from 'vitest';
import { openBus } from '../../packages/collector/src/bus/open-bus.ts';
import { systemClock, timerPause } from '../../packages/collector/src/clock.ts';
import { replay } from '../../packages/collector/src/site/find/replay-server.ts';
import { createV5Parser, V5_CODES } from '../../packages/collector/src/solarman/v5-frame.ts';
import { startGatewayDouble } from '../collector/gateway-double.ts';
import { freePort } from '../support/free-port.ts';
import { createPlace } from './collecting.ts';
import { countOf, countRounds } from './counting-device.ts';
import { solisImage } from './solis-image.ts';
import { stickData } from './stick-data.ts';

const PROGRAM = fileURLToPath(new URL('../../packages/collector/src/bin.ts', import.meta.url));
const STICK = 2_700_000_001;
const POLLED = '1031051234567890';
/** Three bits of a word are set and cleared, the others belong to other parameters. */
const SWITCHES = 43_707;
const SET = ['5916', '5917', '5918'] as const;
const MASK = 0b111;
const OTHERS = 0b1010_1010_0101_0000;

/** Data of a stick of an instant. */
const frameOf = (at: number): Buffer =>
  stickData({ serial: STICK, sn: 'PUSHED0001', at, isKept: true, askerNumber: at & 0xff });

export interface Killed {
  /** How many reports of the stick were answered, and which of those never arrived. */
  readonly taken: number;
  readonly lost: readonly number[];
  /** The numbers of those rounds of the inverter that were the last ones before a kill, and never arrived. */
  readonly lostRounds: readonly number[];
  /** How many settings of the switches were seen, and those in which another bit of their word had changed. */
  readonly settings: number;
  readonly changed: readonly number[];
}

/** Kills a collector again and again, while a stick reports to it, an inverter counts, and its switches are set. */
export async function killCollector(kills: number, ends: (() => unknown)[]): Promise<Killed> {
  const gateway = await startGatewayDouble();
  ends.push(() => gateway.close());
  const { 3: holding = {}, 4: input = {} } = solisImage(POLLED);
  const device = await replay(
    {
      format: 'helioport-capture-1',
      family: null,
      unit: 1,
      tables: { holding: { ...holding, [SWITCHES]: [OTHERS] }, input },
    },
    { host: '127.0.0.1', port: 0 },
  );
  ends.push(() => device.close());
  const counting = await countRounds(device.port);
  ends.push(() => counting.close());
  const place = createPlace();
  ends.push(() => place.remove());
  const port = await freePort();
  writeFileSync(join(place.folder, 'token'), 'x'.repeat(40));
  writeFileSync(
    join(place.folder, 'collect.yaml'),
    [
      `gateway: ${gateway.url}`,
      'report-every: 5s',
      `listen: { solarman: 127.0.0.1:${port} }`,
      'devices:',
      `  - address: tcp://127.0.0.1:${counting.port}`,
      '    unit: 1',
      '    control: true',
      '    poll-every: 1s',
    ].join('\n'),
  );

  const seen = new Set<number>();
  const lastRounds: number[] = [];
  const look = openBus(
    { kind: 'tcp', host: '127.0.0.1', port: device.port },
    { clock: systemClock, pause: timerPause, random: Math.random },
  );
  ends.push(() => look.close());
  const switches = async (): Promise<number> =>
    (
      await look.hold(
        (line) => line.request({ unit: 1, fn: 3, address: SWITCHES, count: 1 }),
        'poll',
      )
    )[0]!;

  const taken = new Set<number>();
  // Long ago: a fast machine pushes tens of thousands, and what is of the future is dropped.
  let at = Math.floor(systemClock.now() / 1000) * 1000 - 6 * DAY_MS;
  let turn = 0;
  const start = (): ChildProcess => {
    const child = spawn(process.execPath, [PROGRAM, 'run'], { cwd: place.folder, stdio: 'ignore' });
    ends.push(() => child.kill('SIGKILL'));
    return child;
  };
  /** Reports until the connection ends; what is answered has been taken. */
  async function push(): Promise<void> {
    const socket: Socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    const parser = createV5Parser();
    const next = (): void => void socket.write(frameOf((at += 1000)));
    socket.on('connect', next);
    // A collector that does not know the time yet does not answer, and sticks try again.
    const again = setInterval(() => socket.write(frameOf(at)), 1_000);
    socket.once('close', () => clearInterval(again));
    socket.on('data', (bytes: Buffer) => {
      for (const { code, askerNumber } of parser.take(bytes)) {
        if (code !== V5_CODES.data - 0x3000 || askerNumber !== ((at + 1) & 0xff)) continue;
        taken.add(at);
        next();
      }
    });
    await new Promise((resolve) => socket.once('close', resolve));
  }
  /** Sets one of three switches after the other, on and off. */
  function command(): void {
    turn++;
    const parameter = SET[turn % 3]!;
    gateway.instruct({
      id: String(turn),
      sn: POLLED,
      action: 'write',
      parameter,
      value: String(turn & 1),
      withinSeconds: 60,
    });
  }

  for (let kill = 0; kill < kills; kill++) {
    if (kill % 4 === 3) await gateway.goAway();
    const child = start();
    const asked = gateway.asked();
    const until = taken.size + 5 + Math.floor(Math.random() * 30);
    const over = new AbortController();
    const ended = once(child, 'exit').then(() => over.abort());
    const pushing = (async () => {
      while (!over.signal.aborted) {
        await push();
        await timerPause(50);
      }
    })();
    if (kill % 4 !== 3) {
      // It is reached, and asks for instructions.
      await expect.poll(() => gateway.asked(), { timeout: 60_000 }).toBeGreaterThan(asked);
      const before = gateway.results.length;
      command();
      if (kill % 2 === 0)
        await expect
          .poll(() => gateway.results.length, { timeout: 60_000 })
          .toBeGreaterThan(before);
      command();
    }
    await expect.poll(() => taken.size, { timeout: 60_000 }).toBeGreaterThan(until);
    // Rounds that were measured since the time is known.
    const begun = counting.begun + 2;
    await expect.poll(() => counting.begun, { timeout: 60_000 }).toBeGreaterThanOrEqual(begun);
    await timerPause(Math.random() * 200);
    child.kill('SIGKILL');
    await ended;
    await pushing;
    lastRounds.push(counting.begun - 1);
    seen.add(await switches());
    if (kill % 4 === 3) await gateway.comeBack();
  }
  start();
  const readings = () => gateway.reports.flatMap((report) => report.readings ?? []);
  const lost = (): number[] => {
    const arrived = new Set(readings().map((reading) => reading.at));
    return [...taken].filter((one) => !arrived.has(one));
  };
  const lostRounds = (): number[] => {
    const arrived = new Set(readings().map(({ values }) => countOf(values)));
    return lastRounds.filter((one) => !arrived.has(one) && !arrived.has(one + 1));
  };
  await expect
    .poll(() => [...lost(), ...lostRounds()].length, { timeout: 60_000 })
    .toBe(0)
    .catch(() => {});
  const changed = [...seen].filter((word) => (word & ~MASK) !== OTHERS);
  return {
    taken: taken.size,
    lost: lost(),
    lostRounds: lostRounds(),
    settings: seen.size,
    changed,
  };
}
