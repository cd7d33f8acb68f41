import type { PlantSpecification } from './specification.ts';

/** What a device reports about itself. */
export interface DeviceDescription {
  sn: string;
  model?: string;
  firmware?: string;
  ratedPowerW?: number;
  /** Number of its string inputs. */
  strings?: number;
}

const FIRMWARE = '1.0.0';

/** Descriptions of those of the plant's devices that describe themselves. */
export const inventoryOf = ({ inverters }: PlantSpecification): DeviceDescription[] =>
  inverters.map(({ sn, ratedPowerW, strings, battery }) => ({
    sn,
    model: `SIM-${Math.round(ratedPowerW / 1000)}K${battery ? '-ES' : ''}`,
    firmware: FIRMWARE,
    ratedPowerW,
    strings: strings.length,
  }));
