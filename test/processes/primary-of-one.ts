// A primary with one process that listens, and whose channel stays open after its end, as it does for a moment when there is something left in it to read.
import { spawn } from 'node:child_process';
import cluster from 'node:cluster';
import { createServer, type AddressInfo } from 'node:net';
import process from 'node:process';
import { startChild } from '../../packages/server/src/processes/child.ts';

const CHANNEL = 3;

if (cluster.isPrimary) {
  const child = startChild(() => {});
  const [address] = Object.values(await child.started);
  child.kill();
  await child.ended;
  process.stdout.write(`${address}\n`);
} else {
  spawn('cat', { stdio: ['inherit', 'ignore', 'ignore', CHANNEL] });
  const server = createServer(() => {}).listen(0, '127.0.0.1', () => {
    process.send!({
      kind: 'started',
      addresses: { gateway: String((server.address() as AddressInfo).port) },
    });
  });
}
