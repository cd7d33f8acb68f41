import { createServer, type Server } from 'node:http';
import {
  createCollector,
  createMemoryBacklog,
  type Collector,
  type Instruction,
  type InstructionResult,
  type Report,
} from '@helioport/collector';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHttpLink } from '../../packages/collector/src/http/http-link.ts';
import { ODD_ANSWERS, type OddAnswer } from './odd-answers.ts';

/** For so long, something odd answers in place of the gateway. */
const ODD_MS = 120_000;
/** Twice as often would be a pause of 10 s on average. */
const CALLS_AT_MOST = 15;
/** A question for instructions may be asked more often, so that a command does not come too late. */
const QUESTIONS_AT_MOST = 50;
/** Without any pause, the odd ones would answer for ever. */
const GIVEN_UP = 200;

/** Answers oddly until the time is over, which passes with the pauses alone; then it is the gateway. */
let odd: OddAnswer;
/** Paths at which it is odd. */
let oddAt: RegExp;
let now: number;
let calls: string[];
let stored: number[];
let results: InstructionResult[];
let commands: Instruction[];
let server: Server;
let collector: Collector | undefined;
const isOver = (): boolean => now >= ODD_MS || calls.length > GIVEN_UP;

beforeEach(async () => {
  [now, calls, stored, results, commands, collector] = [0, [], [], [], [], undefined];
  oddAt = /./;
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url!.split('?')[0]!;
      if (!isOver() && oddAt.test(path)) {
        calls.push(path);
        return odd(request, response);
      }
      const text = Buffer.concat(chunks).toString('utf8');
      response.setHeader('content-type', 'application/json');
      if (path === '/v1/commands') {
        if (commands.length === 0) return;
        return void response.end(JSON.stringify({ commands: commands.splice(0) }));
      }
      const body = JSON.parse(text) as {
        readings?: { at: number }[];
        results?: InstructionResult[];
      };
      stored.push(...(body.readings ?? []).map(({ at }) => at));
      results.push(...(body.results ?? []));
      response.end('{"accepted":1,"duplicate":0,"refused":[]}');
    });
  });
  server.on('clientError', (_, socket) => void socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await collector?.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const pause = async (ms: number, signal?: AbortSignal): Promise<void> => {
  signal?.throwIfAborted();
  expect(ms).toBeGreaterThan(0);
  now += ms;
};
const linkOf = () =>
  createHttpLink({
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    token: 'secret-token',
    clock: { now: () => now },
    timeoutMs: 250,
  });
const surroundings = { clock: { now: () => now }, uptime: () => now, pause };
const reportOf = (at: number): Report => ({ readings: [{ sn: 'A', at, values: { acPowerW: 1 } }] });
const read = (id: string): Instruction => ({
  id,
  sn: 'A',
  action: 'read',
  parameter: '157',
  withinSeconds: 3_600,
});

test('what answers in place of the gateway tells no time, unlike the gateway', async () => {
  const told: number[] = [];
  const link = createHttpLink({
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    token: 't',
    clock: { now: () => now },
    timeoutMs: 250,
    onTime: (at) => told.push(at),
  });
  for (const answer of ODD_ANSWERS.values()) {
    odd = (request, response) => {
      response.setHeader('date', 'Fri, 31 Dec 9999 23:59:59 GMT');
      answer(request, response);
    };
    await link.report(reportOf(1), 'live');
  }
  // The refusals in the gateway's own form are of it, or of another version of it.
  expect(new Set(told)).toEqual(new Set([Date.UTC(9999, 11, 31, 23, 59, 59)]));
  expect(told).toHaveLength(8 + 8);
  await link.close();
});

describe('what answers in place of the gateway', () => {
  test.each([...ODD_ANSWERS])('has nothing forgotten, by %s', async (_, answer) => {
    odd = answer;
    const backlog = createMemoryBacklog();
    collector = createCollector({ link: linkOf(), backlog, ...surroundings });
    collector.report(reportOf(1));
    collector.report(reportOf(2), 'backlog');
    collector.report(reportOf(3), 'backlog');
    await collector.whenDelivered();
    expect(stored.toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
    expect(calls.length).toBeLessThanOrEqual(CALLS_AT_MOST);
    expect(calls.length).toBeGreaterThan(5);
  });

  test.each([
    ...ODD_ANSWERS,
    ...[400, 413].map((status): [string, OddAnswer] => [
      `${status} of the gateway`,
      (_, response) =>
        void response.writeHead(status).end('{"success":false,"code":"400","msg":"","data":null}'),
    ]),
    ['no commands at once', (_, response) => void response.end('{"commands":[]}')],
    [
      'the same command again and again',
      (_, response) => void response.end(JSON.stringify({ commands: [read('1.1')] })),
    ],
    ...[
      { ...read('4.1'), action: 'format' },
      { ...read('4.'.padEnd(1_000_000, '1')) },
      { ...read('4.2'), action: 'write' },
      { ...read('4.3'), withinSeconds: 'for ever' },
      { ...read('4.4'), register: { address: 70_000, readFunction: 3, writeFunction: 6 } },
      { ...read('4.5'), sn: ['A'] },
    ].map((command): [string, OddAnswer] => [
      `a command such as ${JSON.stringify(command).slice(0, 120)}`,
      (_, response) => void response.end(JSON.stringify({ commands: [command] })),
    ]),
  ] as [string, OddAnswer][])(
    'is not asked for commands without a pause, by %s',
    async (_, answer) => {
      odd = answer;
      oddAt = /commands/;
      const done: string[] = [];
      collector = createCollector({
        link: linkOf(),
        ...surroundings,
        devices: {
          read: ({ id }) => (done.push(id), { value: '30' }),
          write: () => {
            throw new Error('never asked for');
          },
        },
      });
      commands.push(read('2.1'));
      await expect.poll(() => results.map(({ id }) => id)).toContain('2.1');
      expect(calls.length).toBeLessThanOrEqual(QUESTIONS_AT_MOST);
      expect(calls.length).toBeGreaterThan(5);
      expect(done.filter((id) => id !== '1.1')).toEqual(['2.1']);
    },
  );

  test.each([...ODD_ANSWERS])('does not lose a result, by %s', async (_, answer) => {
    odd = answer;
    oddAt = /results/;
    let done = 0;
    collector = createCollector({
      link: linkOf(),
      ...surroundings,
      devices: { read: () => ({ value: String(++done) }), write: () => {} },
    });
    commands.push(read('3.1'));
    await expect.poll(() => results).toHaveLength(1);
    expect(results).toEqual([{ id: '3.1', ok: true, value: '1' }]);
    expect(calls.length).toBeLessThanOrEqual(CALLS_AT_MOST);
  });
});
