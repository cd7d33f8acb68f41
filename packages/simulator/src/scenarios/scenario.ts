/** An unusual event at a plant, in its devices, or on the connection to the server. */
export interface Scenario {
  readonly kind: ScenarioKind;
  /** Epoch milliseconds, inclusive. */
  readonly fromAt: number;
  /** Epoch milliseconds, exclusive; Infinity = it does not end. */
  readonly untilAt: number;
  /** The affected device; by default, all that can be affected. */
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
  /** Its effect, for people to read; in parentheses, the default of an option. */
  readonly does: string;
  readonly takes: readonly ScenarioOption[];
  /** Required options. */
  readonly needs?: readonly ScenarioOption[];
}

export type ScenarioKind =
  | 'cloud-front'
  | 'grid-outage'
  | 'string-failure'
  | 'inverter-failure'
  | 'dead-battery'
  | 'cleared-bit'
  | 'lost-write'
  | 'slow-collector'
  | 'clock-drift'
  | 'duplicate-reports'
  | 'reordered-reports'
  | 'link-loss';

/** All kinds of scenarios. */
export const scenarioKinds: Readonly<Record<ScenarioKind, KindOfScenario>> = {
  'cloud-front': { does: 'reduces the light to a percentage (20)', takes: ['percent'] },
  'grid-outage': {
    does: 'disconnects the grid: string inverters stop, and a storage inverter supplies the house alone',
    takes: [],
  },
  'string-failure': {
    does: 'makes one string (1) of an inverter deliver nothing',
    takes: ['sn', 'string'],
  },
  'inverter-failure': { does: 'makes an inverter stand still', takes: ['sn'] },
  'dead-battery': { does: 'stops the battery from charging and discharging', takes: [] },
  'cleared-bit': {
    does: 'makes the firmware clear a bit (1) of a parameter (636) after each write',
    takes: ['sn', 'parameter', 'bit'],
  },
  'lost-write': {
    does: 'makes inverters confirm writes without carrying them out',
    takes: ['sn', 'parameter'],
  },
  'slow-collector': {
    does: 'delays each answer of a device by a number of seconds',
    takes: ['sn', 'seconds'],
    needs: ['seconds'],
  },
  'clock-drift': {
    does: 'sets the collector’s clock wrong by a number of seconds',
    takes: ['seconds'],
    needs: ['seconds'],
  },
  'duplicate-reports': { does: 'sends each report twice', takes: [] },
  'reordered-reports': { does: 'swaps each report with the next one', takes: [] },
  'link-loss': {
    does: 'breaks the connection to the server, so that reports wait in the backlog',
    takes: [],
  },
};

/** The scenarios of a kind that are under way at an instant, and affect the device if one is given. */
export const underWay = (
  scenarios: readonly Scenario[],
  kind: ScenarioKind,
  at: number,
  sn?: string,
): Scenario[] =>
  scenarios.filter(
    (one) =>
      one.kind === kind &&
      at >= one.fromAt &&
      at < one.untilAt &&
      (sn === undefined || one.sn === undefined || one.sn === sn),
  );
