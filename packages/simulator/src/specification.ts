import type { Orientation, Place } from './sun.ts';

/** A string of modules on one input of an inverter. */
export interface StringSpecification extends Orientation {
  kwp: number;
  modulesInSeries: number;
}

export interface BatterySpecification {
  capacityKwh: number;
  maxPowerW: number;
  /** Below it the battery gives nothing. */
  reservePercent: number;
}

export interface InverterSpecification {
  sn: string;
  ratedPowerW: number;
  phases: 1 | 3;
  strings: readonly StringSpecification[];
  /** Only on a storage inverter; it meters load and grid too. One at most in a plant. */
  battery?: BatterySpecification;
  /** The total counter at the beginning. */
  startTotalKwh: number;
}

export interface LoadSpecification {
  baseW: number;
  morningPeakW: number;
  eveningPeakW: number;
}

/** All that a simulated plant is. The same specification gives the same readings, in every run and on every machine. */
export interface PlantSpecification {
  seed: number;
  place: Place;
  /** IANA name. */
  timeZone: string;
  gridFrequencyHz: 50 | 60;
  gridVoltageV: number;
  inverters: readonly InverterSpecification[];
  load: LoadSpecification;
  /** Serial number of an energy meter at the grid connection. */
  meterSn?: string;
  weatherStationSn?: string;
  /** Where the day counters find midnight; devices in the field often have it wrong. */
  counterMidnight?: 'local' | 'utc';
}
