import { openLink } from '@helioport/collector';
import { createSite, readScenario, reportLive, type LiveSurroundings, type Setting } from '@helioport/simulator';
import type { DemoCredentials } from './demo-file.ts';
import { parametersOf } from './simulated-parameters.ts';

/** The readings that the demo's collectors have to report, and the gateway's address. */
export interface DemoReport extends Pick<DemoCredentials, 'startAt' | 'plants' | 'reportedUntilAt' | 'settings'> {
  readonly gatewayUrl: string;
}

export interface DemoSurroundings extends Omit<LiveSurroundings, 'fromAt'> {
  /** Called when an inverter has taken a setting. */
  readonly onSetting: (setting: Setting) => void;
}

/** After a pause, the demo reports at most this much history. */
const MOST_HISTORY_MS = 30 * 86_400_000;

/** Reports the readings that are missing up to now, then live until the signal aborts; obeys all the while. */
export async function reportDemo({ gatewayUrl, startAt, plants, reportedUntilAt, settings = [] }: DemoReport, surroundings: DemoSurroundings): Promise<void> {
  const { clock, pause, onSetting } = surroundings;
  const sites = plants.map(({ specification, token, scenarios = [] }) =>
    createSite({
      specification,
      startAt,
      link: openLink({ url: gatewayUrl, token, clock }),
      scenarios: scenarios.map((text) => readScenario(text, startAt)),
      parametersOf,
      settings,
      onSetting,
      clock,
      pause,
    }),
  );
  const fromAt = reportedUntilAt === null ? startAt : Math.max(reportedUntilAt + 1, clock.now() - MOST_HISTORY_MS);
  try {
    await reportLive(sites, { ...surroundings, fromAt });
  } finally {
    await Promise.all(sites.map(({ collector }) => collector.close()));
  }
}
