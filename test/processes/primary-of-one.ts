// A primary with one process that listens at two ports. With `lasting`, it ends the process, whose channel stays open, as it does for a moment when
// there is something left in it to read. It writes the process's id and its ports, and a line for each connection that it hands over.
import { spawn } from 'node:child_process';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import process from 'node:process';
import { startChild } from '../../packages/server/src/processes/child.ts';

const CHANNEL = 3;

if (cluster.isPrimary) {
  const child = startChild(() => {});
  const ports = Object.values(await child.started);
  if (process.argv.includes('lasting')) {
    child.kill();
    await child.ended;
  }
  const handing = cluster.workers![1]!.process;
  const send = handing.send.bind(handing) as (...given: unknown[]) => boolean;
  Object.assign(handing, {
    send(...given: unknown[]) {
      if (given[1]) process.stdout.write('handed\n');
      return send(...given);
    },
  });
  process.stdin.resume();
  process.stdout.write(`${child.pid} ${ports.join(' ')}\n`);
} else {
  if (process.argv.includes('lasting'))
    spawn('cat', { stdio: ['inherit', 'ignore', 'ignore', CHANNEL] });
  const listen = async (): Promise<string> => {
    const server = createServer(() => {}).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return String((server.address() as AddressInfo).port);
  };
  process.send!({
    kind: 'started',
    addresses: { gateway: await listen(), oauth: await listen() },
  });
}
