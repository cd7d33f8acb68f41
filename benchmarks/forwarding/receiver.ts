import { fork } from 'node:child_process';
import { once } from 'node:events';
import { quantile } from '../support/quantiles.ts';

/** To which destination an event came, of which device, when it was measured, and when it arrived (epoch ms). */
export type Arrival = [to: number, sn: string, occurredAt: number, at: number];

export interface Receiver {
  /** Where it listens, or the broker that it has subscribed to. */
  readonly url: string;
  /** What has come since the last call. */
  take(): Promise<Arrival[]>;
  /** HTTP: destinations from this one on do not answer any more. */
  die(deadFrom: number): void;
  stop(): void;
}

/** Starts a receiver in a process of its own: of a broker's messages, or of HTTP requests. */
export async function startReceiver(broker?: string): Promise<Receiver> {
  const child = fork(
    new URL('receiver-process.ts', import.meta.url),
    broker === undefined ? [] : [broker],
  );
  const [url] = (await once(child, 'message')) as [string];
  return {
    url,
    async take() {
      const answer = once(child, 'message');
      child.send('take');
      return ((await answer) as [Arrival[]])[0];
    },
    die: (deadFrom) => void child.send({ deadFrom }),
    stop: () => void child.kill(),
  };
}

/** Epoch ms, with fractions; the same in all processes of a machine. */
export const wallNow = (): number => performance.timeOrigin + performance.now();

export interface Times {
  readonly p50: number;
  readonly p99: number;
  readonly count: number;
}

export const timesOf = (ms: readonly number[]): Times => ({
  p50: quantile(ms, 0.5),
  p99: quantile(ms, 0.99),
  count: ms.length,
});

export const shown = ({ p50, p99 }: Times): string => `${p50.toFixed(1)} | ${p99.toFixed(1)}`;
