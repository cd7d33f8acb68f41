import { CONNECTIONS_IN_WORDS } from '../records/plant-connection.ts';
import type { PeriodAmounts, PlantRecord } from '../records/index.ts';
import {
  avoidedCo2Kg,
  CO2_KG_PER_TREE,
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
import type { Maybe } from './field-kinds/field.ts';
import { fieldsOf } from './field-kinds/kinds.ts';
import { calendarText, zoneDateTime } from './field-kinds/local-time.ts';
import { neutral } from './field-kinds/neutral.ts';
import { recordOf } from './field-kinds/record.ts';
import {
  estimatedField,
  generatorFields,
  plantZoneFields,
  reportFields,
  shortNumber,
  stateCodes,
} from './shared.ts';

const f = fieldsOf<PlantRecord>();

const income = (period: keyof PeriodAmounts) => (r: PlantRecord) => r.income?.[period];
const currency = (r: PlantRecord): string => r.currency;
const worth = <N extends string>(name: N, period: keyof PeriodAmounts, description: string) =>
  f.number(
    name,
    (r) => r.worth?.sum[period],
    `${description} (an addition of this service)`,
    'the currency `money`',
    2,
  );
const capacityW = (r: PlantRecord): number => r.capacityKwp * 1000;
const priceText = (price: Maybe<number>): string | undefined =>
  typeof price === 'number' ? String(price) : undefined;
const onClock = ({ zone }: PlantRecord, at: Maybe<number>): string | undefined =>
  typeof at === 'number' ? zoneDateTime(at, zone.name) : undefined;

/** The first fields of every record of a plant. */
const identity = [
  f.id('id', (r) => r.id, 'id of the plant'),
  f.text('stationName', (r) => r.name, 'name of the plant'),
  f.id('userId', (r) => r.ownerId, 'id of the owner'),
  f.text('addr', (r) => r.address, 'address'),
  f.text('sno', (r) => shortNumber(r.id), 'short number of the plant: the end of its id'),
  f.text('country', (r) => r.facts.countryId, 'id of the country, exactly as the client sent it'),
  f.text('countryStr', (r) => r.facts.country, 'country'),
  f.text('region', (r) => r.facts.regionId, 'id of the region, exactly as the client sent it'),
  f.text('regionStr', (r) => r.facts.region, 'region'),
  f.text('city', (r) => r.facts.cityId, 'id of the city, exactly as the client sent it'),
  f.text('cityStr', (r) => r.facts.city, 'city'),
  f.text('countyStr', (r) => r.facts.county, 'county'),
  f.text('nmiCode', (r) => r.nmiCode, 'meter id of an Australian plant'),
  f.text('picName', (r) => r.facts.pictureName, 'name of the picture'),
  f.id('installerId', (r) => r.installer?.id, 'id of the installer'),
  f.text('installer', (r) => r.installer?.name, 'name of the installer'),
  f.text('installerEmail', (r) => r.installer?.email, 'e-mail of the installer'),
  f.text(
    'installerMobile',
    (r) => r.installer?.mobile ?? r.facts.installerMobile,
    'phone number of the installer',
  ),
  f.number('dip', (r) => r.tiltDegrees, 'tilt of the modules', '°'),
  f.number('azimuth', (r) => r.azimuthDegrees, 'azimuth of the modules', '°'),
  f.number('module', (r) => r.facts.moduleCount, 'number of modules'),
  f.number(
    'price',
    (r) => r.pricePerKwh,
    'current price per kWh produced, in the currency `money`, outside hours that have prices of their own',
    '',
    6,
  ),
  f.text('money', currency, 'currency of the plant'),
  f.instant('createDate', (r) => r.createdAt, 'time when the plant was created'),
  f.number('type', (r) => r.type, 'kind of plant'),
  f.number(
    'stationTypeNew',
    (r) => r.type,
    'kind of plant: 0 grid, 1 storage, 2 AC-coupled, 3 EPM, 4 built-in meter, 5 external meter, 6 to 11 parallel and off-grid systems',
  ),
  f.number('synchronizationType', (r) => r.facts.feedIn, '0 full feed-in, 1 self-use, 2 off-grid'),
  ...plantZoneFields<PlantRecord>((r) => r.zone),
] as const;

/** Current state and values of the plant. */
const present = [
  f.choice('state', (r) => r.state, stateCodes, 'state'),
  f.flag('stateExceptionFlag', (r) => r.abnormallyOffline, 'offline when it should be online'),
  ...reportFields<PlantRecord>(),
  f.capacity('capacity', (r) => r.capacityKwp, 'rated power of the modules'),
  f.number('capacity1', (r) => r.capacityKwp, 'rated power of the modules', 'kWp'),
  f.number(
    'capacityPercent',
    (r) => percentField(r.values.acPowerW, capacityW(r)),
    'AC power as a share of the rated power',
    '%',
  ),
  f.number(
    'porwerPercent',
    (r) => percentField(r.values.acPowerW, capacityW(r)),
    'AC power as a share of the rated power',
    '%',
  ),
  f.number('inverterCount', (r) => r.inverterCount, 'number of inverters'),
  f.number('inverterOnlineCount', (r) => r.onlineInverterCount, 'number of inverters online'),
  f.number('alarmCount', (r) => r.alarmCount, 'number of pending alarms'),
  f.instant('fisPowerTime', (r) => r.firstReportAt, 'time of the first reading'),
  f.powerPec('power', 'acPowerW', 'AC power produced'),
  f.power('inverterPower', 'acPowerW', 'AC power of the inverters'),
  f.powerPec('psum', 'gridPowerW', 'power at the grid connection, + export, - import'),
  f.powerPec('batteryPower', 'batteryPowerW', 'battery power, + charging, - discharging'),
  f.number('batteryPercent', 'batterySocPercent', 'state of charge', '%'),
  f.powerPec('familyLoadPower', 'loadPowerW', 'power of the loads on the grid side'),
  f.power('bypassLoadPower', 'backupPowerW', 'power of the loads on the backup port'),
  f.power('totalLoadPower', totalLoadW, 'power of all loads'),
  f.powerPec('generatorPower', 'generatorPowerW', 'power of a generator'),
] as const;

/** Production, with income. */
const production = [
  f.number(
    'fullHour',
    (r) => fullHours(r.energies.production?.todayKwh, r.capacityKwp),
    'full-load hours of today, at the plant’s capacity',
    'h',
  ),
  f.energyKwh('dayEnergy', energyOf('production', 'todayKwh'), 'energy produced today'),
  f.energy('monthEnergy', energyOf('production', 'monthKwh'), 'energy produced this month'),
  f.energy('yearEnergy', energyOf('production', 'yearKwh'), 'energy produced this year'),
  f.energy('allEnergy', energyOf('production', 'totalKwh'), 'all energy produced'),
  f.number('allEnergy1', energyOf('production', 'totalKwh'), 'all energy produced', 'kWh'),
  f.number('oneSelf', selfConsumed('todayKwh'), 'energy produced today and not fed in', 'kWh'),
] as const;

/** Energies that are always in kWh in lists. */
const listedEnergies = [
  f.energyKwh(
    'batteryTodayChargeEnergy',
    energyOf('batteryCharge', 'todayKwh'),
    'energy charged today',
  ),
  f.energyKwh(
    'batteryTotalChargeEnergy',
    energyOf('batteryCharge', 'totalKwh'),
    'all energy charged',
  ),
  f.energyKwh(
    'batteryTodayDischargeEnergy',
    energyOf('batteryDischarge', 'todayKwh'),
    'energy discharged today',
  ),
  f.energyKwh(
    'batteryTotalDischargeEnergy',
    energyOf('batteryDischarge', 'totalKwh'),
    'all energy discharged',
  ),
  f.energyKwh(
    'gridPurchasedTodayEnergy',
    energyOf('gridImport', 'todayKwh'),
    'energy bought today',
  ),
  f.energyKwh('gridPurchasedTotalEnergy', energyOf('gridImport', 'totalKwh'), 'all energy bought'),
  f.energyKwh('gridSellTodayEnergy', energyOf('gridExport', 'todayKwh'), 'energy sold today'),
  f.energyKwh('gridSellTotalEnergy', energyOf('gridExport', 'totalKwh'), 'all energy sold'),
  f.energyKwh('homeLoadTodayEnergy', consumed('todayKwh'), 'energy consumed today'),
  f.energyKwh('homeLoadTotalEnergy', consumed('totalKwh'), 'all energy consumed'),
] as const;

/** A plant in `userStationList`. */
export const plantListed = recordOf<PlantRecord>()(
  'a plant in a list',
  [
    ...identity,
    ...present,
    ...production,
    estimatedField<PlantRecord>(),
    ...listedEnergies,
    f.text('remark1', (r) => r.facts.remarks?.[0], 'remark'),
    f.text('remark2', (r) => r.facts.remarks?.[1], 'remark'),
    f.text('remark3', (r) => r.facts.remarks?.[2], 'remark'),
    f.money('dayIncome', 'dayIncomeUnit', income('today'), currency, 'income of today'),
    f.money('allIncome', 'allIncomeUnit', income('total'), currency, 'all income'),
  ],
  neutral.plantListed,
);

/** A plant in `stationDetail` and `stationDetailList`. */
export const plantDetailed = recordOf<PlantRecord>()('a plant', [
  ...identity,
  ...present,
  ...production,
  f.text(
    'createDateStr',
    (r) => zoneDateTime(r.createdAt, r.zone.name).slice(0, 10),
    'day on the plant’s clock when the plant was created',
  ),
  f.text(
    'fisPowerTimeStr',
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
    'highest AC power of today, of all inverters together; if more than one delivered, only in stationDetail (an addition of this service)',
  ),
  f.text(
    'connection',
    (r) => r.connection,
    `how the plant is connected, and the likely cause if its figures are not of this moment: ${CONNECTIONS_IN_WORDS} (an addition of this service)`,
  ),
  f.instant(
    'measuredTime',
    (r) => r.measuredAt,
    'time of the newest reading of the devices that measure power (an addition of this service)',
  ),
  worth('dayWorth', 'today', 'what was saved and sold today'),
  worth('monthWorth', 'month', 'what was saved and sold this month'),
  worth('yearWorth', 'year', 'what was saved and sold this year'),
  worth('allWorth', 'total', 'what was saved and sold since `worthSince`'),
  f.text(
    'worthOf',
    (r) => r.worth?.of,
    'what these amounts consist of: savedAndSold, saved, sold or, without either, produced (an addition of this service)',
  ),
  f.text(
    'worthSince',
    (r) => (r.worth ? calendarText(r.worth.sinceDay) : undefined),
    'the first day that these amounts count: the first one with readings and prices (an addition of this service)',
  ),
  estimatedField<PlantRecord>(),
  f.instant(
    'peakPowerTime',
    (r) => r.peakPowerAt,
    'time of the highest AC power of today (an addition of this service)',
  ),
  f.text(
    'buy',
    (r) => priceText(r.buyPricePerKwh),
    'current price per kWh bought, in the currency `unit`, outside hours that have prices of their own',
  ),
  f.text('sell', (r) => priceText(r.sellPricePerKwh), 'the same per kWh sold'),
  f.text(
    'unit',
    (r) => (typeof (r.buyPricePerKwh ?? r.sellPricePerKwh) === 'number' ? r.currency : undefined),
    'currency of `buy` and `sell`',
  ),
  f.instant('updateDate', (r) => r.updatedAt, 'time of the last change of the plant’s details'),
  f.instant('connectTime', (r) => r.facts.connectedAt, 'time when the plant was connected'),
  f.text(
    'fullHourStr',
    (r) => (r.energies.production?.todayKwh == null ? undefined : 'h'),
    'unit of fullHour',
  ),
  f.text('capacityPec', () => '1', 'multiply capacity by this to get it in its unit'),
  f.text(
    'dipStr',
    (r) => (r.tiltDegrees == null ? undefined : `${r.tiltDegrees.toFixed(1)}°`),
    'tilt of the modules',
  ),
  f.text(
    'azimuthStr',
    (r) => (r.azimuthDegrees == null ? undefined : `${r.azimuthDegrees.toFixed(1)}°`),
    'azimuth of the modules',
  ),
  f.number('power1', (r) => ratio(r.values.acPowerW, 1000), 'AC power produced', 'kW'),
  f.number('dayEnergy1', energyOf('production', 'todayKwh'), 'energy produced today', 'kWh'),
  f.number('monthEnergy1', energyOf('production', 'monthKwh'), 'energy produced this month', 'kWh'),
  f.number('yearEnergy1', energyOf('production', 'yearKwh'), 'energy produced this year', 'kWh'),
  f.energyKwh(
    'offset',
    (r) => r.facts.energyOffsetKwh,
    'energy produced before the plant was connected',
  ),
  f.money('dayInCome', 'dayInComeUnit', income('today'), currency, 'income of today'),
  f.money('monthInCome', 'monthInComeUnit', income('month'), currency, 'income of this month'),
  f.money('yearInCome', 'yearInComeUnit', income('year'), currency, 'income of this year'),
  f.money('allInCome', 'allInComeUnit', income('total'), currency, 'all income'),
  f.number('allInCome1', income('total'), 'all income', 'the currency `money`', 2),
  f.measured(
    'powerStationAvoidedCo2',
    (r) => ratio(avoidedCo2Kg(r.energies.production?.totalKwh), 1000),
    't',
    'CO2 avoided by all energy produced, at 0.475 kg/kWh (world average, IEA)',
    { unitName: 'powerStationAvoidedCo2Unit' },
  ),
  f.number(
    'monthCarbonDioxide',
    (r) => avoidedCo2Kg(r.energies.production?.monthKwh),
    'CO2 avoided this month, at 0.475 kg/kWh',
    'kg',
  ),
  f.measured(
    'powerStationNumTree',
    (r) => ratio(avoidedCo2Kg(r.energies.production?.totalKwh), CO2_KG_PER_TREE),
    '棵',
    'trees that absorb the avoided CO2 within a year, at 18.3 kg per tree',
    { unitName: 'powerStationNumTreeUnit' },
  ),
  f.number('epmCount', (r) => r.epmCount, 'number of EPM units'),
  f.number('weatherCount', (r) => r.weatherCount, 'number of weather stations'),
  f.power('batteryPowerZheng', (r) => positivePart(r.values.batteryPowerW), 'charging power'),
  f.power('batteryPowerFu', (r) => negativePart(r.values.batteryPowerW), 'discharging power'),
  f.power('psumZheng', (r) => positivePart(r.values.gridPowerW), 'power fed in'),
  f.power('psumFu', (r) => negativePart(r.values.gridPowerW), 'power drawn from the grid'),
  f.number(
    'temp',
    'ambientTemperatureC',
    'ambient temperature at the plant’s weather station',
    '℃',
  ),
  f.number('humidity', 'humidityPercent', 'relative humidity there', '%'),
  f.number('windSpeed', 'windSpeedMs', 'wind speed there', 'm/s'),
  f.number(
    'windDirection',
    'windDirectionDeg',
    'wind direction there: where the wind comes from',
    '°',
  ),
  f.number('rainfall', 'rainfallMm', 'rainfall there', 'mm'),
  f.number('airPressure', 'airPressureHpa', 'air pressure there', 'hPa'),
  f.energyKwh('gridPurchasedEnergy', energyOf('gridImport', 'todayKwh'), 'energy bought today'),
  f.energyKwh('gridPurchasedDayEnergy', energyOf('gridImport', 'todayKwh'), 'energy bought today'),
  f.energy(
    'gridPurchasedMonthEnergy',
    energyOf('gridImport', 'monthKwh'),
    'energy bought this month',
  ),
  f.energy('gridPurchasedYearEnergy', energyOf('gridImport', 'yearKwh'), 'energy bought this year'),
  f.energy('gridPurchasedTotalEnergy', energyOf('gridImport', 'totalKwh'), 'all energy bought'),
  f.energyKwh('gridSellEnergy', energyOf('gridExport', 'todayKwh'), 'energy sold today'),
  f.energyKwh('gridSellDayEnergy', energyOf('gridExport', 'todayKwh'), 'energy sold today'),
  f.energy('gridSellMonthEnergy', energyOf('gridExport', 'monthKwh'), 'energy sold this month'),
  f.energy('gridSellYearEnergy', energyOf('gridExport', 'yearKwh'), 'energy sold this year'),
  f.energy('gridSellTotalEnergy', energyOf('gridExport', 'totalKwh'), 'all energy sold'),
  f.energyKwh('batteryChargeEnergy', energyOf('batteryCharge', 'todayKwh'), 'energy charged today'),
  f.energy(
    'batteryChargeMonthEnergy',
    energyOf('batteryCharge', 'monthKwh'),
    'energy charged this month',
  ),
  f.energy(
    'batteryChargeYearEnergy',
    energyOf('batteryCharge', 'yearKwh'),
    'energy charged this year',
  ),
  f.energy('batteryChargeTotalEnergy', energyOf('batteryCharge', 'totalKwh'), 'all energy charged'),
  f.measured(
    'batteryTodayChargeEnergy',
    energyOf('batteryCharge', 'todayKwh'),
    'kWh',
    'energy charged today',
    { unitName: 'batteryTodayChargeEnergyUnit' },
  ),
  f.energy(
    'batteryTotalChargeEnergy',
    energyOf('batteryCharge', 'totalKwh'),
    'all energy charged',
    { unitName: 'batteryTotalChargeEnergyUnit' },
  ),
  f.energyKwh(
    'batteryDischargeEnergy',
    energyOf('batteryDischarge', 'todayKwh'),
    'energy discharged today',
  ),
  f.energy(
    'batteryDischargeMonthEnergy',
    energyOf('batteryDischarge', 'monthKwh'),
    'energy discharged this month',
  ),
  f.energy(
    'batteryDischargeYearEnergy',
    energyOf('batteryDischarge', 'yearKwh'),
    'energy discharged this year',
  ),
  f.energy(
    'batteryDischargeTotalEnergy',
    energyOf('batteryDischarge', 'totalKwh'),
    'all energy discharged',
  ),
  f.measured(
    'batteryTodayDischargeEnergy',
    energyOf('batteryDischarge', 'todayKwh'),
    'kWh',
    'energy discharged today',
    {
      unitName: 'batteryTodayDischargeEnergyUnit',
    },
  ),
  f.energy(
    'batteryTotalDischargeEnergy',
    energyOf('batteryDischarge', 'totalKwh'),
    'all energy discharged',
    { unitName: 'batteryTotalDischargeEnergyUnit' },
  ),
  f.energyKwh('homeLoadEnergy', consumed('todayKwh'), 'energy consumed today'),
  f.energyKwh('homeLoadTodayEnergy', consumed('todayKwh'), 'energy consumed today'),
  f.energy('homeLoadMonthEnergy', consumed('monthKwh'), 'energy consumed this month'),
  f.energy('homeLoadYearEnergy', consumed('yearKwh'), 'energy consumed this year'),
  f.energy('homeLoadTotalEnergy', consumed('totalKwh'), 'all energy consumed'),
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
  ...generatorFields<PlantRecord>(),
]);
