// Time from the start of a process to the first signed answer, and its memory when idle, compared with a bare Fastify
// process on the same Node.
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createClient } from '@helioport/sdk';
import { NODE_FLAGS } from '../packages/server/bin/node-flags.mjs';
import { createInstallation } from '../test/support/command.ts';
import { freePort } from '../test/support/free-port.ts';
import { median } from './support/quantiles.ts';
import { writeResults } from './support/results.ts';

const ROUNDS = 21;
const IDLE_ROUNDS = 3;
const IDLE_MS = 20_000;
const RETRY_MS = 2;

const EXECUTABLE = fileURLToPath(new URL('../packages/server/bin/helioport.mjs', import.meta.url));
const BARE = fileURLToPath(new URL('startup/bare.ts', import.meta.url));

const home = createInstallation();
await home.helioport(
  'user',
  'add',
  '--email',
  'owner@example.org',
  '--role',
  'owner',
  '--password',
  'a long password',
  '--json',
);
for (let i = 0; i < 10; i++)
  await home.helioport(
    'plant',
    'add',
    '--owner',
    'owner@example.org',
    '--name',
    `Plant ${i}`,
    '--capacity-kwp',
    '10',
    '--time-zone',
    'UTC',
    '--json',
  );
const key = (
  await home.helioport('key', 'create', '--user', 'owner@example.org', '--json')
).json() as { keyId: string; keySecret: string };

interface Contestant {
  readonly name: string;
  start(port: number): ChildProcess;
}

const ports = (userApi: number): Record<string, string> => ({
  HELIOPORT_USER_API_PORT: String(userApi),
  ...Object.fromEntries(
    ['OAUTH', 'PORTAL', 'GATEWAY', 'MQTT', 'OPS'].map((name) => [`HELIOPORT_${name}_PORT`, '0']),
  ),
  // Each start serves one request, so that no rate limit is ever reached.
  HELIOPORT_LOG_LEVEL: 'warn',
});

const contestants: readonly Contestant[] = [
  {
    name: 'Helioport',
    start: (port) =>
      spawn(process.execPath, [...NODE_FLAGS, EXECUTABLE, 'serve'], {
        cwd: home.folder,
        env: { ...process.env, ...ports(port) },
        stdio: ['ignore', 'ignore', 'inherit'],
      }),
  },
  {
    name: 'bare Fastify',
    start: (port) =>
      spawn(process.execPath, [BARE, String(port)], { stdio: ['ignore', 'ignore', 'inherit'] }),
  },
];

/** Milliseconds from the start of the process to its first signed answer. */
async function firstAnswerMs(
  contestant: Contestant,
  then: (child: ChildProcess) => Promise<void>,
): Promise<number> {
  const port = await freePort();
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, ...key, retries: 0 });
  const begin = performance.now();
  const child = contestant.start(port);
  let answered = false;
  while (!answered) {
    answered = await client.call('userStationList', {}).then(
      () => true,
      () => false,
    );
    if (!answered) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    if (child.exitCode !== null) throw new Error(`${contestant.name} ended with ${child.exitCode}`);
  }
  const ms = performance.now() - begin;
  await then(child);
  child.kill('SIGTERM');
  await once(child, 'exit');
  return ms;
}

/** Resident memory in MiB; Linux. */
const residentMib = ({ pid }: ChildProcess): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;

const starts = new Map<string, number[]>(contestants.map(({ name }) => [name, []]));
const memories = new Map<string, number[]>(contestants.map(({ name }) => [name, []]));

for (let round = 0; round <= ROUNDS; round++) {
  for (const contestant of contestants) {
    const ms = await firstAnswerMs(contestant, async () => {});
    // The first round fills the caches of disk and compiler.
    if (round > 0) starts.get(contestant.name)!.push(ms);
  }
}
for (let round = 0; round < IDLE_ROUNDS; round++) {
  for (const contestant of contestants) {
    await firstAnswerMs(contestant, async (child) => {
      await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
      memories.get(contestant.name)!.push(residentMib(child));
    });
  }
}
home.remove();

const [ours, bare] = contestants.map(({ name }) => ({
  startMs: median(starts.get(name)!),
  memoryMib: median(memories.get(name)!),
}));
const row = (what: string, unit: string, a: number, b: number, target: number): string =>
  `| ${what} | ${a.toFixed(0)} ${unit} | ${b.toFixed(0)} ${unit} | **${(a / b).toFixed(2)}** | ${target} |`;
const body = `From the start of the process to the first signed \`userStationList\` with 10 plants (embedded database, all roles on), and resident memory
${IDLE_MS / 1000} s later, compared with a Fastify process with one route (\`benchmarks/startup/bare.ts\`). Medians of ${ROUNDS} and ${IDLE_ROUNDS} interleaved rounds.

| | Helioport | bare Fastify | ratio | at most |
|---|---|---|---|---|
${row('start to first answer', 'ms', ours!.startMs, bare!.startMs, 4)}
${row('idle memory', 'MiB', ours!.memoryMib, bare!.memoryMib, 2)}`;
console.log(body);
writeResults('Start and memory', 'startup', body);
