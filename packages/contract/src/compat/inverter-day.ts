import type { InverterDayRow } from '../records/index.ts';
import { consumed, energyOf } from './field-kinds/derived.ts';
import { fieldsOf } from './field-kinds/kinds.ts';
import { localDateTime, localTime } from './field-kinds/local-time.ts';
import { numbered, recordOf } from './field-kinds/record.ts';
import { stateCodes } from './shared.ts';

const f = fieldsOf<InverterDayRow>();

/** A reading in `inverterDay`: powers are W, with unit and multiplier for display. */
export const inverterDayRow = recordOf<InverterDayRow>()('a reading of the day', [
  f.instantText('dataTimestamp', (r) => r.at, 'time of the reading'),
  f.text('timeStr', (r) => localDateTime(r.at, r.offsetMinutes), 'the same on the plant’s clock'),
  f.text(
    'time',
    (r) => localTime(r.at, r.offsetMinutes),
    'the same on the plant’s clock, without the day',
  ),
  f.choice('state', (r) => r.state, stateCodes, 'state'),
  f.choice(
    'acOutputType',
    (r) =>
      r.facts.phases == null ? undefined : r.facts.phases === 1 ? 'single-phase' : 'three-phase',
    { 'single-phase': 0, 'three-phase': 1 },
    'AC output',
  ),
  f.number(
    'dcInputType',
    (r) => (r.facts.dcInputs == null ? undefined : r.facts.dcInputs - 1),
    'number of DC inputs minus one',
  ),
  f.chartPower('pac', 'acPowerW', 'AC power produced'),
  f.number(
    'eToday',
    energyOf('production', 'todayKwh'),
    'energy produced on this day up to the reading',
    'kWh',
  ),
  f.number(
    'eTotal',
    energyOf('production', 'totalKwh'),
    'all energy produced up to the reading',
    'kWh',
  ),
  ...numbered(32, (i) => f.number(`uPv${i}`, `dcVoltage${i}V`, `voltage of string ${i}`, 'V')),
  ...numbered(32, (i) => f.number(`iPv${i}`, `dcCurrent${i}A`, `current of string ${i}`, 'A')),
  ...numbered(32, (i) => f.number(`pow${i}`, `dcPower${i}W`, `power of string ${i}`, 'W')),
  ...numbered(3, (i) => f.number(`uAc${i}`, `acVoltage${i}V`, `voltage of phase ${i}`, 'V')),
  ...numbered(3, (i) => f.number(`iAc${i}`, `acCurrent${i}A`, `current of phase ${i}`, 'A')),
  f.number('fac', 'gridFrequencyHz', 'grid frequency', 'Hz'),
  f.number('powerFactor', 'powerFactor', 'power factor'),
  f.number('inverterTemperature', 'temperatureC', 'temperature of the inverter', '℃'),
  f.chartPower('pSum', 'gridPowerW', 'power at the grid connection, + export, - import'),
  f.chartPower('familyLoadPower', 'loadPowerW', 'power of the loads on the grid side'),
  f.chartPower('bypassLoadPower', 'backupPowerW', 'power of the loads on the backup port'),
  f.chartPower('batteryPower', 'batteryPowerW', 'battery power, + charging, - discharging'),
  f.number('batteryCapacitySoc', 'batterySocPercent', 'state of charge', '%'),
  f.number('batteryHealthSoh', 'batterySohPercent', 'state of health', '%'),
  f.number('batteryVoltage', 'batteryVoltageV', 'battery voltage', 'V'),
  f.number('bstteryCurrent', 'batteryCurrentA', 'battery current, + charging, - discharging', 'A'),
  f.number(
    'batteryTodayChargeEnergy',
    energyOf('batteryCharge', 'todayKwh'),
    'energy charged on this day',
    'kWh',
  ),
  f.number(
    'batteryTotalChargeEnergy',
    energyOf('batteryCharge', 'totalKwh'),
    'all energy charged',
    'kWh',
  ),
  f.number(
    'batteryTodayDischargeEnergy',
    energyOf('batteryDischarge', 'todayKwh'),
    'energy discharged on this day',
    'kWh',
  ),
  f.number(
    'batteryTotalDischargeEnergy',
    energyOf('batteryDischarge', 'totalKwh'),
    'all energy discharged',
    'kWh',
  ),
  f.number(
    'gridPurchasedTodayEnergy',
    energyOf('gridImport', 'todayKwh'),
    'energy bought on this day',
    'kWh',
  ),
  f.number(
    'gridPurchasedTotalEnergy',
    energyOf('gridImport', 'totalKwh'),
    'all energy bought',
    'kWh',
  ),
  f.number(
    'gridSellTodayEnergy',
    energyOf('gridExport', 'todayKwh'),
    'energy sold on this day',
    'kWh',
  ),
  f.number('gridSellTotalEnergy', energyOf('gridExport', 'totalKwh'), 'all energy sold', 'kWh'),
  f.number('homeLoadTodayEnergy', consumed('todayKwh'), 'energy consumed on this day', 'kWh'),
  f.number('homeLoadTotalEnergy', consumed('totalKwh'), 'all energy consumed', 'kWh'),
]);
