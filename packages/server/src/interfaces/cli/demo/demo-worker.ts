import { parentPort, workerData } from 'node:worker_threads';
import { systemClock, timerPause } from '@helioport/collector';
import type { DemoMessage } from './demo-run.ts';
import { reportDemo, type DemoReport } from './demo-report.ts';

// The demo's collectors run in a thread of their own: computing readings must not delay the server's answers.
await reportDemo(workerData as DemoReport, {
  clock: systemClock,
  pause: timerPause,
  signal: new AbortController().signal,
  onReported: (reportedUntilAt) => tell({ reportedUntilAt }),
  onSetting: (setting) => tell({ setting }),
});

function tell(message: DemoMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the rule is about browser windows; a thread’s port has no origin
  parentPort!.postMessage(message);
}
