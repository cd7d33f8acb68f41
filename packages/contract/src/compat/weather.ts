import type { WeatherRecord } from '../records/index.ts';
import { energyOf } from './field-kinds/derived.ts';
import { deviceWireFields, reportedLocally } from './device.ts';
import { fieldsOf } from './field-kinds/kinds.ts';
import { recordOf } from './field-kinds/record.ts';
import { plantNumber } from './shared.ts';

const f = fieldsOf<WeatherRecord>();

const hoursAndMinutes = (hours: number): string => {
  const minutes = Math.round(hours * 60);
  return `${Math.floor(minutes / 60)}h${minutes % 60}m`;
};

const irradiationToday = (r: WeatherRecord) =>
  energyOf('irradiation', 'todayKwh')(r) ??
  energyOf('globalIrradiation', 'todayKwh')(r) ??
  r.values.irradiationTodayKwhm2;

const common = [
  ...deviceWireFields<WeatherRecord>(),
  f.text('weatherModel', (r) => r.facts.modelCode, 'code of the model'),
  f.text('dataTime', reportedLocally, 'time of the last reading on the plant’s clock'),
  f.measured('temp', 'ambientTemperatureC', '℃', 'ambient temperature', {
    unitName: 'temperatureUnit',
  }),
  f.number('pvTemp', 'moduleTemperatureC', 'temperature of the modules', '℃'),
  f.number('dewTemp', 'dewPointC', 'dew point', '℃'),
  f.number('humidity', 'humidityPercent', 'relative humidity', '%'),
  f.number('windSpeed', 'windSpeedMs', 'wind speed', 'm/s'),
  f.number('windDirection', 'windDirectionDeg', 'wind direction: where the wind comes from', '°'),
  f.number('airPressure', 'airPressureHpa', 'air pressure', 'hPa'),
  f.number('rainfall', 'rainfallMm', 'rainfall', 'mm'),
  f.number(
    'totalR',
    (r) => r.values.irradianceWm2 ?? r.values.globalIrradianceWm2,
    'irradiance',
    'W/m²',
  ),
  f.number('directR', 'directIrradianceWm2', 'direct irradiance', 'W/m²'),
  f.number('scatteredR', 'diffuseIrradianceWm2', 'diffuse irradiance', 'W/m²'),
  f.number('totalRday', irradiationToday, 'irradiation of today', 'kWh/m²'),
  f.number(
    'directRday',
    energyOf('directIrradiation', 'todayKwh'),
    'direct irradiation of today',
    'kWh/m²',
  ),
  f.number(
    'scatteredRday',
    energyOf('diffuseIrradiation', 'todayKwh'),
    'diffuse irradiation of today',
    'kWh/m²',
  ),
  f.number(
    'sunshineTim',
    (r) => r.sunshineHours,
    'sunshine of today: direct irradiance above 120 W/m²',
    'h',
  ),
  f.text(
    'sunshineTimStr',
    (r) => (typeof r.sunshineHours === 'number' ? hoursAndMinutes(r.sunshineHours) : undefined),
    'the same as text',
  ),
] as const;

/** A weather station in `weatherList`. */
export const weatherListed = recordOf<WeatherRecord>()('a weather station in a list', [
  ...common,
  f.instant('createDate', (r) => r.createdAt, 'time when the station was added'),
]);

/** A weather station in `weatherDetail`. */
export const weatherDetailed = recordOf<WeatherRecord>()('a weather station', [
  ...common,
  plantNumber<WeatherRecord>(),
  f.number(
    'synchronizationType',
    (r) => r.plant.facts?.feedIn,
    '0 full feed-in, 1 self-use, 2 off-grid',
  ),
  f.number('stationType', (r) => r.plant.type, 'kind of plant'),
  f.number('stationTypeNew', (r) => r.plant.type, 'kind of plant'),
]);
