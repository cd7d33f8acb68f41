import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Setting } from '@helioport/simulator';
import type { Config } from '../../../platform/config/load.ts';
import { saveDemo, type DemoCredentials } from './demo-file.ts';
import type { DemoAddresses, DemoReport } from './demo-report.ts';

/** A message from the demo's thread: up to when everything is reported, or a new setting of an inverter. */
export type DemoMessage = { readonly reportedUntilAt: number } | { readonly setting: Setting };

export interface RunDemoContext extends DemoAddresses {
  readonly config: Pick<Config, 'dataDir'>;
  readonly credentials: DemoCredentials;
  readonly signal: AbortSignal;
  /** Shows a remark. */
  note(text: string): void;
  /** Called when the history is complete, or when the simulation has failed. */
  onHistory?(): void;
}

/** Runs the demo's collectors until the signal aborts: they report the history, then the present. */
export async function runDemo({
  config,
  gatewayUrl,
  brokerUrl,
  credentials,
  signal,
  note,
  onHistory,
}: RunDemoContext): Promise<void> {
  const { startAt, plants, reportedUntilAt, settings = [] } = credentials;
  if (signal.aborted) return;
  const worker = new Worker(new URL('./demo-worker.ts', import.meta.url), {
    workerData: {
      gatewayUrl,
      brokerUrl,
      startAt,
      plants,
      reportedUntilAt,
      settings,
    } satisfies DemoReport,
  });
  let kept = credentials;
  let rounds = 0;
  worker.on('message', (message: DemoMessage) => {
    kept =
      'setting' in message
        ? { ...kept, settings: [...(kept.settings ?? []), message.setting] }
        : { ...kept, ...message };
    saveDemo(config, kept);
    if ('setting' in message || rounds++ > 0) return;
    note('demo: the plants’ history is complete; they now report every five minutes');
    onHistory?.();
  });
  worker.on('error', (error) => {
    note(`demo: the simulated plants stopped: ${error.message}`);
    onHistory?.();
  });
  const ended = once(worker, 'exit');
  const stop = (): void => void worker.terminate();
  signal.addEventListener('abort', stop, { once: true });
  await ended;
  signal.removeEventListener('abort', stop);
}
