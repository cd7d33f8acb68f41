import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';

/** How many honest collectors there are. */
export const HONEST = 20;
/** Each of them reports so often. */
const EVERY_MS = 500;

/** What honest collectors and the probes met in the meantime: 99th percentiles in ms, and the server's most memory in bytes. */
export interface Met {
  readonly reports: number;
  readonly health: number;
  readonly highest: number;
}

export interface SteadyLoad {
  /** Reports and asks `/healthz` for some seconds. */
  run(seconds: number): Promise<Met>;
  /** The memory that the server's process holds, bytes. */
  memory(): Promise<number>;
}

/** A reading that nobody has sent before. */
export type FreshReading = (sn: string) => {
  readonly sn: string;
  readonly at: number;
  readonly values: Readonly<Record<string, number>>;
};

/** `report` sends one reading for the i-th honest collector, and throws if it is not accepted. */
export function createSteadyLoad(
  addresses: Readonly<Record<string, string>>,
  report: (i: number, fresh: FreshReading) => Promise<void>,
): SteadyLoad {
  const memory = async (): Promise<number> =>
    Number(
      /^process_resident_memory_bytes (\d+)/m.exec(
        await (await fetch(`${addresses['ops']}/metrics`)).text(),
      )![1],
    );
  let sent = 0;
  const fresh: FreshReading = (sn) => ({
    sn,
    at: Date.now() - 3_600_000 + ++sent,
    values: { acPowerW: sent, energyTotalKwh: 5 },
  });

  return {
    memory,
    async run(seconds) {
      const [reports, health]: number[][] = [[], []];
      const until = Date.now() + seconds * 1000;
      let highest = 0;
      const collect = async (_: unknown, i: number): Promise<void> => {
        await setTimeout((i * EVERY_MS) / HONEST);
        while (Date.now() < until) {
          const began = performance.now();
          await report(i, fresh);
          reports!.push(performance.now() - began);
          await setTimeout(EVERY_MS);
        }
      };
      const ask = async (): Promise<void> => {
        while (Date.now() < until) {
          for (const listener of ['user-api', 'gateway']) {
            const began = performance.now();
            expect((await fetch(`${addresses[listener]}/healthz`)).status).toBe(200);
            health!.push(performance.now() - began);
          }
          highest = Math.max(highest, await memory());
          await setTimeout(50);
        }
      };
      await Promise.all([...Array.from({ length: HONEST }, collect), ask()]);
      return { reports: p99(reports!), health: p99(health!), highest };
    },
  };
}

/** How both periods compare, for people. */
export const comparison = (idle: number, without: Met, during: Met): string =>
  `p99 of reports ${without.reports.toFixed(1)} -> ${during.reports.toFixed(1)} ms, of /healthz ${without.health.toFixed(1)} -> ${during.health.toFixed(1)} ms, ` +
  `memory ${mib(idle)} -> ${mib(during.highest)} MiB`;

const mib = (bytes: number): number => Math.round(bytes / 2 ** 20);
const p99 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
