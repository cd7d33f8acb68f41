import { openLink } from '@helioport/collector';
import {
  createSite,
  readScenario,
  reportLive,
  type LiveSurroundings,
  type Setting,
} from '@helioport/simulator';
import type { DemoCredentials } from './demo-file.ts';
import { parametersOf } from './simulated-parameters.ts';

/** Where the demo's collectors report. */
export interface DemoAddresses {
  readonly gatewayUrl: string;
  /** Address of the embedded broker; undefined if there is none or it uses TLS, in which case all collectors use HTTP. */
  readonly brokerUrl: string | undefined;
}

/** The readings that the demo's collectors have to report, and where. */
export interface DemoReport
  extends
    Pick<DemoCredentials, 'startAt' | 'plants' | 'reportedUntilAt' | 'settings'>,
    DemoAddresses {}

export interface DemoSurroundings extends Omit<LiveSurroundings, 'fromAt'> {
  /** Called when an inverter has taken a setting. */
  readonly onSetting: (setting: Setting) => void;
}

/** After a pause, the demo reports at most this much history. */
const MOST_HISTORY_MS = 30 * 86_400_000;

/** Reports missing readings up to now, then the present until the signal aborts; carries out commands all the time. */
export async function reportDemo(
  report: DemoReport,
  surroundings: DemoSurroundings,
): Promise<void> {
  const { gatewayUrl, brokerUrl, startAt, plants, reportedUntilAt, settings = [] } = report;
  const { clock, pause, onSetting } = surroundings;
  const sites = plants.map(({ specification, collectorSn, token, mqtt, scenarios = [] }) =>
    createSite({
      specification: { ...specification, collectorSn },
      startAt,
      link: openLink({ url: (mqtt && brokerUrl) ?? gatewayUrl, token, ...mqtt, clock }),
      scenarios: scenarios.map((text) => readScenario(text, startAt)),
      parametersOf,
      settings,
      onSetting,
      clock,
      pause,
    }),
  );
  const fromAt =
    reportedUntilAt === null
      ? startAt
      : Math.max(reportedUntilAt + 1, clock.now() - MOST_HISTORY_MS);
  try {
    await reportLive(sites, { ...surroundings, fromAt });
  } finally {
    await Promise.all(sites.map(({ collector }) => collector.close()));
  }
}
