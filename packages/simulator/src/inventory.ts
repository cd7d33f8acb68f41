import type { DeviceDescription } from '@helioport/collector';
import type { InverterSpecification, PlantSpecification } from './specification.ts';

const FIRMWARE = '1.0.0';
const SIX_SLOTS = '4b00';

/** The model that an inverter reports. */
export const modelOf = ({ model, ratedPowerW, battery }: InverterSpecification): string =>
  model ?? `SIM-${Math.round(ratedPowerW / 1000)}K${battery ? '-ES' : ''}`;

/** Version of the display's firmware, as hexadecimal text; undefined if the inverter does not report it. */
export const displayVersionOf = ({
  displayVersion,
  battery,
}: InverterSpecification): string | undefined => displayVersion ?? (battery && SIX_SLOTS);

/** Whether a display of this version (null = unknown) has six slots rather than three. */
export const hasSixSlots = (version: number | null): boolean =>
  version !== null && version >= Number.parseInt(SIX_SLOTS, 16);

/** Descriptions of the plant's devices. */
export const inventoryOf = ({
  inverters,
  meterSn,
  epmSn,
  weatherStationSn,
}: PlantSpecification): DeviceDescription[] => [
  ...inverters.map(ofInverter),
  ...(meterSn === undefined ? [] : [{ sn: meterSn, kind: 'ammeter' as const }]),
  ...(epmSn === undefined ? [] : [{ sn: epmSn, kind: 'epm' as const }]),
  ...(weatherStationSn === undefined ? [] : [{ sn: weatherStationSn, kind: 'weather' as const }]),
];

function ofInverter(inverter: InverterSpecification): DeviceDescription {
  const { sn, ratedPowerW, strings } = inverter;
  const displayVersion = displayVersionOf(inverter);
  const about = {
    model: modelOf(inverter),
    firmware: FIRMWARE,
    ...(displayVersion !== undefined && { displayVersion }),
  };
  return { sn, kind: 'inverter', ...about, ratedPowerW, strings: strings.length };
}
