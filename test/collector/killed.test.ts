import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startGatewayDouble, type GatewayDouble } from './gateway-double.ts';

const root = join(import.meta.dirname, '../..');

let folder: string;
let gateway: GatewayDouble;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'helioport-killed-'));
  gateway = await startGatewayDouble();
});
afterEach(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Reports one reading after another with ascending times, and prints each time as soon as the collector has taken the report. */
const REPORTER = `
  import { createCollector, openBacklog, openLink } from '@helioport/collector';
  import { writeSync } from 'node:fs';
  const [url, file, from, count] = process.argv.slice(1);
  const collector = createCollector({ link: openLink({ url, token: 't' }), backlog: openBacklog(file) });
  for (let at = Number(from); at < Number(from) + Number(count); at++) {
    collector.report({ readings: [{ sn: 'A', at, values: { acPowerW: at } }] });
    writeSync(1, at + '\\n');
    await new Promise(setImmediate);
  }
  await collector.whenDelivered();
  await collector.close();
`;

/** Runs the reporter; with `killAfter`, kills it with -9 as soon as it has printed so many times. Resolves to the times that it printed. */
async function run(from: number, count: number, killAfter?: number): Promise<number[]> {
  const args = [
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
    '-e',
    REPORTER,
    gateway.url,
    join(folder, 'backlog.jsonl'),
    `${from}`,
    `${count}`,
  ];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (killAfter !== undefined && output.split('\n').length > killAfter) child.kill('SIGKILL');
  });
  await once(child, 'close');
  return output.split('\n').slice(0, -1).map(Number);
}

test('a collector that is killed with a backlog loses nothing of what it has taken', async () => {
  // The gateway is away, so that everything waits; then it comes and goes in the middle.
  await gateway.goAway();
  const taken = await run(1000, 1_000_000, 40);
  expect(taken.length).toBeGreaterThanOrEqual(40);
  await gateway.comeBack();
  gateway.answers.push({ status: 503 }, 'cut');
  taken.push(...(await run(2_000_000, 1_000_000, 25)));
  taken.push(...(await run(4_000_000, 3)));
  const arrived = new Set(gateway.reports.flatMap(({ readings }) => readings.map(({ at }) => at)));
  expect(taken.filter((at) => !arrived.has(at))).toEqual([]);
});
