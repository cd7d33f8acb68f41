import { createMaster, type Master } from '../../../packages/collector/src/bus/master.ts';
import { BusFault } from '../../../packages/collector/src/bus/faults.ts';
import { createTcpFraming } from '../../../packages/collector/src/bus/tcp-framing.ts';
import type { Report } from '../../../packages/collector/src/report.ts';
import {
  createSiteDevice,
  type SiteDevice,
} from '../../../packages/collector/src/site/device/site-device.ts';
import type { WriteLog } from '../../../packages/collector/src/site/device/write-log.ts';
import type { Registers } from '../../bus/modbus-server.ts';
import type { SettableClock } from '../../support/world.ts';

/** A device in time: its words as of an instant; undefined while it does not answer. */
export type WordsAt = (at: number) => Registers[number] | undefined;

function lookUp(tables: Registers[number], fn: number, address: number): number | undefined {
  for (const [first, run] of Object.entries(tables[fn] ?? {})) {
    const word = run[address - Number(first)];
    if (word !== undefined) return word;
  }
  return undefined;
}

/** A bus of Modbus TCP without a network, so that days pass in seconds. */
function busOf(clock: SettableClock, wordsAt: WordsAt): Master {
  return createMaster({
    name: 'device',
    timeoutMs: 3_000,
    gapMs: 0,
    clock,
    // A device answers at once, or its connection ends.
    pause: (_, signal) =>
      signal
        ? new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(signal.reason)),
          )
        : Promise.resolve(),
    createFraming: () => createTcpFraming(),
    dial: async ({ onBytes, onEnd }) => {
      if (!wordsAt(clock.now())) throw new BusFault('unreachable', 'the device is dark');
      return {
        close() {},
        send(request) {
          const tables = wordsAt(clock.now());
          if (!tables) return queueMicrotask(onEnd);
          const [fn, address, count] = [
            request[7]!,
            request.readUInt16BE(8),
            request.readUInt16BE(10),
          ];
          const words = Array.from({ length: count }, (_, i) => lookUp(tables, fn, address + i));
          const pdu = words.includes(undefined)
            ? Buffer.of(fn | 0x80, 2)
            : Buffer.concat([
                Buffer.of(fn, 2 * count),
                ...words.map((word) => Buffer.of(word! >> 8, word! & 0xff)),
              ]);
          const head = Buffer.from(request.subarray(0, 7));
          head.writeUInt16BE(pdu.length + 1, 4);
          queueMicrotask(() => onBytes(Buffer.concat([head, pdu])));
        },
      };
    },
  });
}

const NO_WRITES: WriteLog = {
  count: () => {
    throw new Error('nothing is written here');
  },
  expect() {},
  due: () => [],
  forget() {},
  countClock() {},
};

/** Polls a device from an instant to another, and returns what its collector reports. */
export async function collectDays(
  clock: SettableClock,
  untilAt: number,
  wordsAt: WordsAt,
  { pollMs = 120_000, reportMs = 300_000 } = {},
): Promise<{ reports: Report[]; device: SiteDevice }> {
  const stop = new AbortController();
  const reports: Report[] = [];
  const bus = busOf(clock, wordsAt);
  let reportedAt = clock.now();
  const device = createSiteDevice({
    entry: {
      address: { kind: 'tcp', host: 'device', port: 502 },
      unit: 1,
      control: false,
      share: false,
      confirmed: new Set(),
      pollMs,
      line: 1,
    },
    pool: { get: () => bus, drop() {}, close() {} },
    log: NO_WRITES,
    held: { of: () => [], hold() {}, release() {} },
    isServerThere: () => false,
    clock,
    random: () => 0.5,
    askSerial: async () => 0,
    before: () => undefined,
    isTimeKnown: () => true,
    keep() {},
    onFirstAnswer() {},
    pause: async (ms) => {
      clock.at += ms;
      if (clock.now() - reportedAt >= reportMs) {
        reportedAt = clock.now();
        reports.push(device.takeReports(false)[0] ?? {});
      }
      if (clock.now() >= untilAt) stop.abort(new Error('over'));
    },
  });
  await device.run(stop.signal);
  bus.close();
  return { reports, device };
}
