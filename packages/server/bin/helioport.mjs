#!/usr/bin/env -S node --max-semi-space-size=8
// Runs the command line on Node 24: in this process if its Node is new enough, otherwise under the Node that npm installed.
import { spawn } from 'node:child_process';
import module from 'node:module';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from './node-flags.mjs';
import { whenOrphaned } from './orphan.mjs';

whenOrphaned(() => process.kill(process.pid, 'SIGTERM'));

const [major, minor] = process.versions.node.split('.').map(Number);

if (major > 24 || (major === 24 && minor >= 15)) {
  // Not in the machine's shared temporary folder, where others could plant code.
  module.enableCompileCache(
    fileURLToPath(new URL('../../../node_modules/.cache/helioport', import.meta.url)),
  );
  const { main } = await import('../src/interfaces/cli/main.ts');
  await main(process.argv.slice(2));
} else {
  const node = findNode();
  if (node === undefined) {
    console.error(
      `helioport: needs Node 24.15 or newer; this is ${process.version}, and npm installed none for ${process.platform}-${process.arch}`,
    );
    process.exit(1);
  }
  const child = spawn(
    node,
    [...NODE_FLAGS, fileURLToPath(import.meta.url), ...process.argv.slice(2)],
    { stdio: 'inherit' },
  );
  // The terminal sends Ctrl-C to both processes; other signals reach only this one.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));
}

function findNode() {
  try {
    const binary = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
    return module
      .createRequire(import.meta.url)
      .resolve(
        `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}/${binary}`,
      );
  } catch {
    return undefined;
  }
}
