import type { QuantityName } from '../quantities.ts';
import type { InverterRecord } from '../records/index.ts';
import {
  consumed,
  energyOf,
  fullHours,
  negativePart,
  percentField,
  positivePart,
  ratio,
  selfConsumed,
  totalLoadW,
} from './field-kinds/derived.ts';
import { reportedLocally } from './device.ts';
import type { Maybe } from './field-kinds/field.ts';
import { fieldsOf } from './field-kinds/kinds.ts';
import { zoneDateTime } from './field-kinds/local-time.ts';
import { exceptions, neutral } from './field-kinds/neutral.ts';
import { numbered, recordOf } from './field-kinds/record.ts';
import {
  deviceZoneFields,
  estimatedField,
  generatorFields,
  plantNumber,
  presenceCodes,
  reportFields,
  stateCodes,
} from './shared.ts';

const f = fieldsOf<InverterRecord>();

const ratedKw = (r: InverterRecord): number | undefined => ratio(r.ratedPowerW, 1000);
const currency = (r: InverterRecord): string => r.plant.currency;

const onClock = ({ plant }: InverterRecord, at: Maybe<number>): string | undefined =>
  typeof at === 'number' ? zoneDateTime(at, plant.zone.name) : undefined;

const STRINGS = 32;
const voltageNames = numbered(STRINGS, (i): QuantityName => `dcVoltage${i}V`);
const currentNames = numbered(STRINGS, (i): QuantityName => `dcCurrent${i}A`);
const powerNames = numbered(STRINGS, (i): QuantityName => `dcPower${i}W`);

/** The sum of the known values; undefined if none is known. */
function sumOf({ values }: InverterRecord, names: readonly QuantityName[]): number | undefined {
  let sum: number | undefined;
  for (const name of names) {
    const value = values[name];
    if (value !== undefined) sum = (sum ?? 0) + value;
  }
  return sum;
}

const dcPowerW = (r: InverterRecord): number | undefined =>
  r.values.dcPowerW ?? sumOf(r, powerNames);

/** The first fields of every record of an inverter. */
const identity = [
  f.id('id', (r) => r.id, 'id of the inverter'),
  f.text('sn', (r) => r.sn, 'serial number'),
  f.text('name', (r) => r.name, 'name'),
  f.id('stationId', (r) => r.plant.id, 'id of the plant'),
  f.text('stationName', (r) => r.plant.name, 'name of the plant'),
  f.id('userId', (r) => r.plant.ownerId, 'id of the plant’s owner'),
  f.text('nmiCode', (r) => r.plant.nmiCode, 'meter id of an Australian plant'),
  f.id('collectorId', (r) => r.collector?.id, 'id of the collector that reports for it'),
  f.choice('collectorState', (r) => r.collector?.state, presenceCodes, 'state of the collector'),
  f.text('model', (r) => r.model, 'model'),
  f.text('productModel', (r) => r.facts.modelCode ?? r.model, 'code of the model'),
  f.text('nationalStandards', (r) => r.facts.gridStandard, 'grid standard'),
  f.text('rs485ComAddr', (r) => r.facts.busAddress, 'address on the RS-485 bus'),
  f.text('tag', (r) => r.facts.tag, 'tag'),
  f.number(
    'inverterMeterModel',
    (r) => r.facts.meterModel,
    '1 grid, 2 with load-side meter, 3 with grid-side meter, 4 storage with load-side meter, 5 storage with grid-side meter ...',
  ),
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
  f.instant('updateShelfEndTime', (r) => r.facts.warrantyUntilAt, 'end of the warranty'),
  f.choice('state', (r) => r.state, stateCodes, 'state'),
  f.flag('stateExceptionFlag', (r) => r.abnormallyOffline, 'offline when it should be online'),
  f.digits(
    'currentState',
    (r) => r.values.statusCode ?? stateCodes[r.state],
    'running code reported by the device; if it reports none, the code of `state`',
  ),
  ...deviceZoneFields<InverterRecord>(),
  ...reportFields<InverterRecord>(),
  f.text('dataTimestampStr', reportedLocally, 'time of the last reading on the plant’s clock'),
  f.number(
    'fullHour',
    (r) => fullHours(r.energies.production?.todayKwh, ratedKw(r)),
    'full-load hours of today, at the inverter’s rated power',
    'h',
  ),
] as const;

/** An inverter in `inverterList`. */
export const inverterListed = recordOf<InverterRecord>()(
  'an inverter in a list',
  [
    ...identity,
    f.text('collectorSn', (r) => r.collector?.sn, 'serial number of the collector'),
    f.text('addr', (r) => r.plant.address, 'address of the plant'),
    f.text(
      'offlineLongStr',
      (r) => (r.state === 'offline' ? undefined : '--'),
      'how long it has been offline; -- if it is not',
    ),
    f.instant('createDate', (r) => r.createdAt, 'time when the inverter was added'),
    f.instantText('fisTime', (r) => r.firstReportAt, 'time of the first reading'),
    f.instantText('updateShelfTime', (r) => r.facts.warrantyUntilAt, 'end of the warranty'),
    f.text('inverterSoftwareVersion', (r) => r.facts.firmwareVersion, 'version of the firmware'),
    f.text(
      'inverterSoftwareVersion2',
      (r) => r.facts.secondFirmwareVersion,
      'version of the second firmware',
    ),
    f.power('power', (r) => r.ratedPowerW, 'rated power'),
    f.power('pac', 'acPowerW', 'AC power produced'),
    f.number('pac1', 'acPowerW', 'AC power produced', 'W'),
    f.energyKwh('etoday', energyOf('production', 'todayKwh'), 'energy produced today'),
    f.number('etoday1', energyOf('production', 'todayKwh'), 'energy produced today', 'kWh'),
    estimatedField<InverterRecord>(),
    f.energy('etotal', energyOf('production', 'totalKwh'), 'all energy produced'),
    f.number('etotal1', energyOf('production', 'totalKwh'), 'all energy produced', 'kWh'),
    f.number(
      'totalFullHour',
      (r) => fullHours(r.energies.production?.totalKwh, ratedKw(r)),
      'full-load hours of all time, at the inverter’s rated power',
      'h',
    ),
    f.power('psum', 'gridPowerW', 'power at the grid connection, + export, - import'),
    f.powerPec('psumCal', 'gridPowerW', 'the same as psum'),
    f.powerPec('batteryPower', 'batteryPowerW', 'battery power, + charging, - discharging'),
    f.number('batteryCapacitySoc', 'batterySocPercent', 'state of charge', '%'),
    f.power('bypassLoadPower', 'backupPowerW', 'power of the loads on the backup port'),
    ...numbered(32, (i) => f.number(`pow${i}`, `dcPower${i}W`, `power of string ${i}`, 'W')),
    f.energyKwh(
      'gridPurchasedTodayEnergy',
      energyOf('gridImport', 'todayKwh'),
      'energy bought today',
    ),
    f.energy('gridPurchasedTotalEnergy', energyOf('gridImport', 'totalKwh'), 'all energy bought'),
    f.energyKwh('gridSellTodayEnergy', energyOf('gridExport', 'todayKwh'), 'energy sold today'),
    f.energy('gridSellTotalEnergy', energyOf('gridExport', 'totalKwh'), 'all energy sold'),
    f.energyKwh(
      'batteryTodayChargeEnergy',
      energyOf('batteryCharge', 'todayKwh'),
      'energy charged today',
    ),
    f.energy(
      'batteryTotalChargeEnergy',
      energyOf('batteryCharge', 'totalKwh'),
      'all energy charged',
    ),
    f.energyKwh(
      'batteryTodayDischargeEnergy',
      energyOf('batteryDischarge', 'todayKwh'),
      'energy discharged today',
    ),
    f.energy(
      'batteryTotalDischargeEnergy',
      energyOf('batteryDischarge', 'totalKwh'),
      'all energy discharged',
    ),
    f.energyKwh(
      'backupTodayEnergy',
      energyOf('backup', 'todayKwh'),
      'energy of the backup port today',
    ),
    f.energy('backupTotalEnergy', energyOf('backup', 'totalKwh'), 'all energy of the backup port'),
  ],
  neutral.inverterListed,
  exceptions.inverterListed,
);

/** Electrical readings of strings, phases and DC buses. */
const electrical = [
  ...numbered(32, (i) => f.measured(`uPv${i}`, `dcVoltage${i}V`, 'V', `voltage of string ${i}`)),
  ...numbered(32, (i) => f.measured(`iPv${i}`, `dcCurrent${i}A`, 'A', `current of string ${i}`)),
  ...numbered(32, (i) => f.measured(`pow${i}`, `dcPower${i}W`, 'W', `power of string ${i}`)),
  ...numbered(3, (i) => f.measured(`uAc${i}`, `acVoltage${i}V`, 'V', `voltage of phase ${i}`)),
  ...numbered(3, (i) => f.measured(`iAc${i}`, `acCurrent${i}A`, 'A', `current of phase ${i}`)),
  f.measured('upvTotal', (r) => sumOf(r, voltageNames), 'V', 'sum of the voltages of all strings'),
  f.measured('ipvTotal', (r) => sumOf(r, currentNames), 'A', 'sum of the currents of all strings'),
  f.measured('powTotal', dcPowerW, 'W', 'DC power of all strings'),
  f.power('dcPac', dcPowerW, 'DC power of all strings'),
  f.measured('fac', 'gridFrequencyHz', 'Hz', 'grid frequency'),
  f.number('powerFactor', 'powerFactor', 'power factor'),
  f.measured('reactivePower', 'reactivePowerVar', 'Var', 'reactive power'),
  f.measured('apparentPower', 'apparentPowerVa', 'VA', 'apparent power'),
  f.measured('uInitGnd', 'insulationVoltageV', 'V', 'voltage between DC negative and ground'),
  f.measured('dcBus', 'busVoltageV', 'V', 'DC bus voltage'),
  f.measured('dcBusHalf', 'halfBusVoltageV', 'V', 'half of the DC bus voltage'),
  f.number('insulationResistance', 'insulationResistanceKohm', 'insulation resistance', 'kΩ'),
  f.number('iLeakLimt', 'leakageCurrentMa', 'leakage current', 'mA'),
  f.measured('inverterTemperature', 'temperatureC', '℃', 'temperature of the inverter', {
    unitName: 'inverterTemperatureUnit',
  }),
  f.number('uA', 'acVoltage1V', 'voltage of phase A', 'V'),
  f.number('uB', 'acVoltage2V', 'voltage of phase B', 'V'),
  f.number('uC', 'acVoltage3V', 'voltage of phase C', 'V'),
  f.number('iA', 'acCurrent1A', 'current of phase A', 'A'),
  f.number('iB', 'acCurrent2A', 'current of phase B', 'A'),
  f.number('iC', 'acCurrent3A', 'current of phase C', 'A'),
  f.number('pA', 'acPower1W', 'power of phase A', 'W'),
  f.number('pB', 'acPower2W', 'power of phase B', 'W'),
  f.number('pC', 'acPower3W', 'power of phase C', 'W'),
  f.number('aReactivePower', 'acReactivePower1Var', 'reactive power of phase A', 'Var'),
  f.number('bReactivePower', 'acReactivePower2Var', 'reactive power of phase B', 'Var'),
  f.number('cReactivePower', 'acReactivePower3Var', 'reactive power of phase C', 'Var'),
  f.number('aLookedPower', 'acApparentPower1Va', 'apparent power of phase A', 'VA'),
  f.number('bLookedPower', 'acApparentPower2Va', 'apparent power of phase B', 'VA'),
  f.number('cLookedPower', 'acApparentPower3Va', 'apparent power of phase C', 'VA'),
  f.number('aPhasePowerFactor', 'acPowerFactor1', 'power factor of phase A'),
  f.number('bPhasePowerFactor', 'acPowerFactor2', 'power factor of phase B'),
  f.number('cPhasePowerFactor', 'acPowerFactor3', 'power factor of phase C'),
  f.number('aphasePowerFactor', 'acPowerFactor1', 'power factor of phase A'),
  f.number('bphasePowerFactor', 'acPowerFactor2', 'power factor of phase B'),
  f.number('cphasePowerFactor', 'acPowerFactor3', 'power factor of phase C'),
  f.number('fAc', 'gridFrequencyHz', 'grid frequency', 'Hz'),
  f.number('averagePowerFactor', 'powerFactor', 'power factor over the phases'),
  f.number('bypassAcVoltage', 'backupVoltage1V', 'voltage of the backup port, phase A', 'V'),
  f.number('bypassAcVoltageB', 'backupVoltage2V', 'voltage of the backup port, phase B', 'V'),
  f.number('bypassAcVoltageC', 'backupVoltage3V', 'voltage of the backup port, phase C', 'V'),
  f.number('bypassAcCurrent', 'backupCurrent1A', 'current of the backup port, phase A', 'A'),
  f.number('bypassAcCurrentB', 'backupCurrent2A', 'current of the backup port, phase B', 'A'),
  f.number('bypassAcCurrentC', 'backupCurrent3A', 'current of the backup port, phase C', 'A'),
] as const;

/** Current values of grid, loads, battery and generator. */
const flows = [
  f.powerPec('psum', 'gridPowerW', 'power at the grid connection, + export, - import'),
  f.power('pSum', 'gridPowerW', 'the same as psum'),
  f.powerPec('psumCal', 'gridPowerW', 'the same as psum'),
  f.powerPec('familyLoadPower', 'loadPowerW', 'power of the loads on the grid side'),
  f.power('bypassLoadPower', 'backupPowerW', 'power of the loads on the backup port'),
  f.power('totalLoadPower', totalLoadW, 'power of all loads'),
  f.powerPec('generatorPower', 'generatorPowerW', 'power of a generator'),
  f.powerPec('batteryPower', 'batteryPowerW', 'battery power, + charging, - discharging'),
  f.power('batteryPowerZheng', (r) => positivePart(r.values.batteryPowerW), 'charging power'),
  f.power('batteryPowerFu', (r) => negativePart(r.values.batteryPowerW), 'discharging power'),
  f.text('batteryType', (r) => r.facts.batteryType, 'kind of battery; "0" without one'),
  f.number('batteryCapacitySoc', 'batterySocPercent', 'state of charge', '%'),
  f.number('batteryPercent', 'batterySocPercent', 'state of charge', '%'),
  f.number('batteryHealthSoh', 'batterySohPercent', 'state of health', '%'),
  f.measured('batteryVoltage', 'batteryVoltageV', 'V', 'battery voltage'),
  f.measured(
    'bstteryCurrent',
    'batteryCurrentA',
    'A',
    'battery current, + charging, - discharging',
  ),
  f.measured('storageBatteryVoltage', 'batteryVoltageV', 'V', 'battery voltage'),
  f.measured(
    'storageBatteryCurrent',
    'batteryCurrentA',
    'A',
    'battery current, + charging, - discharging',
  ),
  f.measured(
    'batteryChargingCurrent',
    'batteryChargeLimitA',
    'A',
    'charging current that the battery allows',
  ),
  f.measured(
    'batteryDischargeLimiting',
    'batteryDischargeLimitA',
    'A',
    'discharging current that the battery allows',
  ),
  f.number('warningInfoData', 'warningCode', 'bit field of warnings, as reported by the device'),
] as const;

/** Energies by period. */
const energies = [
  f.energyKwh('eToday', energyOf('production', 'todayKwh'), 'energy produced today'),
  f.energy('eMonth', energyOf('production', 'monthKwh'), 'energy produced this month'),
  f.energy('eYear', energyOf('production', 'yearKwh'), 'energy produced this year'),
  f.energy('eTotal', energyOf('production', 'totalKwh'), 'all energy produced'),
  f.number('oneSelf', selfConsumed('todayKwh'), 'energy produced today and not fed in', 'kWh'),
  f.energyKwh('batteryChargeEnergy', energyOf('batteryCharge', 'todayKwh'), 'energy charged today'),
  f.energyKwh(
    'batteryTodayChargeEnergy',
    energyOf('batteryCharge', 'todayKwh'),
    'energy charged today',
  ),
  f.energy(
    'batteryMonthChargeEnergy',
    energyOf('batteryCharge', 'monthKwh'),
    'energy charged this month',
  ),
  f.energy(
    'batteryYearChargeEnergy',
    energyOf('batteryCharge', 'yearKwh'),
    'energy charged this year',
  ),
  f.energy('batteryTotalChargeEnergy', energyOf('batteryCharge', 'totalKwh'), 'all energy charged'),
  f.energyKwh(
    'batteryYesterdayChargeEnergy',
    energyOf('batteryCharge', 'yesterdayKwh'),
    'energy charged yesterday',
  ),
  f.energyKwh(
    'batteryDischargeEnergy',
    energyOf('batteryDischarge', 'todayKwh'),
    'energy discharged today',
  ),
  f.energyKwh(
    'batteryTodayDischargeEnergy',
    energyOf('batteryDischarge', 'todayKwh'),
    'energy discharged today',
  ),
  f.energy(
    'batteryMonthDischargeEnergy',
    energyOf('batteryDischarge', 'monthKwh'),
    'energy discharged this month',
  ),
  f.energy(
    'batteryYearDischargeEnergy',
    energyOf('batteryDischarge', 'yearKwh'),
    'energy discharged this year',
  ),
  f.energy(
    'batteryTotalDischargeEnergy',
    energyOf('batteryDischarge', 'totalKwh'),
    'all energy discharged',
  ),
  f.energyKwh(
    'batteryYesterdayDischargeEnergy',
    energyOf('batteryDischarge', 'yesterdayKwh'),
    'energy discharged yesterday',
  ),
  f.energyKwh('gridPurchasedEnergy', energyOf('gridImport', 'todayKwh'), 'energy bought today'),
  f.energyKwh(
    'gridPurchasedTodayEnergy',
    energyOf('gridImport', 'todayKwh'),
    'energy bought today',
  ),
  f.energy(
    'gridPurchasedMonthEnergy',
    energyOf('gridImport', 'monthKwh'),
    'energy bought this month',
  ),
  f.energy('gridPurchasedYearEnergy', energyOf('gridImport', 'yearKwh'), 'energy bought this year'),
  f.energy('gridPurchasedTotalEnergy', energyOf('gridImport', 'totalKwh'), 'all energy bought'),
  f.energyKwh(
    'gridPurchasedYesterdayEnergy',
    energyOf('gridImport', 'yesterdayKwh'),
    'energy bought yesterday',
  ),
  f.energyKwh('gridSellEnergy', energyOf('gridExport', 'todayKwh'), 'energy sold today'),
  f.energyKwh('gridSellTodayEnergy', energyOf('gridExport', 'todayKwh'), 'energy sold today'),
  f.energy('gridSellMonthEnergy', energyOf('gridExport', 'monthKwh'), 'energy sold this month'),
  f.energy('gridSellYearEnergy', energyOf('gridExport', 'yearKwh'), 'energy sold this year'),
  f.energy('gridSellTotalEnergy', energyOf('gridExport', 'totalKwh'), 'all energy sold'),
  f.energyKwh(
    'gridSellYesterdayEnergy',
    energyOf('gridExport', 'yesterdayKwh'),
    'energy sold yesterday',
  ),
  f.energyKwh('homeLoadEnergy', consumed('todayKwh'), 'energy consumed today'),
  f.energyKwh('homeLoadTodayEnergy', consumed('todayKwh'), 'energy consumed today'),
  f.energy('homeLoadMonthEnergy', consumed('monthKwh'), 'energy consumed this month'),
  f.energy('homeLoadYearEnergy', consumed('yearKwh'), 'energy consumed this year'),
  f.energy('homeLoadTotalEnergy', consumed('totalKwh'), 'all energy consumed'),
  f.energyKwh('homeLoadYesterdayEnergy', consumed('yesterdayKwh'), 'energy consumed yesterday'),
  f.energyKwh(
    'homeGridTodayEnergy',
    energyOf('load', 'todayKwh'),
    'energy consumed today on the grid side',
  ),
  f.energy(
    'homeGridMonthEnergy',
    energyOf('load', 'monthKwh'),
    'energy consumed this month on the grid side',
  ),
  f.energy(
    'homeGridYearEnergy',
    energyOf('load', 'yearKwh'),
    'energy consumed this year on the grid side',
  ),
  f.energy(
    'homeGridTotalEnergy',
    energyOf('load', 'totalKwh'),
    'all energy consumed on the grid side',
  ),
  f.energyKwh(
    'homeGridYesterdayEnergy',
    energyOf('load', 'yesterdayKwh'),
    'energy consumed yesterday on the grid side',
  ),
  f.energyKwh(
    'backupTodayEnergy',
    energyOf('backup', 'todayKwh'),
    'energy of the backup port today',
  ),
  f.energy(
    'backupMonthEnergy',
    energyOf('backup', 'monthKwh'),
    'energy of the backup port this month',
  ),
  f.energy(
    'backupYearEnergy',
    energyOf('backup', 'yearKwh'),
    'energy of the backup port this year',
  ),
  f.energy('backupTotalEnergy', energyOf('backup', 'totalKwh'), 'all energy of the backup port'),
  f.energyKwh(
    'backupYesterdayEnergy',
    energyOf('backup', 'yesterdayKwh'),
    'energy of the backup port yesterday',
  ),
  ...generatorFields<InverterRecord>(),
] as const;

/** An inverter in `inverterDetail` and `inverterDetailList`. */
export const inverterDetailed = recordOf<InverterRecord>()(
  'an inverter',
  [
    ...identity,
    f.text('collectorsn', (r) => r.collector?.sn, 'serial number of the collector'),
    f.text('collectorName', (r) => r.collector?.name, 'name of the collector'),
    f.text('collectorModel', (r) => r.collector?.model, 'model of the collector'),
    f.text('money', currency, 'currency of the plant'),
    f.number('stationType', (r) => r.plant.type, 'kind of plant'),
    f.number('stationTypeNew', (r) => r.plant.type, 'kind of plant'),
    f.choice(
      'type',
      (r) => (r.facts.storage == null ? undefined : r.facts.storage ? 'storage' : 'grid'),
      { grid: 1, storage: 2 },
      'kind of inverter',
    ),
    f.number(
      'dcInputtype',
      (r) => (r.facts.dcInputs == null ? undefined : r.facts.dcInputs - 1),
      'number of DC inputs minus one',
    ),
    f.text('machine', (r) => r.model, 'the same as model'),
    f.text('version', (r) => r.facts.firmwareVersion, 'version of the firmware'),
    f.text('version2', (r) => r.facts.secondFirmwareVersion, 'version of the second firmware'),
    f.text(
      'hmiVersionAll',
      (r) => r.facts.displayVersion,
      'version of the display’s firmware, hexadecimal',
    ),
    f.text('nationalStandardstr', (r) => r.facts.gridStandard, 'grid standard'),
    plantNumber<InverterRecord>(),
    f.number(
      'synchronizationType',
      (r) => r.plant.facts?.feedIn,
      '0 full feed-in, 1 self-use, 2 off-grid',
    ),
    f.text(
      'updateShelfEndTimeStr',
      (r) => onClock(r, r.facts.warrantyUntilAt),
      'end of the warranty on the plant’s clock',
    ),
    f.instant('shelfBeginTime', (r) => r.facts.warrantyFromAt, 'start of the warranty'),
    f.instant('shelfEndTime', (r) => r.facts.warrantyUntilAt, 'end of the warranty'),
    f.text(
      'fisTimeStr',
      (r) => onClock(r, r.firstReportAt),
      'time of the first reading on the plant’s clock',
    ),
    f.instant('fisGenerateTime', (r) => r.firstProductionAt, 'time of the first production'),
    f.text(
      'fisGenerateTimeStr',
      (r) => onClock(r, r.firstProductionAt),
      'time of the first production on the plant’s clock',
    ),
    f.power(
      'peakPower',
      (r) => r.peakPowerW,
      'highest AC power of today (an addition of this service)',
    ),
    estimatedField<InverterRecord>(),
    f.instant(
      'peakPowerTime',
      (r) => r.peakPowerAt,
      'time of the highest AC power of today (an addition of this service)',
    ),
    f.text('timeStr', reportedLocally, 'time of the last reading on the plant’s clock'),
    f.text(
      'fullHourStr',
      (r) =>
        fullHours(r.energies.production?.todayKwh, ratedKw(r)) === undefined ? undefined : 'h',
      'unit of fullHour',
    ),
    f.powerPec('power', (r) => r.ratedPowerW, 'rated power'),
    f.powerPec('pac', 'acPowerW', 'AC power produced'),
    f.number(
      'porwerPercent',
      (r) => percentField(r.values.acPowerW, r.ratedPowerW),
      'AC power as a share of the rated power',
      '%',
    ),
    f.number('dayInCome', (r) => r.income?.today, 'income of today', 'the currency `money`', 2),
    f.number(
      'monthInCome',
      (r) => r.income?.month,
      'income of this month',
      'the currency `money`',
      2,
    ),
    f.number('yearInCome', (r) => r.income?.year, 'income of this year', 'the currency `money`', 2),
    f.number('allInCome', (r) => r.income?.total, 'all income', 'the currency `money`', 2),
    ...electrical,
    ...flows,
    ...energies,
  ],
  neutral.inverter,
  exceptions.inverter,
);
