import { existsSync, readFileSync } from 'node:fs';
import type { QuantityName } from '@helioport/contract';
import type { DaylightSite } from '../../packages/server/src/fleet/devices/daylight.ts';
import type { Observation } from '../../packages/server/src/outbound/alarms/rule.ts';
import { paceOf } from '../../packages/server/src/outbound/alarms/observations/observations.ts';
import { gridVoltagesIn } from '../../packages/server/src/outbound/alarms/grid-voltages.ts';
import { learning } from './made-up-day.ts';
import { createLocalZone } from '../../packages/server/src/platform/calendar/local-zone.ts';

const FOLDER = new URL('../../../shared/data/pv/', import.meta.url);

export const recordingsPresent = existsSync(FOLDER);

/** Golden, Colorado, where the recorded plants stand. */
const GOLDEN = { latitude: 39.74, longitude: -105.17 };

/** Nobody says where these stood: they produce from 7 to 17 by stamps that call themselves UTC, so as if at Greenwich. */
const SOLAR_STAMPS = { latitude: 40, longitude: 0 };

/** A column of a file: the quantity it is, and what to multiply it by. */
type Mapping = { readonly [column: string]: QuantityName | readonly [QuantityName, number] };

interface Recording {
  readonly file: string;
  readonly kind?: Observation['kind'];
  readonly ratedPowerW: number | null;
  readonly site: DaylightSite;
  readonly columns: Mapping;
}

export const recordings = {
  serf: {
    file: 'serf_west_15min.csv',
    ratedPowerW: 6000,
    site: GOLDEN,
    columns: {
      ac_power__773: 'acPowerW',
      ac_volts__778: 'acVoltage1V',
      dc_power__772: 'dcPowerW',
      dc_pos_voltage__774: 'dcVoltage1V',
      dc_pos_current__775: 'dcCurrent1A',
      dc_neg_voltage__776: 'dcVoltage2V',
      dc_neg_current__777: 'dcCurrent2A',
      inveter_temp__784: 'temperatureC',
      poa_irradiance__771: 'irradianceWm2',
    },
  },
  rsf: {
    file: 'nrel_RSF_II.csv',
    ratedPowerW: 100_000,
    site: GOLDEN,
    columns: {
      inv2_ac_power_w__1047: 'acPowerW',
      inv2_dc_power__1135: 'dcPowerW',
      inv2_temp__1050: 'temperatureC',
      poa_irradiance__1055: 'irradianceWm2',
    },
  },
  snow: {
    file: 'snow_data.csv',
    ratedPowerW: 100_000,
    site: GOLDEN,
    columns: {
      'INV1 AC Power [kW]': ['acPowerW', 1000],
      'INV1 CB2 Voltage [V]': 'dcVoltage1V',
      'INV1 CB2 Current [A]': 'dcCurrent1A',
      'POA [W/m²]': 'irradianceWm2',
    },
  },
  minute: {
    file: 'serf_east_1min_ac_power.csv',
    ratedPowerW: 6000,
    site: GOLDEN,
    columns: { ac_power__752: 'acPowerW' },
  },
  weather: {
    file: 'rmis_weather_data.csv',
    kind: 'weather',
    ratedPowerW: null,
    site: GOLDEN,
    columns: {
      'Global Horizontal': 'globalIrradianceWm2',
      'Plane of array': 'irradianceWm2',
      'Ambient Temperature': 'ambientTemperatureC',
      'Relative Humidity': 'humidityPercent',
      'Barometric Pressure': 'airPressureHpa',
      'Wind Speed': 'windSpeedMs',
    },
  },
  // Normalised to the rated power.
  outliers: {
    file: 'ac_power_inv_7539_outliers.csv',
    ratedPowerW: 10_000,
    site: SOLAR_STAMPS,
    columns: { value_normalized: ['acPowerW', 10_000] },
  },
  stale: {
    file: 'ac_power_inv_2173_stale_data.csv',
    ratedPowerW: 10_000,
    site: SOLAR_STAMPS,
    columns: { value_normalized: ['acPowerW', 10_000] },
  },
} as const satisfies Record<string, Recording>;

const zone = createLocalZone('America/Denver');

function instantOf(stamp: string): number {
  if (/[+-]\d\d:\d\d$/.test(stamp)) return Date.parse(stamp.replace(' ', 'T'));
  const us = /^(\d+)\/(\d+)\/(\d+) (\d+):(\d+)$/.exec(stamp);
  const wall = us
    ? Date.UTC(Number(us[3]), Number(us[1]) - 1, Number(us[2]), Number(us[4]), Number(us[5]))
    : Date.parse(`${stamp.replace(' ', 'T')}Z`);
  return zone.firstReaching(wall);
}

/** A recording's column names and its rows. */
function readRows(file: string): { names: string[]; rows: string[][] } {
  const [head, ...lines] = readFileSync(new URL(file, FOLDER), 'utf8').trim().split(/\r?\n/);
  return { names: head!.split(','), rows: lines.map((line) => line.split(',')) };
}

/** Instants of the rows that somebody marked in a column of a recording. */
export function markedIn(name: keyof typeof recordings, column: string): number[] {
  const { names, rows } = readRows(recordings[name].file);
  return rows
    .filter((cells) => cells[names.indexOf(column)]!.toLowerCase() === 'true')
    .map((cells) => instantOf(cells[0]!));
}

/** A whole recording as the rules see it; a row without any value is no reading. */
export function observeRecording(name: keyof typeof recordings): Observation {
  const { file, kind = 'inverter', ratedPowerW, site, columns } = recordings[name] as Recording;
  const { names, rows } = readRows(file);
  const all = rows.map((cells) => {
    const values: { [Name in QuantityName]?: number } = {};
    for (const [column, mapping] of Object.entries(columns)) {
      const cell = cells[names.indexOf(column)];
      const [quantity, factor] = typeof mapping === 'string' ? ([mapping, 1] as const) : mapping;
      if (cell !== undefined && cell !== '') values[quantity] = Number(cell) * factor;
    }
    return { at: instantOf(cells[0]!), values };
  });
  const samples = all.filter(({ values }) => Object.keys(values).length > 0);
  return learning({
    kind,
    ratedPowerW,
    expectedSeconds: paceOf(samples) ?? 300,
    dcInputs: null,
    site,
    gridVoltages: gridVoltagesIn('America/Denver'),
    samples,
    irradianceAt: () => undefined,
    neighboursAt: () => [],
  });
}
