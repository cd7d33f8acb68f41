import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createHoles, readBlock } from '../../packages/collector/src/bus/blocks.ts';
import { parseAddress } from '../../packages/collector/src/bus/address.ts';
import type { Master } from '../../packages/collector/src/bus/master.ts';
import { openBus, type KnownAddress } from '../../packages/collector/src/bus/open-bus.ts';
import { systemClock, timerPause } from '../../packages/collector/src/clock.ts';
import { modbusPython, startModbusServer, type ModbusServer } from './modbus-server.ts';

const python = await modbusPython();
const surroundings = { clock: systemClock, pause: timerPause, random: Math.random };

/** Input registers 33000 to 33009 and 33012 to 33019, holding registers 43000 to 43009. */
const REGISTERS = {
  1: {
    3: { 43000: Array.from({ length: 10 }, (_, i) => 700 + i) },
    4: {
      33000: Array.from({ length: 10 }, (_, i) => 100 + i),
      33012: Array.from({ length: 8 }, (_, i) => 112 + i),
    },
  },
};

const addresses = {
  tcp: (place: string) => `tcp://127.0.0.1:${place}`,
  pymodbustcp: (place: string) => `tcp://127.0.0.1:${place}`,
  rtu: (place: string) => `rtu://127.0.0.1:${place}`,
  serial: (place: string) => `serial:${place}?baud=9600`,
};

describe.runIf(python).each(['tcp', 'rtu', 'serial', 'pymodbustcp'] as const)('over %s', (kind) => {
  let server: ModbusServer;
  const open: Master[] = [];
  beforeAll(async () => {
    server = await startModbusServer(python!, kind, REGISTERS);
  });
  afterEach(() => {
    for (const one of open.splice(0)) one.close();
  });
  afterAll(() => server.stop());

  function bus(): Master {
    const address = parseAddress(addresses[kind](server.place)) as KnownAddress;
    const made = openBus(address, surroundings);
    open.push(made);
    return made;
  }

  test('registers are read and written, and what follows reads what was written', async () => {
    const words = await bus().hold(async (line) => {
      await line.request({ unit: 1, fn: 6, address: 43_001, words: [65_535] });
      await line.request({ unit: 1, fn: 16, address: 43_003, words: [1, 2, 3] });
      return [
        ...(await line.request({ unit: 1, fn: 4, address: 33_000, count: 3 })),
        ...(await line.request({ unit: 1, fn: 3, address: 43_000, count: 7 })),
      ];
    }, 'poll');
    expect(words).toEqual([100, 101, 102, 700, 65_535, 702, 1, 2, 3, 706]);
  });

  test('a hundred reads that look alike keep their order', async () => {
    const master = bus();
    for (let i = 0; i < 100; i++) {
      const address = 33_000 + (i % 9);
      const words = await master.hold(
        (line) => line.request({ unit: 1, fn: 4, address, count: 2 }),
        'poll',
      );
      expect(words).toEqual([100 + (i % 9), 101 + (i % 9)]);
    }
    expect(master.counters).toMatchObject({ timeouts: 0, strays: 0, reconnects: 0 });
  });

  // pyModbusTCP has all registers.
  const whole = [kind].filter((one) => one !== 'pymodbustcp');
  test.each(whole)('a refusal has its name (%s)', async () => {
    const reading = bus().hold(
      (line) => line.request({ unit: 1, fn: 4, address: 10, count: 1 }),
      'poll',
    );
    await expect(reading).rejects.toThrow('exception 2 (illegal data address)');
  });

  test.each(whole)(
    'a block is read around its holes, which are remembered for a day (%s)',
    async () => {
      const master = bus();
      let now = 0;
      const holes = createHoles({ now: () => now });
      const groups = Array.from({ length: 10 }, (_, i) => ({ address: 33_000 + 2 * i, count: 2 }));
      const read = (): Promise<Map<number, number>> =>
        master.hold((line) => readBlock(line, { unit: 1, fn: 4, groups }, holes), 'poll');
      const asked = async (): Promise<number> => {
        const before = master.counters.requests;
        expect(Object.fromEntries(await read())).toEqual(
          Object.fromEntries(
            [...Array(10).keys(), ...Array.from({ length: 8 }, (_, i) => 12 + i)].map((i) => [
              33_000 + i,
              100 + i,
            ]),
          ),
        );
        return master.counters.requests - before;
      };
      const first = await asked();
      const second = await asked();
      expect(second).toBeLessThan(first);
      now += 86_400_000;
      expect(await asked()).toBeGreaterThan(second);
    },
  );
});
