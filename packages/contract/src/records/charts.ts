import type { QuantityName, Values } from '../quantities.ts';
import { an } from './an.ts';
import { perChannel, type ChannelName, type Energies } from './energies.ts';
import { NOON } from './house.ts';
import type { DeviceFacts, EpmFacts } from './devices.ts';
import { listOfRecords, maybe, record, type InOf, type Kind } from './kind.ts';
import { plant, worthParts, type PresenceState } from './plants.ts';
import type { EpmSeriesName } from '../compat/epm-series.ts';
import type { Maybe } from '../compat/field-kinds/field.ts';

/** One reading of an inverter in the chart of a day. */
export interface InverterDayRow {
  readonly at: number;
  /** Minutes by which the plant's clock was ahead of UTC at that time. */
  readonly offsetMinutes: number;
  readonly state?: Maybe<PresenceState>;
  readonly facts: Pick<DeviceFacts, 'phases' | 'dcInputs'>;
  readonly values: Values;
  /** Energy of the local day up to this reading (`todayKwh`), and of all time (`totalKwh`); the other periods are not set. */
  readonly energies: Energies;
}

/** One point in the chart of a plant's day: values over all of its devices. */
export interface PlantDayRow {
  readonly at: number;
  /** Minutes by which the plant's clock was ahead of UTC at that time. */
  readonly offsetMinutes: number;
  readonly currency: string;
  readonly values: Values;
  /** Energy of the local day up to this point (`todayKwh`); the other periods are not set. */
  readonly energies: Energies;
  /** Income of the local day up to this point. */
  readonly income?: Maybe<number>;
}

/** The readings of an EPM unit on one day, for the requested names. */
export interface EpmDay {
  readonly names: readonly EpmSeriesName[];
  readonly rows: readonly {
    readonly at: number;
    readonly offsetMinutes: number;
    readonly daylightMinutes: number;
    readonly values: Values;
  }[];
  readonly facts: EpmFacts;
}

/** One point of a collector's radio signal. */
export interface CollectorDayRow {
  readonly at: number;
  readonly offsetMinutes: number;
  readonly daylightMinutes: number;
  readonly collectorId: string;
  readonly collectorSn: string;
  readonly signalDbm?: Maybe<number>;
}

type Column = readonly (number | null)[];

/** Columns as long as `times`, by name; null where there is no value. */
const columns = <Name extends string>(
  description: string,
  example: { readonly [N in Name]?: Column },
): Kind<{ readonly [N in Name]?: Column }> => ({
  schema: {
    type: 'object',
    description: `${description}: lists as long as \`times\`, null where there is no value`,
    additionalProperties: { type: 'array', items: { type: ['number', 'null'] } },
  },
  example,
});

/** What was measured on a day, as columns of equal length. */
export const curves = record('the curves of a day', {
  times: listOfRecords('times of the points, ascending', an.instant('time', NOON), [
    NOON,
    NOON + 300_000,
  ]),
  values: columns<QuantityName>('what was measured, by name of the quantity', {
    gridPowerW: [-700, 1250],
    gridFrequencyHz: [50.01, null],
  }),
  dayKwh: columns<ChannelName>('energy of the day up to each point, by its kind', {
    gridImport: [1.2, 1.2],
  }),
});
export type Curves = InOf<typeof curves>;

const amount = (description: string, example?: number) => maybe(an.money(description, example));

interface RowExample {
  readonly day: number;
  readonly at: number;
  readonly kwh: { readonly [C in ChannelName]?: number };
  readonly income: number;
  readonly importCost: number;
  readonly exportIncome: number;
  readonly saved: number;
  readonly worth: number;
}

/** Energy and money of a plant or a device in one local day, month or year. */
const energyRow = (example: RowExample) =>
  record('energy and money of a day, a month or a year', {
    id: plant.properties.id,
    day: an.day('first day of the period, yyyymmdd', example.day),
    at: an.instant('noon of that day in charts, midnight in lists of several plants', example.at),
    standardOffsetMinutes: an.minutes('by how much the plant’s standard time is ahead of UTC', 60),
    currency: plant.properties.currency,
    ratedKw: maybe(
      an.kilowatts(
        'basis of full-load hours: a plant’s capacity, or an inverter’s rated power',
        9.84,
      ),
    ),
    kwh: perChannel('energy by kind', an.kwh('energy'), example.kwh),
    estimated: maybe(
      an.flag(
        'whether part of the energy produced is estimated or, without production, part of any',
      ),
    ),
    recalculating: maybe(
      an.flag('whether these figures are of before, since they are being recalculated'),
    ),
    income: amount('value of the energy produced, at the prices of that time', example.income),
    peakPowerW: maybe(an.watts('highest AC power of a day')),
    peakPowerAt: maybe(an.instant('when that was')),
    importCost: amount('paid for energy bought', example.importCost),
    exportIncome: amount('earned by energy sold', example.exportIncome),
    saved: amount(
      'of a plant: what did not have to be bought, at the price of buying',
      example.saved,
    ),
    worth: amount('of a plant: what its energy was worth in all', example.worth),
    worthOf: maybe(an.word(worthParts, 'what that consists of')),
  });

/** Rows of a day, a month and a year. */
export const energyDay = energyRow({
  day: 20_261_106,
  at: 1_793_962_800_000,
  kwh: {
    production: 8.742,
    gridImport: 1.2,
    gridExport: 2.4,
    batteryCharge: 3.1,
    batteryDischarge: 1.9,
    load: 6.342,
  },
  income: 0.72,
  importCost: 0.41,
  exportIncome: 0.2,
  saved: 1.75,
  worth: 1.95,
});
export type EnergyRow = InOf<typeof energyDay>;

export const energyMonth = energyRow({
  day: 20_261_101,
  at: 1_793_530_800_000,
  kwh: {
    production: 61.2,
    gridImport: 14.5,
    gridExport: 18.3,
    batteryCharge: 19.4,
    batteryDischarge: 17.7,
    load: 55.7,
  },
  income: 5.02,
  importCost: 4.93,
  exportIncome: 1.5,
  saved: 14.01,
  worth: 15.51,
});

export const energyYear = energyRow({
  day: 20_260_101,
  at: 1_767_265_200_000,
  kwh: {
    production: 7425.031,
    gridImport: 1830,
    gridExport: 4210.5,
    batteryCharge: 1402,
    batteryDischarge: 1316,
    load: 4958.5,
  },
  income: 608.85,
  importCost: 622.2,
  exportIncome: 345.26,
  saved: 1063.69,
  worth: 1408.95,
});
