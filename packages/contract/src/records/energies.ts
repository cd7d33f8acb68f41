import type { Values } from '../quantities.ts';
import { an } from './an.ts';
import { maybe, record, type InOf, type Kind } from './kind.ts';

/**
 * A kind of energy. `load` is the consumption of loads on the grid side, `backup` that of loads on the backup port. The
 * irradiations are energy per square metre.
 */
export const channels = [
  'production',
  'gridImport',
  'gridExport',
  'batteryCharge',
  'batteryDischarge',
  'load',
  'backup',
  'generator',
  'irradiation',
  'globalIrradiation',
  'directIrradiation',
  'diffuseIrradiation',
] as const;
export type ChannelName = (typeof channels)[number];

/** Values by the name of their quantity, which ends in its unit. Those that are not known are left out. */
export const values = (description: string, example?: Values): Kind<Values> => ({
  schema: {
    type: 'object',
    description: `${description}, by name of the quantity; names end in their unit`,
    additionalProperties: { type: 'number' },
  },
  example,
});

/** A figure for each kind of energy that is measured. */
export const perChannel = <In, Out>(
  description: string,
  { schema, write }: Kind<In, Out>,
  example?: { readonly [C in ChannelName]?: In },
): Kind<
  { readonly [C in ChannelName]?: In | null | undefined },
  { readonly [C in ChannelName]?: Out }
> => ({
  schema: {
    type: 'object',
    description,
    properties: Object.fromEntries(channels.map((channel) => [channel, schema])),
  },
  example,
  write: (figures) =>
    Object.fromEntries(
      Object.entries(figures).flatMap(([channel, figure]) =>
        figure === undefined || figure === null
          ? []
          : [[channel, write ? write(figure) : (figure as unknown as Out)]],
      ),
    ),
});

/** Money of the plant's local day, month and year, and of all time, in the plant's currency. */
export const periodAmounts = (
  description: string,
  example: { readonly [P in 'today' | 'month' | 'year' | 'total']?: number } = {},
) =>
  record(description, {
    today: maybe(an.money('of today', example.today)),
    month: maybe(an.money('of this month', example.month)),
    year: maybe(an.money('of this year', example.year)),
    total: maybe(an.money('of all time', example.total)),
  });
export type PeriodAmounts = InOf<ReturnType<typeof periodAmounts>>;

const periodEnergies = record('energy of the plant’s own day, month and year, and of all time', {
  todayKwh: maybe(an.kwh('today')),
  monthKwh: maybe(an.kwh('this month')),
  yearKwh: maybe(an.kwh('this year')),
  totalKwh: maybe(an.kwh('in all')),
  yesterdayKwh: maybe(an.kwh('yesterday')),
  estimated: maybe(an.flag('whether part of today’s energy is estimated')),
  amounts: maybe(periodAmounts('its value at the prices in force when it flowed')),
});
export type PeriodEnergies = InOf<typeof periodEnergies>;

/** Energies by their kind and period. */
export const energies = (example?: Energies) =>
  perChannel('energies by kind and period', periodEnergies, example as never);
export type Energies = { readonly [C in ChannelName]?: PeriodEnergies | null | undefined };
