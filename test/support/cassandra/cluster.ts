import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FakeClock } from '../machine/fake-clock.ts';
import { freePort } from '../free-port.ts';
import {
  LOGBACK,
  nodeArguments,
  nodetoolArguments,
  nodeYaml,
  type NodeSettings,
} from './node-settings.ts';

/** A real Cassandra cluster on loopback: 127.0.0.1, .2, .3, all with the same port. Nodes are counted from 0. */
export interface CassandraCluster {
  readonly ips: readonly string[];
  readonly port: number;
  /** Kills a node, with all that it has not written. */
  kill(node: number): Promise<void>;
  /** Starts it again, with its data, and with another clock if one is given. */
  restart(node: number, clock?: FakeClock): Promise<void>;
  /** Lets it stand still, and go on: it neither answers nor closes anything meanwhile. */
  freeze(node: number): void;
  thaw(node: number): void;
  /** Where each node keeps its data. */
  readonly folders: readonly string[];
  /** The program and the first arguments that are Cassandra's nodetool on a node. */
  nodetoolCommand(node: number): readonly string[];
  /** Runs it. */
  nodetool(node: number, ...args: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

export interface ClusterOptions extends Partial<
  Pick<NodeSettings, 'passwords' | 'keystore' | 'commitlogSync'>
> {
  readonly nodes?: number;
}

const run = promisify(execFile);

const START_LIMIT_MS = 180_000;

export async function startCassandra(
  jars: string,
  {
    nodes = 1,
    passwords = false,
    keystore,
    commitlogSync = nodes === 1 ? 'batch' : 'periodic',
  }: ClusterOptions = {},
): Promise<CassandraCluster> {
  const root = mkdtempSync(join(tmpdir(), 'helioport-cassandra-'));
  const [cqlPort, storagePort] = [await freePort(), await freePort()];
  const ips = Array.from({ length: nodes }, (_, i) => `127.0.0.${i + 1}`);
  const folders = ips.map((_, i) => join(root, `node-${i}`));
  const jmxPorts = await Promise.all(ips.map(() => freePort()));
  // Each is a seed, so that they start together.
  const seeds = ips.map((ip) => `${ip}:${storagePort}`);

  async function start(i: number, clock?: FakeClock): Promise<ChildProcess> {
    const [ip, folder] = [ips[i]!, folders[i]!];
    mkdirSync(folder, { recursive: true });
    const token = (-(2n ** 63n) + (2n ** 64n / BigInt(nodes)) * BigInt(i)).toString();
    writeFileSync(
      join(folder, 'cassandra.yaml'),
      nodeYaml({
        folder,
        ip,
        token,
        seeds,
        commitlogSync,
        cqlPort,
        storagePort,
        passwords,
        keystore,
      }),
    );
    writeFileSync(join(folder, 'logback.xml'), LOGBACK);
    const log = openSync(join(folder, 'out.log'), 'a');
    const child = spawn('java', nodeArguments(jars, folder, jmxPorts[i]!), {
      stdio: ['ignore', log, log],
      cwd: folder,
      env: { ...process.env, ...clock },
    });
    const giveUpAt = performance.now() + START_LIMIT_MS;
    while (!(await listens(ip, cqlPort))) {
      if (child.exitCode !== null || performance.now() > giveUpAt) {
        child.kill('SIGKILL');
        throw new Error(
          `a Cassandra node did not start:\n${readFileSync(join(folder, 'out.log'), 'utf8').slice(-2_000)}`,
        );
      }
      await setTimeout(100);
    }
    return child;
  }

  const end = async (child: ChildProcess): Promise<void> => {
    const ended = once(child, 'exit');
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await ended;
  };
  const children = await Promise.all(ips.map((_, i) => start(i)));
  const nodetoolCommand = (i: number): string[] => [
    'java',
    ...nodetoolArguments(jars, folders[i]!, jmxPorts[i]!),
  ];
  return {
    ips,
    port: cqlPort,
    folders,
    kill: (i) => end(children[i]!),
    async restart(i, clock) {
      children[i] = await start(i, clock);
    },
    nodetoolCommand,
    async nodetool(i, ...args) {
      const [java, ...first] = nodetoolCommand(i);
      const { stdout } = await run(java!, [...first, ...args]);
      return stdout;
    },
    freeze: (i) => void children[i]!.kill('SIGSTOP'),
    thaw: (i) => void children[i]!.kill('SIGCONT'),
    async close() {
      await Promise.all(children.map(end));
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function listens(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
