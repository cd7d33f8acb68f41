import type { ChannelName, Energies, Measured, PeriodEnergies } from '../../records/index.ts';
import type { Maybe, FieldSource } from './field.ts';

// Figures computed from others. Each is unknown if any of its parts is.

/** A period for which a record holds energies. */
type Period = Exclude<keyof PeriodEnergies, 'amounts' | 'estimated'>;

/** The energy of a channel in a period. */
export const energyOf =
  (channel: ChannelName, period: Period): FieldSource<{ readonly energies: Energies }, number> =>
  ({ energies }) =>
    energies[channel]?.[period];

/** Whether the energy produced today is estimated; unknown if the energy is unknown. */
export const estimatedToday = ({
  energies,
}: {
  readonly energies: Energies;
}): boolean | undefined =>
  energies.production?.todayKwh === undefined
    ? undefined
    : (energies.production.estimated ?? false);

export const ratio = (part: Maybe<number>, whole: Maybe<number>): number | undefined =>
  part === undefined || part === null || whole === undefined || whole === null || whole <= 0
    ? undefined
    : part / whole;

/** Full-load hours: kWh over kW. */
export const fullHours = (kwh: Maybe<number>, ratedKw: Maybe<number>): number | undefined =>
  ratio(kwh, ratedKw);

export const percentField = (part: Maybe<number>, whole: Maybe<number>): number | undefined => {
  const share = ratio(part, whole);
  return share === undefined ? undefined : share * 100;
};

/** Energy produced but not fed into the grid, kWh. */
export const notFedIn = (produced: Maybe<number>, exported: Maybe<number>): number | undefined =>
  typeof produced === 'number' && typeof exported === 'number'
    ? Math.max(0, produced - exported)
    : undefined;

/** Energy consumed by all loads, including those on the backup port, kWh. */
export const consumedByAll = (load: Maybe<number>, backup: Maybe<number>): number | undefined =>
  typeof load === 'number' ? load + (backup ?? 0) : undefined;

export const selfConsumed =
  (period: Period): FieldSource<{ readonly energies: Energies }, number> =>
  ({ energies: { production, gridExport } }) =>
    notFedIn(production?.[period], gridExport?.[period]);

export const consumed =
  (period: Period): FieldSource<{ readonly energies: Energies }, number> =>
  ({ energies: { load, backup } }) =>
    consumedByAll(load?.[period], backup?.[period]);

/** Power of all loads, W. */
export const totalLoadW = ({ values }: Measured): number | undefined =>
  values.loadPowerW === undefined ? undefined : values.loadPowerW + (values.backupPowerW ?? 0);

/** The positive or the negative part of a signed figure, such as charging or discharging power: 0 or more. */
export const positivePart = (value: Maybe<number>): number | undefined =>
  typeof value === 'number' ? Math.max(0, value) : undefined;
export const negativePart = (value: Maybe<number>): number | undefined =>
  typeof value === 'number' ? Math.max(0, -value) : undefined;

/**
 * kg of CO2 per kWh of electricity: the world average in 2018. Source: IEA, Global Energy & CO2 Status Report 2018 (March 2019), 475 g/kWh.
 * A convention of monitoring portals, kept so that figures can be compared; Ember (Global Electricity Review 2023) reports 436 g/kWh for 2022, and countries differ widely.
 */
export const CO2_KG_PER_KWH = 0.475;

/** kg of CO2 that a tree absorbs in a year: a convention of monitoring portals, not based on a measurement. */
export const CO2_KG_PER_TREE = 18.3;

export const avoidedCo2Kg = (kwh: Maybe<number>): number | undefined =>
  typeof kwh === 'number' ? kwh * CO2_KG_PER_KWH : undefined;

/** Radio signal as a number of bars, 0 to 4. */
export const signalLevel = (dbm: Maybe<number>): number | undefined =>
  typeof dbm === 'number' ? [-90, -80, -70, -60].filter((bar) => dbm >= bar).length : undefined;
