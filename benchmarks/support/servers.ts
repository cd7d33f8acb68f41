import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { requestsPerSecond } from './load.ts';

/** A server in its own process. */
export interface BenchServer {
  readonly port: number;
  /** CPU time used so far, microseconds. */
  cpu(): Promise<number>;
  stop(): void;
}

/** What a server did in one round. */
export interface Round {
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly cpuMicroseconds: number;
}

/** Starts a script that sends its address when it listens, and its `process.cpuUsage()` on request. `flags` are for Node. */
export async function startServer(
  script: URL,
  args: readonly string[],
  flags: readonly string[] = [],
): Promise<BenchServer> {
  const child: ChildProcess = fork(script, args, { execArgv: [...flags] });
  const [address] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${script.pathname} ended`))),
  ])) as [AddressInfo];
  return {
    port: address.port,
    async cpu() {
      const answer = once(child, 'message');
      child.send('cpu');
      const [{ user, system }] = (await answer) as [NodeJS.CpuUsage];
      return user + system;
    },
    stop: () => void child.kill(),
  };
}

/** Puts load on a server for a while; the CPU time is per request. */
export async function driveServer(
  server: BenchServer,
  request: string,
  { connections, milliseconds }: { connections: number; milliseconds: number },
): Promise<Round> {
  const before = await server.cpu();
  const begun = performance.now();
  const rate = await requestsPerSecond({ port: server.port, request, connections, milliseconds });
  const requests = (rate * (performance.now() - begun)) / 1000;
  return {
    requests,
    requestsPerSecond: rate,
    cpuMicroseconds: ((await server.cpu()) - before) / requests,
  };
}
