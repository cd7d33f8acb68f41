import type { Channel, Energies, Measured, PeriodEnergies } from '../../records.ts';
import type { Maybe, Source } from './field.ts';

// Figures that follow from others. Each is unknown as soon as one of its parts is.

/** A period whose energies are known. */
type Period = Exclude<keyof PeriodEnergies, 'amounts' | 'estimated'>;

/** An energy of a channel and a period. */
export const energyOf =
  (channel: Channel, period: Period): Source<{ readonly energies: Energies }, number> =>
  ({ energies }) =>
    energies[channel]?.[period];

/** Whether today's energy produced is an estimate; unknown where the energy is. */
export const estimatedToday = ({ energies }: { readonly energies: Energies }): boolean | undefined =>
  energies.production?.todayKwh === undefined ? undefined : (energies.production.estimated ?? false);

export const ratio = (part: Maybe<number>, whole: Maybe<number>): number | undefined =>
  part === undefined || part === null || whole === undefined || whole === null || whole <= 0 ? undefined : part / whole;

/** Full-load hours: kWh over kW. */
export const fullHours = (kwh: Maybe<number>, ratedKw: Maybe<number>): number | undefined => ratio(kwh, ratedKw);

export const percent = (part: Maybe<number>, whole: Maybe<number>): number | undefined => {
  const share = ratio(part, whole);
  return share === undefined ? undefined : share * 100;
};

/** Produced and not fed into the grid. */
export const selfConsumed =
  (period: Period): Source<{ readonly energies: Energies }, number> =>
  ({ energies }) => {
    const produced = energies.production?.[period];
    const exported = energies.gridExport?.[period];
    return produced === undefined || produced === null || exported === undefined || exported === null ? undefined : Math.max(0, produced - exported);
  };

/** Consumed by all loads, those of the backup port included. */
export const consumed =
  (period: Period): Source<{ readonly energies: Energies }, number> =>
  ({ energies }) => {
    const gridSide = energies.load?.[period];
    return gridSide === undefined || gridSide === null ? undefined : gridSide + (energies.backup?.[period] ?? 0);
  };

/** Power of all loads, W. */
export const totalLoadW = ({ values }: Measured): number | undefined =>
  values.loadPowerW === undefined ? undefined : values.loadPowerW + (values.backupPowerW ?? 0);

/** The charging or the discharging part of a signed figure: never negative. */
export const positivePart = (value: Maybe<number>): number | undefined => (typeof value === 'number' ? Math.max(0, value) : undefined);
export const negativePart = (value: Maybe<number>): number | undefined => (typeof value === 'number' ? Math.max(0, -value) : undefined);

/**
 * kg of CO2 that a kWh of electricity causes: the world's average in 2018. Source: IEA, Global Energy & CO2 Status Report 2018 (March 2019), 475 g/kWh.
 * A convention of monitoring portals, kept so that figures compare; Ember (Global Electricity Review 2023) gives 436 g/kWh for 2022, and countries differ widely.
 */
export const CO2_KG_PER_KWH = 0.475;

/** kg of CO2 that a tree takes up in a year: a convention of monitoring portals; no measurement stands behind it. */
export const CO2_KG_PER_TREE = 18.3;

export const avoidedCo2Kg = (kwh: Maybe<number>): number | undefined => (typeof kwh === 'number' ? kwh * CO2_KG_PER_KWH : undefined);

/** Radio signal as the bars of a display, 0 to 4. */
export const signalLevel = (dbm: Maybe<number>): number | undefined =>
  typeof dbm === 'number' ? [-90, -80, -70, -60].filter((bar) => dbm >= bar).length : undefined;
