import type { PlantDayRow } from '../records/index.ts';
import {
  consumed,
  energyOf,
  negativePart,
  positivePart,
  selfConsumed,
} from './field-kinds/derived.ts';
import { fieldsOf } from './field-kinds/kinds.ts';
import { localTime } from './field-kinds/local-time.ts';
import { recordOf } from './field-kinds/record.ts';

const f = fieldsOf<PlantDayRow>();
const currency = (r: PlantDayRow): string => r.currency;

/** A point in `stationDay`: powers are W, with unit and multiplier for display. */
export const plantDayRow = recordOf<PlantDayRow>()('a point of the plant’s day', [
  f.instant('time', (r) => r.at, 'time of the point'),
  f.text('timeStr', (r) => localTime(r.at, r.offsetMinutes), 'the same on the plant’s clock'),
  f.number(
    'timeZone',
    (r) => r.offsetMinutes / 60,
    'UTC offset of the plant’s clock at that time',
    'h',
  ),
  f.chartPower('power', 'acPowerW', 'AC power produced'),
  f.chartPower('psum', 'gridPowerW', 'power at the grid connection, + export, - import'),
  f.chartPower('psumZheng', (r) => positivePart(r.values.gridPowerW), 'power fed in'),
  f.chartPower('psumFu', (r) => negativePart(r.values.gridPowerW), 'power drawn from the grid'),
  f.chartPower('familyLoadPower', 'loadPowerW', 'power of the loads on the grid side'),
  f.chartPower('bypassLoadPower', 'backupPowerW', 'power of the loads on the backup port'),
  f.chartPower('batteryPower', 'batteryPowerW', 'battery power, + charging, - discharging'),
  f.chartPower('batteryPowerZheng', (r) => positivePart(r.values.batteryPowerW), 'charging power'),
  f.chartPower('batteryPowerFu', (r) => negativePart(r.values.batteryPowerW), 'discharging power'),
  f.number('batteryCapacitySoc', 'batterySocPercent', 'state of charge', '%'),
  f.number(
    'totalR',
    (r) => r.values.irradianceWm2 ?? r.values.globalIrradianceWm2,
    'irradiance',
    'W/m²',
  ),
  f.number(
    'produceEnergy',
    energyOf('production', 'todayKwh'),
    'energy produced on this day up to the point',
    'kWh',
  ),
  f.number(
    'consumeEnergy',
    consumed('todayKwh'),
    'energy consumed on this day up to the point',
    'kWh',
  ),
  f.number(
    'oneSelf',
    selfConsumed('todayKwh'),
    'energy of this day that was produced and not fed in',
    'kWh',
  ),
  f.chartMoney('money', (r) => r.income, currency, 'income of this day up to the point'),
]);
