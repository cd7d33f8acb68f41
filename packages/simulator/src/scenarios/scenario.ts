/** Something out of the ordinary that happens at a plant, in its devices, or on the way to the server. */
export interface Scenario {
  readonly kind: ScenarioKind;
  /** Epoch milliseconds, inclusive. */
  readonly fromAt: number;
  /** Epoch milliseconds, exclusive; Infinity = it does not end. */
  readonly untilAt: number;
  /** The device that it happens to; by default, all to which it can. */
  readonly sn?: string;
  /** Number of a string input, from 1. */
  readonly string?: number;
  /** Number of a parameter. */
  readonly parameter?: string;
  readonly bit?: number;
  readonly seconds?: number;
  readonly percent?: number;
}

export type ScenarioOption = 'sn' | 'string' | 'parameter' | 'bit' | 'seconds' | 'percent';

interface KindOfScenario {
  /** What it does, in words for people. */
  readonly does: string;
  readonly takes: readonly ScenarioOption[];
  /** Options that it cannot do without. */
  readonly needs?: readonly ScenarioOption[];
}

export type ScenarioKind =
  | 'cloud-front'
  | 'grid-outage'
  | 'string-failure'
  | 'dead-battery'
  | 'cleared-bit'
  | 'lost-write'
  | 'slow-collector'
  | 'clock-drift'
  | 'duplicate-reports'
  | 'reordered-reports'
  | 'link-loss';

/** What can happen. */
export const scenarioKinds: Readonly<Record<ScenarioKind, KindOfScenario>> = {
  'cloud-front': { does: 'lets only so many percent of the light through (20)', takes: ['percent'] },
  'grid-outage': { does: 'takes the grid away: string inverters stop, a storage inverter supplies the house alone', takes: [] },
  'string-failure': { does: 'makes a string (1) of an inverter deliver nothing', takes: ['sn', 'string'] },
  'dead-battery': { does: 'makes the battery neither charge nor discharge', takes: [] },
  'cleared-bit': { does: 'makes the firmware clear a bit (1) of a parameter (636) that was written', takes: ['sn', 'parameter', 'bit'] },
  'lost-write': { does: 'makes inverters confirm writes that they do not carry out', takes: ['sn', 'parameter'] },
  'slow-collector': { does: 'delays each answer of a device by so many seconds', takes: ['sn', 'seconds'], needs: ['seconds'] },
  'clock-drift': { does: 'puts the clock of the collector off by so many seconds', takes: ['seconds'], needs: ['seconds'] },
  'duplicate-reports': { does: 'sends each report twice', takes: [] },
  'reordered-reports': { does: 'exchanges each report with the next one', takes: [] },
  'link-loss': { does: 'breaks the way to the server; reports wait in the backlog', takes: [] },
};

/** The scenarios of a kind that are under way, for a device if one is given. */
export const underWay = (scenarios: readonly Scenario[], kind: ScenarioKind, at: number, sn?: string): Scenario[] =>
  scenarios.filter((one) => one.kind === kind && at >= one.fromAt && at < one.untilAt && (sn === undefined || one.sn === undefined || one.sn === sn));
