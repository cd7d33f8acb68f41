import { readdirSync, readFileSync } from 'node:fs';
import { serve } from '../../test/support/server-process.ts';
import { quantile } from '../support/quantiles.ts';
import { requestsPerSecond, type Load } from '../support/load.ts';

/** `helioport serve` with some number of processes. */
export interface Served {
  readonly addresses: Record<string, string>;
  /** Puts load on it for a while. */
  drive(load: Load): Promise<Driven>;
  stop(): Promise<void>;
}

export interface Driven {
  readonly requestsPerSecond: number;
  /** Of all processes, the primary included. */
  readonly cpuMicroseconds: number;
  /** The CPU time of the busiest process that serves, over that of the idlest. */
  readonly spread: number;
}

/** Without background work, which is not done for requests. The limits, which benchmarks must not reach, are counted all the same. */
const LIMITS = {
  HELIOPORT_ROLES: 'user-api,gateway',
  HELIOPORT_RATE_LIMIT: '1000000/s',
  HELIOPORT_COLLECTOR_RATE_LIMIT: '1000000/s',
  HELIOPORT_LOG_LEVEL: 'info',
};

/** Linux counts CPU time in ticks of a hundredth of a second. */
const TICK_MICROSECONDS = 10_000;

export async function startServed(
  folder: string,
  processes: number,
  environment: Record<string, string>,
): Promise<Served> {
  const server = serve(folder, {
    ...LIMITS,
    ...environment,
    HELIOPORT_PROCESSES: String(processes),
  });
  const addresses = await server.started;
  const { pid } = server;
  const members = processes === 1 ? [pid] : childrenOf(pid);
  const cpu = (): { all: number; each: number[] } => {
    const each = members.map(cpuOf);
    return {
      each,
      all: each.reduce((sum, one) => sum + one, 0) + (processes === 1 ? 0 : cpuOf(pid)),
    };
  };
  return {
    addresses,
    async drive(load) {
      const before = cpu();
      const begun = performance.now();
      const rate = await requestsPerSecond(load);
      const requests = (rate * (performance.now() - begun)) / 1000;
      const after = cpu();
      const each = after.each.map((one, i) => one - before.each[i]!);
      return {
        requestsPerSecond: rate,
        cpuMicroseconds: (after.all - before.all) / requests,
        spread: Math.max(...each) / Math.max(1, quantile(each, 0)),
      };
    },
    async stop() {
      server.kill('SIGTERM');
      await server.ended;
    },
  };
}

/** The fields of a process’s state after its name, which may hold anything: its state first. */
function stateOf(pid: number | string): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

const cpuOf = (pid: number): number => {
  const state = stateOf(pid);
  return (Number(state[11]) + Number(state[12])) * TICK_MICROSECONDS;
};

const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return Number(stateOf(pid)[1]) === parent;
      } catch {
        return false;
      }
    })
    .map(Number);
