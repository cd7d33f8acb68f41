// Memory and processor time of the on-site collector, with 20 devices that are polled every 10 s.
import { execFileSync, spawn } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { replay } from '../packages/collector/src/site/find/replay-server.ts';
import { solisImage } from '../test/site/solis-image.ts';
import { writeResults } from './support/results.ts';

const DEVICES = 20;
const WARM_UP_MS = 30_000;
const MEASURED_MS = Number(process.argv[2] ?? 120) * 1000;
const TICKS_A_SECOND = 100;
const ROOT = fileURLToPath(new URL('..', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'helioport-on-site-'));
// What people install: JavaScript, which needs less than the sources.
execFileSync(process.execPath, [join(ROOT, 'scripts/pack.mjs'), folder], { stdio: 'ignore' });
const packed = readdirSync(folder).find((name) => name.startsWith('helioport-collector'))!;
execFileSync('tar', ['xzf', packed], { cwd: folder });
symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
const PROGRAM = join(folder, 'package/dist/bin.js');
let readings = 0;
const gateway = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk as string;
  if (request.method === 'GET')
    return void setTimeout(() => response.end('{"commands":[]}'), 25_000);
  readings += (JSON.parse(body) as { readings?: unknown[] }).readings?.length ?? 0;
  response.end('{"accepted":1,"duplicate":0,"refused":[]}');
}).listen(0, '127.0.0.1');
await once(gateway, 'listening');
const servers = await Promise.all(
  Array.from({ length: DEVICES }, (_, i) => {
    const { 3: holding = {}, 4: input = {} } = solisImage(`10310512345678${10 + i}`);
    const captured = { format: 'helioport-capture-1', family: null, unit: 1 } as const;
    return replay({ ...captured, tables: { holding, input } }, { host: '127.0.0.1', port: 0 });
  }),
);
writeFileSync(join(folder, 'token'), 'x'.repeat(40));
writeFileSync(
  join(folder, 'collect.yaml'),
  [
    `gateway: http://127.0.0.1:${(gateway.address() as { port: number }).port}`,
    'devices:',
    ...servers.map(({ port }) => `  - address: tcp://127.0.0.1:${port}\n    unit: 1`),
  ].join('\n'),
);

const child = spawn(process.execPath, [PROGRAM, 'run'], { cwd: folder, stdio: 'ignore' });
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** Seconds of processor time so far. */
const cpuSeconds = (): number => {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
};
const memoryMib = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024;

await sleep(WARM_UP_MS);
const before = cpuSeconds();
let most = 0;
for (let ms = 0; ms < MEASURED_MS; ms += 1000) {
  await sleep(1000);
  most = Math.max(most, memoryMib());
}
const share = ((cpuSeconds() - before) / (MEASURED_MS / 1000)) * 100;
child.kill('SIGTERM');
await once(child, 'exit');
await Promise.all(servers.map((server) => server.close()));
gateway.closeAllConnections();
gateway.close();
rmSync(folder, { recursive: true });

writeResults(
  'On-site collector',
  'on-site',
  `The packed \`helioport-collect run\` with ${DEVICES} storage inverters over Modbus TCP, each polled every 10 s and reported every minute, for
${MEASURED_MS / 1000} s after a start of ${WARM_UP_MS / 1000} s; the devices are served by another process. ${readings} readings arrived.

| | measured | at most |
|---|---|---|
| memory, MiB | ${most.toFixed(0)} | 80 |
| processor time, % of a core | ${share.toFixed(1)} | 5 |
`,
);
