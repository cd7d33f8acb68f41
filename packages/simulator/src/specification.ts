import type { PanelOrientation, SunPlace } from './sun.ts';

/** A string of modules on one input of an inverter. */
export interface StringSpecification extends PanelOrientation {
  kwp: number;
  modulesInSeries: number;
}

export interface BatterySpecification {
  capacityKwh: number;
  maxPowerW: number;
  /** Below this state of charge, the battery is not discharged. */
  reservePercent: number;
}

export interface InverterSpecification {
  sn: string;
  /** By default, a name made from the rated power and the kind. */
  model?: string;
  /** Version of its display's firmware, as hexadecimal text; by default, a storage inverter has the first version with six time slots. */
  displayVersion?: string;
  ratedPowerW: number;
  phases: 1 | 3;
  strings: readonly StringSpecification[];
  /** Only for a storage inverter, which also meters load and grid. At most one per plant. */
  battery?: BatterySpecification;
  /** Level of the total counter at the start. */
  startTotalKwh: number;
}

export interface LoadSpecification {
  baseW: number;
  morningPeakW: number;
  eveningPeakW: number;
}

/** Everything that defines a simulated plant. The same specification yields the same readings in every run and on every machine. */
export interface PlantSpecification {
  seed: number;
  place: SunPlace;
  /** IANA name. */
  timeZone: string;
  gridFrequencyHz: 50 | 60;
  gridVoltageV: number;
  inverters: readonly InverterSpecification[];
  load: LoadSpecification;
  /** Serial number of an energy meter at the grid connection. */
  meterSn?: string;
  /** Serial number of an EPM unit, which limits the power fed into the grid. */
  epmSn?: string;
  weatherStationSn?: string;
  /** Serial number of the collector, if it reports how well it receives its network. */
  collectorSn?: string;
  /** The clock by which daily counters reset at midnight; on devices in the field it is often wrong. */
  counterMidnight?: 'local' | 'utc';
}
