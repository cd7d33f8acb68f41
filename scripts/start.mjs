// npm start: sets up what is missing, then runs the server with a demo fleet. Plain JavaScript without dependencies: runs on Node 20 or newer.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../packages/server/bin/node-flags.mjs';
import { whenOrphaned } from '../packages/server/bin/orphan.mjs';
import { expectNode, findNode } from './lib/node.mjs';
import { installPackages } from './lib/packages.mjs';
import { buildPortal } from './lib/portal.mjs';
import { SetupFault } from './lib/run.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const say = (text) => console.log(`setup: ${text}`);

try {
  expectNode(root);
  await installPackages(root, say);
  await buildPortal(root, say);
  serve(findNode(root));
} catch (error) {
  if (!(error instanceof SetupFault)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

function serve(node) {
  const args = [
    ...NODE_FLAGS,
    join(root, 'packages', 'server', 'bin', 'helioport.mjs'),
    'serve',
    '--demo',
    ...process.argv.slice(2),
  ];
  const child = spawn(node, args, { stdio: 'inherit', cwd: root });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  const stopWatching = whenOrphaned(() => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => {
    stopWatching();
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143);
  });
}
