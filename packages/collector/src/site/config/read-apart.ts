import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ConfigFault } from './config-fault.ts';
import type { readConfig } from './read-config.ts';
import type { SiteConfig } from './site-config.ts';

type Outcome = { readonly config: SiteConfig } | { readonly faults: readonly string[] };

/** Posts what `readConfig` returns, or the faults that it throws. */
const PROGRAM = `
  const { parentPort, workerData } = require('node:worker_threads');
  import(workerData.module).then(({ readConfig }) => {
    try {
      parentPort.postMessage({ config: readConfig(workerData.text, workerData.file) });
    } catch (error) {
      if (!error.faults) throw error;
      parentPort.postMessage({ faults: error.faults });
    }
  });
`;

/** As `readConfig`, in a thread that takes the memory of the YAML parser with it when it ends. Rejects with ConfigFault. */
export function readConfigApart(
  ...[text, file]: Parameters<typeof readConfig>
): Promise<SiteConfig> {
  const module = new URL(`read-config${extname(import.meta.url)}`, import.meta.url).href;
  const worker = new Worker(PROGRAM, { eval: true, workerData: { module, text, file } });
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', (outcome: Outcome) => {
      if ('config' in outcome) resolve(outcome.config);
      else reject(new ConfigFault(outcome.faults));
    });
  });
}
