import {
  createCollector,
  openLink,
  type Collector,
  type DeviceAccess,
  type Instruction,
} from '@helioport/collector';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { REFUSED, startGatewayDouble, type GatewayDouble } from './gateway-double.ts';

const read = (id: string, parameter = '157'): Instruction => ({
  id,
  sn: 'A',
  action: 'read',
  parameter,
  withinSeconds: 20,
});
const write = (id: string, value: string): Instruction => ({
  id,
  sn: 'A',
  action: 'write',
  parameter: '157',
  value,
  withinSeconds: 30,
});

let gateway: GatewayDouble;
let clock: { at: number; now(): number };
let made: Collector[];

beforeEach(async () => {
  gateway = await startGatewayDouble();
  clock = { at: Date.parse('2026-06-15T12:00:00Z'), now: () => clock.at };
  made = [];
});
afterEach(async () => {
  await Promise.all(made.map((one) => one.close()));
  await gateway.close();
});

/** A collector with one device, which notes what it is commanded to do. */
function start(
  access: Partial<DeviceAccess> = {},
  pause: (ms: number) => Promise<void> = async () => {},
): string[] {
  const done: string[] = [];
  const values = new Map([['157', '30']]);
  const devices: DeviceAccess = {
    read({ id, parameter, ...instruction }) {
      done.push(`read ${id}`);
      return access.read
        ? access.read({ id, parameter, ...instruction })
        : { value: values.get(parameter)!, raw: 30 };
    },
    async write(instruction) {
      done.push(`write ${instruction.id} ${instruction.value}`);
      await access.write?.(instruction);
      values.set(instruction.parameter, instruction.value!);
    },
  };
  made.push(
    createCollector({
      link: openLink({ url: gateway.url, token: 't', clock }),
      devices,
      clock,
      pause,
    }),
  );
  return done;
}

async function results(count: number): Promise<void> {
  await expect.poll(() => gateway.results).toHaveLength(count);
}

describe('a collector that obeys', () => {
  test('carries out what it is commanded in that order, and reports each result', async () => {
    const done = start();
    gateway.instruct(read('1.1'), write('2.1', '20'));
    await results(2);
    gateway.instruct(read('2.2'));
    await results(3);
    expect(done).toEqual(['read 1.1', 'write 2.1 20', 'read 2.2']);
    expect(gateway.results).toEqual([
      { id: '1.1', ok: true, value: '30', raw: 30 },
      { id: '2.1', ok: true },
      { id: '2.2', ok: true, value: '20', raw: 30 },
    ]);
  });

  test('reports why a device has not done it', async () => {
    start({
      read: () => Promise.reject(new Error('no answer within 2 s')),
      write() {
        throw new Error('illegal data value');
      },
    });
    gateway.instruct(read('1.1'), write('2.1', '20'));
    await results(2);
    expect(gateway.results).toEqual([
      { id: '1.1', ok: false, error: 'no answer within 2 s' },
      { id: '2.1', ok: false, error: 'illegal data value' },
    ]);
  });

  test('repeats a result until it is taken, and does not carry out anything again for that', async () => {
    gateway.answers.push('cut', { status: 503 });
    const done = start();
    gateway.instruct(write('2.1', '20'));
    await results(3);
    expect(gateway.results).toEqual(Array.from({ length: 3 }, () => ({ id: '2.1', ok: true })));
    expect(done).toEqual(['write 2.1 20']);
  });

  test('goes on after a result that nobody wants', async () => {
    gateway.answers.push(REFUSED);
    const done = start();
    gateway.instruct(read('1.1'), read('1.2'));
    await results(2);
    expect(done).toEqual(['read 1.1', 'read 1.2']);
  });

  test.each([
    ['nothing, at once', { status: 200, body: { commands: [] } }],
    ['the same again', { status: 200, body: { commands: [read('1.1')] } }],
    ['404', { status: 404 }],
    ['a refusal', REFUSED],
    ['503 and no pause', { status: 503, headers: { 'retry-after': '0' } }],
    ...[{}, null, [], 5, { commands: 'abc' }, { commands: [null] }, { commands: [{}] }].map(
      (body) => [`200 with ${JSON.stringify(body)}`, { status: 200, body }],
    ),
  ] as [string, GatewayDouble['commands']][])(
    'asks again only after a pause if it is answered %s, and goes on',
    async (_, answer) => {
      gateway.commands = answer;
      const pauses: number[] = [];
      let [goOn, isOver] = [(): void => {}, false];
      start({}, (ms) => {
        pauses.push(ms);
        return isOver ? Promise.resolve() : new Promise((resolve) => (goOn = resolve));
      });
      // One question for each pause, and one more where the first brings something.
      for (let n = 1; n <= 5; n++) {
        await expect.poll(() => pauses.length).toBe(n);
        expect(gateway.asked() - n).toBeLessThanOrEqual(1);
        goOn();
      }
      for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(125);
      isOver = true;
      gateway.commands = undefined;
      goOn();
      const before = gateway.results.length;
      gateway.instruct(read('7.1'));
      await results(before + 1);
    },
  );

  test('carries out an instruction once, however often it arrives', async () => {
    const done = start();
    gateway.instruct(write('2.1', '20'), write('2.1', '20'));
    await results(1);
    gateway.instruct(write('2.1', '20'), read('3.1'));
    await results(2);
    expect(done).toEqual(['write 2.1 20', 'read 3.1']);
  });

  test('does not begin what has waited too long behind another', async () => {
    const done = start({
      read() {
        clock.at += 30_001;
        return { value: '1' };
      },
    });
    gateway.instruct(read('1.1'), write('2.1', '20'));
    await results(1);
    gateway.instruct(write('3.1', '25'));
    await results(2);
    expect(done).toEqual(['read 1.1', 'write 3.1 25']);
  });
});
