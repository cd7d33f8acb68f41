/** Something that a reading can contain. The name ends in the unit that its values have. */
export interface Quantity {
  readonly name: string;
  readonly unit: Unit;
  readonly description: string;
}

export type Unit =
  | 'W'
  | 'Var'
  | 'VA'
  | 'kWh'
  | 'V'
  | 'A'
  | 'mA'
  | 'Hz'
  | '%'
  | '°C'
  | 'W/m²'
  | 'kWh/m²'
  | 'm/s'
  | '°'
  | 'hPa'
  | 'mm'
  | 'kΩ'
  | 'dBm'
  | '';

const fixed = {
  acPowerW: [
    'W',
    'AC power produced; small negative values at night are the device’s own consumption',
  ],
  dcPowerW: ['W', 'DC power of all strings'],
  gridPowerW: ['W', 'power at the grid connection, + export, - import'],
  loadPowerW: ['W', 'power of the loads on the grid side'],
  backupPowerW: ['W', 'power of the loads on the backup port'],
  generatorPowerW: ['W', 'power of a generator'],
  batteryPowerW: ['W', 'battery power, + charging, - discharging'],
  reactivePowerVar: ['Var', 'reactive power'],
  apparentPowerVa: ['VA', 'apparent power'],
  powerFactor: ['', 'power factor, -1 to 1'],
  gridFrequencyHz: ['Hz', 'grid frequency'],
  energyTodayKwh: ['kWh', 'the device’s own counter of energy produced today'],
  energyTotalKwh: ['kWh', 'counter of all energy produced'],
  gridImportTodayKwh: ['kWh', 'counter of energy bought today'],
  gridImportTotalKwh: ['kWh', 'counter of all energy bought'],
  gridExportTodayKwh: ['kWh', 'counter of energy sold today'],
  gridExportTotalKwh: ['kWh', 'counter of all energy sold'],
  batteryChargeTodayKwh: ['kWh', 'counter of energy charged today'],
  batteryChargeTotalKwh: ['kWh', 'counter of all energy charged'],
  batteryDischargeTodayKwh: ['kWh', 'counter of energy discharged today'],
  batteryDischargeTotalKwh: ['kWh', 'counter of all energy discharged'],
  loadTodayKwh: ['kWh', 'counter of energy of the loads on the grid side today'],
  loadTotalKwh: ['kWh', 'counter of all energy of the loads on the grid side'],
  backupTodayKwh: ['kWh', 'counter of energy of the backup port today'],
  backupTotalKwh: ['kWh', 'counter of all energy of the backup port'],
  generatorTodayKwh: ['kWh', 'counter of energy of a generator today'],
  generatorTotalKwh: ['kWh', 'counter of all energy of a generator'],
  batterySocPercent: ['%', 'state of charge'],
  batterySohPercent: ['%', 'state of health'],
  batteryVoltageV: ['V', 'battery voltage'],
  batteryCurrentA: ['A', 'battery current, + charging, - discharging'],
  batteryTemperatureC: ['°C', 'battery temperature'],
  batteryChargeLimitA: ['A', 'charging current the battery allows'],
  batteryDischargeLimitA: ['A', 'discharging current the battery allows'],
  temperatureC: ['°C', 'temperature of the device'],
  busVoltageV: ['V', 'DC bus voltage'],
  halfBusVoltageV: ['V', 'half of the DC bus voltage'],
  insulationVoltageV: ['V', 'voltage between DC negative and ground'],
  insulationResistanceKohm: ['kΩ', 'insulation resistance'],
  leakageCurrentMa: ['mA', 'leakage current'],
  irradianceWm2: [
    'W/m²',
    'irradiance in the plane of the modules, or global if only that is measured',
  ],
  globalIrradianceWm2: ['W/m²', 'global horizontal irradiance'],
  directIrradianceWm2: ['W/m²', 'direct normal irradiance'],
  diffuseIrradianceWm2: ['W/m²', 'diffuse horizontal irradiance'],
  irradiationTodayKwhm2: ['kWh/m²', 'irradiation of today'],
  ambientTemperatureC: ['°C', 'ambient temperature'],
  moduleTemperatureC: ['°C', 'module temperature'],
  humidityPercent: ['%', 'relative humidity'],
  windSpeedMs: ['m/s', 'wind speed'],
  windDirectionDeg: ['°', 'wind direction: where the wind comes from'],
  airPressureHpa: ['hPa', 'air pressure'],
  rainfallMm: ['mm', 'rainfall'],
  dewPointC: ['°C', 'dew point'],
  signalDbm: ['dBm', 'radio signal strength of a collector'],
  statusCode: ['', 'running code reported by the device'],
  warningCode: ['', 'bit field of warnings, as reported by the device'],
  powerLimitPercent: [
    '%',
    'limit of the AC power, as a share of the rated power; 100 if there is none',
  ],
} as const satisfies Record<string, readonly [Unit, string]>;

const families = [
  ['dcVoltage', 'V', 32, 'V', 'voltage of string'],
  ['dcCurrent', 'A', 32, 'A', 'current of string'],
  ['dcPower', 'W', 32, 'W', 'power of string'],
  ['acVoltage', 'V', 3, 'V', 'voltage of phase'],
  ['acCurrent', 'A', 3, 'A', 'current of phase'],
  ['acPower', 'W', 3, 'W', 'power of phase'],
  ['acReactivePower', 'Var', 3, 'Var', 'reactive power of phase'],
  ['acApparentPower', 'Va', 3, 'VA', 'apparent power of phase'],
  ['acPowerFactor', '', 3, '', 'power factor of phase'],
  ['backupVoltage', 'V', 3, 'V', 'voltage of the backup port, phase'],
  ['backupCurrent', 'A', 3, 'A', 'current of the backup port, phase'],
] as const;

type FixedName = keyof typeof fixed;
type FamilyName =
  | `dcVoltage${number}V`
  | `dcCurrent${number}A`
  | `dcPower${number}W`
  | `acVoltage${number}V`
  | `acCurrent${number}A`
  | `acPower${number}W`
  | `acReactivePower${number}Var`
  | `acApparentPower${number}Va`
  | `acPowerFactor${number}`
  | `backupVoltage${number}V`
  | `backupCurrent${number}A`;

/** A name in the registry. */
export type QuantityName = FixedName | FamilyName;

/** Values at one instant, each in its quantity's unit. Unknown values are absent. */
export type Values = { readonly [Name in QuantityName]?: number };

const entries: Quantity[] = [
  ...Object.entries(fixed).map(([name, [unit, description]]) => ({ name, unit, description })),
  ...families.flatMap(([stem, suffix, count, unit, description]) =>
    Array.from({ length: count }, (_, i) => ({
      name: `${stem}${i + 1}${suffix}`,
      unit,
      description: `${description} ${i + 1}`,
    })),
  ),
];

/** The registry of all quantities, by name. */
export const quantities: ReadonlyMap<string, Quantity> = new Map(
  entries.map((quantity) => [quantity.name, quantity]),
);

export const isQuantity = (name: string): name is QuantityName => quantities.has(name);
