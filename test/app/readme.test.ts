import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findDemo } from '../../packages/server/src/interfaces/cli/demo/demo-file.ts';
import { FREE_PORTS } from '../support/server-process.ts';
import { freePort } from '../support/free-port.ts';
import { walkStrategies } from './strategies-walk.ts';

const root = join(import.meta.dirname, '../..');
/** The shell commands of a page, block by block. */
const blocksOf = (page: string): string[][] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, code]) =>
    code!.trim().split('\n'),
  );

const blocks = blocksOf('README.md');

// The commands that set up a clone or a folder; test/scripts/ and production.test.ts run them.
const SET_UP = ['npm start', 'npm test', 'npm install helioport'];

let folder: string;
let environment: Record<string, string>;
let ending: (() => void)[];

/** A folder with what `npm ci` leaves in a clone. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'helioport-readme-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'home'));
  environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: join(folder, 'home'),
    ...FREE_PORTS,
    HELIOPORT_USER_API_PORT: String(await freePort()),
  };
  for (const name of ['OAUTH', 'GATEWAY'])
    environment[`HELIOPORT_${name}_PORT`] = String(await freePort());
  ending = [];
});
afterEach(() => {
  for (const end of ending) end();
  rmSync(folder, { recursive: true, force: true });
});

/** Without the folder that the README says to put on the path: a machine that has only Node and npm. */
const plainPath = (): string =>
  (environment['PATH'] ?? '')
    .split(':')
    .filter((place) => !place.includes('node_modules'))
    .join(':');

const run = async (script: string): Promise<string> =>
  (
    await promisify(execFile)('sh', ['-ec', script], {
      cwd: folder,
      env: { ...environment, PATH: plainPath() },
    })
  ).stdout;

/** A command that goes on until it is made to end. */
function start(script: string): {
  output: () => string;
  end: (signal: NodeJS.Signals) => Promise<void>;
  pid: number;
} {
  const child = spawn('sh', ['-ec', script], {
    cwd: folder,
    env: { ...environment, PATH: plainPath() },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (output += String(chunk)));
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const exited = once(child, 'exit');
    process.kill(-child.pid!, signal);
    await exited;
  };
  ending.push(() => {
    try {
      // The group, which may have outlived the process that began it.
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // It has ended.
    }
  });
  return { output: () => output, end, pid: child.pid! };
}

const started = (server: { output: () => string }): Promise<void> =>
  vi.waitFor(() => expect(server.output()).toMatch(/"msg":"started"|docs\/signing\.md/), {
    timeout: 90_000,
    interval: 100,
  });

test('every command of the README is run here, or sets up a clone or a folder', () => {
  const known = [...SET_UP, 'export PATH="$PWD/node_modules/.bin:$PATH"'];
  const lines = blocks.flat().map((line) => line.replace(/ +#.*/, ''));
  expect(
    lines.filter((line) => !known.includes(line) && !/^(npx --no-install )?helioport /.test(line)),
  ).toEqual([]);
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(
    SET_UP.flatMap((line) => /^npm (start|test)/.exec(line)?.[1] ?? []).filter(
      (name) => !(name in scripts),
    ),
  ).toEqual([]);
});

test('the first signed call of the README is answered by the demo, which docs/control.md and docs/strategies.md walk through', async () => {
  const server = start('exec node_modules/.bin/helioport serve --demo');
  await started(server);
  const line = blocks.flat().find((one) => one.includes('helioport call'));
  expect(await run(line!)).toMatch(/^id +sn|^id +stationName/m);

  const [setUp, read, change, readAsProgram, history, undo, ...others] = blocksOf(
    'docs/control.md',
  ).map((lines) => lines.join('\n'));
  expect([setUp, others]).toEqual(['npm start', []]);
  const messages: unknown[] = [];
  expect(await run(read!)).toMatch(/^msg +30$[\s\S]*^yuanzhi +30$/m);
  expect(await run(change!)).toMatch(/^\d{19} is verified$/m);
  messages.push((JSON.parse(await run(readAsProgram!)) as { msg: string }).msg);
  expect(await run(history!)).toMatch(/ verified +30 +25 +25 /);
  expect(await run(undo!)).toMatch(/^\d{19} is verified$/m);
  messages.push((JSON.parse(await run(readAsProgram!)) as { msg: string }).msg);
  expect(messages).toEqual(['25', '30']);

  const urlOf = (name: string): string =>
    `http://127.0.0.1:${environment[`HELIOPORT_${name}_PORT`]}`;
  const demo = findDemo({ dataDir: join(folder, 'data') })!;
  const readFile = (name: string): string => readFileSync(join(folder, name), 'utf8');
  await walkStrategies({
    run,
    oauthUrl: urlOf('OAUTH'),
    gatewayUrl: urlOf('GATEWAY'),
    demo,
    read: readFile,
  });
  await server.end('SIGTERM');
}, 180_000);

test('what the README says of running it for real works to the letter, in its order', async () => {
  const [real, people] = blocks.filter((lines) =>
    lines.some((line) => line.startsWith('helioport ')),
  );
  const [path, ...commands] = real!.filter((line) => !SET_UP.includes(line));
  expect(path).toMatch(/^export PATH=/);
  expect(commands.at(-1)).toBe('helioport serve');
  for (const command of commands.slice(0, -1)) await run(`${path}\n${command}`);
  const server = start(`${path}\n${commands.at(-1)}`);
  await started(server);

  const [again, ...lines] = people!;
  let plant = 'PLANT';
  for (const line of lines) {
    const output = await run(`${again}\n${line.replace('PLANT', plant)}`);
    if (line.startsWith('helioport plant add')) plant = /\d{19}/.exec(output)![0];
  }
  expect(await run(`${again}\nhelioport device list --json`)).toContain('"INVERTER"');
  await run(`${again}\nhelioport doctor\nhelioport backup copy`);
  expect(existsSync(join(folder, 'copy'))).toBe(true);
  await server.end('SIGTERM');
}, 120_000);

test('a server that npx started ends when npx is made to end', async () => {
  const server = start('exec npx --no-install helioport serve');
  await started(server);
  const { addresses } = JSON.parse(/^\{.*"msg":"started".*\}$/m.exec(server.output())![0]) as {
    addresses: Record<string, string>;
  };
  expect((await fetch(`${addresses['user-api']}/healthz`)).status).toBe(200);
  // To npx alone, as a service manager or `kill` does, not to the whole group as a terminal does.
  process.kill(server.pid, 'SIGTERM');
  await vi.waitFor(() => expect(server.output()).toContain('"msg":"stopped"'), {
    timeout: 90_000,
    interval: 100,
  });
});
