import { underWay, type Scenario } from './scenario.ts';

/** The effects of scenarios on a plant at an instant. */
export interface Conditions {
  /** Share of the light that a cloud front lets through. */
  readonly lightShare: number;
  readonly isGridOut: boolean;
  readonly isBatteryDead: boolean;
  /** Whether an inverter stands still. */
  hasFailed(sn: string): boolean;
  /** Numbers of the strings of an inverter that deliver nothing. */
  deadStrings(sn: string): readonly number[];
}

const CLOUD_FRONT_PERCENT = 20;

export function conditionsAt(scenarios: readonly Scenario[], at: number): Conditions {
  const fronts = underWay(scenarios, 'cloud-front', at);
  return {
    lightShare: Math.min(1, ...fronts.map(({ percent = CLOUD_FRONT_PERCENT }) => percent / 100)),
    isGridOut: underWay(scenarios, 'grid-outage', at).length > 0,
    isBatteryDead: underWay(scenarios, 'dead-battery', at).length > 0,
    hasFailed: (sn) => underWay(scenarios, 'inverter-failure', at, sn).length > 0,
    deadStrings: (sn) =>
      underWay(scenarios, 'string-failure', at, sn).map(({ string = 1 }) => string),
  };
}
