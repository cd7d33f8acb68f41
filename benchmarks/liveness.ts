// The demo as `npm start` runs it, seen from outside: how soon inverterDetail shows what a collector reports, and how soon a command is verified.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createCollector, openLink } from '@helioport/collector';
import { createClient, type Client } from '@helioport/sdk';
import {
  findDemo,
  type DemoCredentials,
} from '../packages/server/src/interfaces/cli/demo/demo-file.ts';
import { serve } from '../test/support/server-process.ts';
import { quantile } from './support/quantiles.ts';
import { writeResults } from './support/results.ts';

const REPORTS = 300;
/** Numbers of the parameters that are written in turn: each may be written 24 times a day. */
const PARAMETERS = ['157', '158', '160', '469', '7229', '7963'];
const ROUNDS = 20;
const LOOK_MS = 2;

const folder = mkdtempSync(join(tmpdir(), 'helioport-bench-'));
const server = serve(
  folder,
  {
    HELIOPORT_RATE_LIMIT: 'off',
    HELIOPORT_COLLECTOR_RATE_LIMIT: 'off',
    HELIOPORT_LOG_LEVEL: 'info',
  },
  ['--demo'],
);
try {
  const addresses = await server.started;
  const demo = await demoWithHistory();
  const client = createClient({
    baseUrl: addresses['user-api']!,
    keyId: demo.keyId,
    keySecret: demo.keySecret,
  });
  const reports = await timesOfReports(client, addresses['gateway']!, demo);
  const commands = await timesOfCommands(client, demo);
  const text = report(reports, commands);
  console.log(text);
  writeResults('Liveness', 'liveness', text);
} finally {
  server.kill('SIGTERM');
  await server.ended;
  rmSync(folder, { recursive: true, force: true });
}

async function demoWithHistory(): Promise<DemoCredentials> {
  for (;;) {
    const demo = findDemo({ dataDir: join(folder, 'data') });
    if (demo && demo.reportedUntilAt !== null) return demo;
    await pause(200);
  }
}

/** From handing a report over until inverterDetail has its time, ms. */
async function timesOfReports(
  client: Client,
  gatewayUrl: string,
  { plants }: DemoCredentials,
): Promise<number[]> {
  const { token, specification } = plants[2]!;
  const { sn } = specification.inverters[0]!;
  const collector = createCollector({ link: openLink({ url: gatewayUrl, token }) });
  const times: number[] = [];
  for (let i = 0; i < REPORTS; i++) {
    const at = Date.now();
    const begunAt = performance.now();
    collector.report({ readings: [{ sn, at, values: { acPowerW: i } }] });
    while ((await client.call('inverterDetail', { sn })).dataTimestamp !== String(at))
      await pause(LOOK_MS);
    times.push(performance.now() - begunAt);
  }
  await collector.close();
  return times;
}

/** From sending a command until it is verified, ms. */
async function timesOfCommands(client: Client, { plants }: DemoCredentials): Promise<number[]> {
  const { sn } = plants[0]!.specification.inverters[0]!;
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const cid of PARAMETERS) {
      const begunAt = performance.now();
      const id = (await client.call('command/send', { sn, cid, value: String(20 + round) })).id!;
      let state: string | undefined;
      while (state !== 'verified') {
        ({ state } = await client.call('command/show', { id }));
        if (state === 'failed' || state === 'refused' || state === 'expired')
          throw new Error(`a command ${state}`);
      }
      times.push(performance.now() - begunAt);
    }
  }
  return times;
}

function report(reports: readonly number[], commands: readonly number[]): string {
  const line = (name: string, times: readonly number[]): string =>
    `| ${name} | ${times.length} | ${quantile(times, 0.5).toFixed(0)} | ${quantile(times, 0.99).toFixed(0)} | ${Math.max(...times).toFixed(0)} |`;
  return `### The demo

Seen from outside, over the signed interface, one after the other, while the demo's collectors report and obey. A command is a write: it is read, written and
read back, each over a request that the collector keeps open. The same times as the server measures them are in \`/metrics\`, as
\`helioport_report_readable_seconds\` and \`helioport_command_verified_seconds\`.

| from | to | times | p50 ms | p99 ms | longest ms |
|---|---|---|---|---|---|
${line('report to the gateway | inverterDetail shows it', reports)}
${line('`command/send` | `command/show` says verified', commands)}`;
}
