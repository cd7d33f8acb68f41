import { createCollector, createPlant, reportLive, type LiveSurroundings } from '@helioport/simulator';
import type { DemoCredentials } from './demo-file.ts';

/** The readings that the demo's collectors have to report, and the gateway's address. */
export interface DemoReport extends Pick<DemoCredentials, 'startAt' | 'plants' | 'reportedUntilAt'> {
  readonly gatewayUrl: string;
}

/** After a pause, the demo reports at most this much history. */
const MOST_HISTORY_MS = 30 * 86_400_000;

/** Reports the readings that are missing up to now, then live until the signal aborts. */
export async function reportDemo({ gatewayUrl, startAt, plants, reportedUntilAt }: DemoReport, surroundings: Omit<LiveSurroundings, 'fromAt'>): Promise<void> {
  const entries = plants.map(({ specification, token }) => ({
    plant: createPlant(specification, startAt),
    collector: createCollector({ ...surroundings, gatewayUrl, token }),
  }));
  const fromAt = reportedUntilAt === null ? startAt : Math.max(reportedUntilAt + 1, surroundings.clock.now() - MOST_HISTORY_MS);
  await reportLive(entries, { ...surroundings, fromAt });
}
