import { expect, test } from 'vitest';
import { withCrc } from '../../packages/collector/src/bus/crc16.ts';
import { createDoubts } from '../../packages/collector/src/bus/doubts.ts';
import { createMaster } from '../../packages/collector/src/bus/master.ts';
import { createRtuFraming } from '../../packages/collector/src/bus/rtu-framing.ts';

const word = (address: number): number => 1000 + address;

/** A line without numbers. `answer`: the address whose words answer a request, or nothing. */
function lineThat(answer: (address: number, count: number, asked: number) => number | 'nothing') {
  let asked = 0;
  const clock = { at: 0, now: () => clock.at };
  const master = createMaster({
    name: 'line',
    timeoutMs: 3_000,
    gapMs: 0,
    clock,
    createFraming: createRtuFraming,
    // A time-out comes as soon as nothing else does.
    pause: (ms, signal) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          clock.at += ms;
          resolve();
        }, 20);
        signal?.addEventListener('abort', () => {
          clearTimeout(timer);
          reject(signal.reason);
        });
      }),
    dial: async ({ onBytes }) => ({
      close() {},
      send(request) {
        const [address, count] = [request.readUInt16BE(2), request.readUInt16BE(4)];
        const from = answer(address, count, asked++);
        if (from === 'nothing') return;
        const body = Buffer.alloc(2 * count);
        for (let i = 0; i < count; i++) body.writeUInt16BE(word(from + i), 2 * i);
        const bytes = withCrc(Buffer.concat([Buffer.of(1, 3, body.length), body]));
        queueMicrotask(() => onBytes(bytes));
      },
    }),
  });
  const read = (address: number, count = 1): Promise<number> =>
    master.hold(
      async (line) => (await line.request({ unit: 1, fn: 3, address, count }))[0]!,
      'poll',
    );
  return { read, clock };
}

test('the late answer to a request that timed out is not taken for that of the next one', async () => {
  let isLate = true;
  const { read } = lineThat((address, count, asked) => {
    if (asked === 0) return 'nothing';
    // What belongs to the first request comes when the second is asked for the first time.
    if (address === 200 && count === 1 && isLate) {
      isLate = false;
      return 100;
    }
    return address;
  });
  await expect(read(100)).rejects.toThrow('does not answer');
  await expect(read(200)).rejects.toThrow('sent an answer to another request');
  expect(await read(200)).toBe(word(200));
});

test('an answer that comes a second time is not taken for that of the next request', async () => {
  let isDoubled = true;
  const { read } = lineThat((address, count) => {
    if (address === 200 && count === 1 && isDoubled) {
      isDoubled = false;
      return 100;
    }
    return address;
  });
  expect(await read(100)).toBe(word(100));
  await expect(read(200)).rejects.toThrow('sent an answer to another request');
  expect(await read(200)).toBe(word(200));
});

test('a second answer to what was read for its look alone is not taken for that of the next request', async () => {
  const asked: string[] = [];
  const { read } = lineThat((address, count) => {
    asked.push(`${address}/${count}`);
    // Its own answer is lost, and that of the two words after the first request comes once more.
    const isFirst = asked.filter((one) => one === '200/2').length === 1;
    return address === 200 && count === 2 && isFirst ? 100 : address;
  });
  expect(await read(100)).toBe(word(100));
  expect(asked).toEqual(['100/1', '100/2']);
  await expect(read(200, 2)).rejects.toThrow('sent an answer to another request');
  expect(await read(200, 2)).toBe(word(200));
});

test('an answer that looks like those to two other requests has to come three times', async () => {
  let copies = 2;
  const { read } = lineThat((address, count, asked) => {
    if (asked === 0) return 'nothing';
    if (address === 200 && count === 1 && copies > 0) {
      copies--;
      return 100;
    }
    return address;
  });
  await expect(read(100)).rejects.toThrow('does not answer');
  expect(await read(100)).toBe(word(100));
  await expect(read(200)).rejects.toThrow('sent an answer to another request');
  expect(await read(200)).toBe(word(200));
});

test('a doubt lasts for a time and for some answers, also if the process stood still', () => {
  const clock = { at: 0, now: () => clock.at };
  let answers = 0;
  const doubts = createDoubts(clock, 1_000, () => answers);
  const request = (address: number) => ({ unit: 1, fn: 3, address, count: 1 }) as const;
  doubts.missed(request(5));
  const concerns = (): number => doubts.concern(request(6), [1]);
  expect([concerns(), doubts.concern(request(5), [1])]).toEqual([1, 0]);
  clock.at = 60_000;
  expect(concerns()).toBe(1);
  answers = 8;
  expect(concerns()).toBe(0);
});
