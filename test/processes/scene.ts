import { execFileSync } from 'node:child_process';
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { settingsOf, type TestDatabase } from '../support/engines.ts';
import { serve, type ServerProcess } from '../support/server-process.ts';

export const PROCESSES = 3;

/** `helioport serve` with several processes. */
export interface Running {
  readonly server: ServerProcess;
  readonly addresses: Record<string, string>;
  /** The processes that serve now. */
  pids(): number[];
  /** The sum of all series of a metric whose labels contain `having`. */
  metric(name: string, having?: string): Promise<number>;
  /** Kills the primary, if it is still there, and waits for the end of all. */
  end(): Promise<void>;
}

export async function startProcesses(
  database: TestDatabase,
  settings: Record<string, string> = {},
): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'helioport-processes-'));
  const server = serve(folder, {
    ...settingsOf(database),
    HELIOPORT_PROCESSES: String(PROCESSES),
    ...settings,
  });
  const addresses = await server.started;
  return {
    server,
    addresses,
    pids: () => childrenOf(server.pid),
    async metric(name, having = '') {
      const lines = (await (await fetch(`${addresses['ops']}/metrics`)).text()).split('\n');
      const series = lines
        .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
        .filter((line) => line.includes(having));
      return series.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
    },
    async end() {
      const members = childrenOf(server.pid);
      server.kill('SIGKILL');
      await server.ended;
      await vi.waitUntil(() => !members.some(isAlive), { timeout: 60_000 });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

export const childrenOf = (parent: number): number[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid, ppid]) => (ppid === parent ? [pid!] : []));

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: any;
}

/** A connection that is kept, to one of the processes. */
export interface Connection {
  ask(
    path: string,
    options?: { method?: string; headers?: Record<string, string>; body?: string },
  ): Promise<Answer>;
  close(): void;
}

export function openConnection(address: string): Connection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    async ask(path, { method = 'GET', headers = {}, body } = {}) {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const length =
        body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
      const outgoing = httpRequest(
        address + path,
        { agent, method, headers: { ...length, ...headers } },
        (response) => {
          readText(response).then(
            (text) =>
              resolve({
                status: response.statusCode!,
                headers: response.headers,
                text,
                body: /^[[{]/.test(text) ? (JSON.parse(text) as unknown) : undefined,
              }),
            reject,
          );
        },
      );
      outgoing.on('error', reject).end(body);
      return promise;
    },
    close: () => agent.destroy(),
  };
}

/** One connection to each process: connections are handed out in turn. */
export async function connectToEach(address: string, count = PROCESSES): Promise<Connection[]> {
  const connections: Connection[] = [];
  for (let i = 0; i < count; i++) {
    const connection = openConnection(address);
    expect((await connection.ask('/readyz')).status).toBe(200);
    connections.push(connection);
  }
  return connections;
}
