/** Something that a reading can contain. The name ends in the unit that its values have. */
export interface Quantity {
  readonly name: string;
  readonly unit: Unit;
  readonly description: string;
  readonly bounds: Bounds;
}

/**
 * The values that a quantity can have, in its unit, both ends included; `power`: as much in either direction as the device or its plant can carry.
 * A value beyond them is what a device writes that could not measure, such as 6553.5 or 655.35.
 */
export type Bounds = readonly [atLeast: number, atMost: number] | 'power';

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

/** Counters never show less than nothing; a device of 10 MW counts less in a day, and less than 4 TWh in all its life. */
const [OF_A_DAY, IN_ALL] = [[0, 10_000_000] as const, [0, 4_000_000_000] as const];
/** Sensors show a little less than nothing at night, and at the edges of clouds more than the sun alone. */
const IRRADIANCE = [-50, 2000] as const;
/** Whole numbers of up to 53 bits, and of 32 bits with a sign. */
const CODE = [-2_147_483_648, Number.MAX_SAFE_INTEGER] as const;

const fixed = {
  acPowerW: [
    'W',
    'AC power produced; small negative values at night are the device’s own consumption',
    'power',
  ],
  dcPowerW: ['W', 'DC power of all strings', 'power'],
  gridPowerW: ['W', 'power at the grid connection, + export, - import', 'power'],
  loadPowerW: ['W', 'power of the loads on the grid side', 'power'],
  backupPowerW: ['W', 'power of the loads on the backup port', 'power'],
  generatorPowerW: ['W', 'power of a generator', 'power'],
  batteryPowerW: ['W', 'battery power, + charging, - discharging', 'power'],
  reactivePowerVar: ['Var', 'reactive power', 'power'],
  apparentPowerVa: ['VA', 'apparent power', 'power'],
  powerFactor: ['', 'power factor, -1 to 1', [-1, 1]],
  gridFrequencyHz: ['Hz', 'grid frequency', [0, 70]],
  energyTodayKwh: ['kWh', 'the device’s own counter of energy produced today', OF_A_DAY],
  energyTotalKwh: ['kWh', 'counter of all energy produced', IN_ALL],
  gridImportTodayKwh: ['kWh', 'counter of energy bought today', OF_A_DAY],
  gridImportTotalKwh: ['kWh', 'counter of all energy bought', IN_ALL],
  gridExportTodayKwh: ['kWh', 'counter of energy sold today', OF_A_DAY],
  gridExportTotalKwh: ['kWh', 'counter of all energy sold', IN_ALL],
  batteryChargeTodayKwh: ['kWh', 'counter of energy charged today', OF_A_DAY],
  batteryChargeTotalKwh: ['kWh', 'counter of all energy charged', IN_ALL],
  batteryDischargeTodayKwh: ['kWh', 'counter of energy discharged today', OF_A_DAY],
  batteryDischargeTotalKwh: ['kWh', 'counter of all energy discharged', IN_ALL],
  loadTodayKwh: ['kWh', 'counter of energy of the loads on the grid side today', OF_A_DAY],
  loadTotalKwh: ['kWh', 'counter of all energy of the loads on the grid side', IN_ALL],
  backupTodayKwh: ['kWh', 'counter of energy of the backup port today', OF_A_DAY],
  backupTotalKwh: ['kWh', 'counter of all energy of the backup port', IN_ALL],
  generatorTodayKwh: ['kWh', 'counter of energy of a generator today', OF_A_DAY],
  generatorTotalKwh: ['kWh', 'counter of all energy of a generator', IN_ALL],
  batterySocPercent: ['%', 'state of charge', [0, 100]],
  batterySohPercent: ['%', 'state of health', [0, 110]],
  batteryVoltageV: ['V', 'battery voltage', [-50, 2500]],
  batteryCurrentA: ['A', 'battery current, + charging, - discharging', [-3000, 3000]],
  batteryTemperatureC: ['°C', 'battery temperature', [-60, 120]],
  batteryChargeLimitA: ['A', 'charging current the battery allows', [0, 3000]],
  batteryDischargeLimitA: ['A', 'discharging current the battery allows', [0, 3000]],
  temperatureC: ['°C', 'temperature of the device', [-60, 200]],
  busVoltageV: ['V', 'DC bus voltage', [-50, 2500]],
  halfBusVoltageV: ['V', 'half of the DC bus voltage', [-50, 2500]],
  insulationVoltageV: ['V', 'voltage between DC negative and ground', [-2500, 2500]],
  insulationResistanceKohm: ['kΩ', 'insulation resistance', [0, 1_000_000]],
  leakageCurrentMa: ['mA', 'leakage current', [-5000, 5000]],
  irradianceWm2: [
    'W/m²',
    'irradiance in the plane of the modules, or global if only that is measured',
    IRRADIANCE,
  ],
  globalIrradianceWm2: ['W/m²', 'global horizontal irradiance', IRRADIANCE],
  directIrradianceWm2: ['W/m²', 'direct normal irradiance', IRRADIANCE],
  diffuseIrradianceWm2: ['W/m²', 'diffuse horizontal irradiance', IRRADIANCE],
  irradiationTodayKwhm2: ['kWh/m²', 'irradiation of today', [0, 30]],
  ambientTemperatureC: ['°C', 'ambient temperature', [-90, 70]],
  moduleTemperatureC: ['°C', 'module temperature', [-90, 150]],
  humidityPercent: ['%', 'relative humidity', [0, 100]],
  windSpeedMs: ['m/s', 'wind speed', [0, 120]],
  windDirectionDeg: ['°', 'wind direction: where the wind comes from', [0, 360]],
  airPressureHpa: ['hPa', 'air pressure', [300, 1100]],
  rainfallMm: ['mm', 'rainfall', [0, 2000]],
  dewPointC: ['°C', 'dew point', [-100, 60]],
  signalDbm: ['dBm', 'radio signal strength of a collector', [-150, 20]],
  statusCode: ['', 'running code reported by the device', CODE],
  warningCode: ['', 'bit field of warnings, as reported by the device', CODE],
  powerLimitPercent: [
    '%',
    'limit of the AC power, as a share of the rated power; 100 if there is none',
    [0, 200],
  ],
} as const satisfies Record<string, readonly [Unit, string, Bounds]>;

const families = [
  ['dcVoltage', 'V', 32, 'V', 'voltage of string', [-50, 2500]],
  ['dcCurrent', 'A', 32, 'A', 'current of string', [-50, 3000]],
  ['dcPower', 'W', 32, 'W', 'power of string', 'power'],
  ['acVoltage', 'V', 3, 'V', 'voltage of phase', [0, 1500]],
  ['acCurrent', 'A', 3, 'A', 'current of phase', [-6000, 6000]],
  ['acPower', 'W', 3, 'W', 'power of phase', 'power'],
  ['acReactivePower', 'Var', 3, 'Var', 'reactive power of phase', 'power'],
  ['acApparentPower', 'Va', 3, 'VA', 'apparent power of phase', 'power'],
  ['acPowerFactor', '', 3, '', 'power factor of phase', [-1, 1]],
  ['backupVoltage', 'V', 3, 'V', 'voltage of the backup port, phase', [0, 1500]],
  ['backupCurrent', 'A', 3, 'A', 'current of the backup port, phase', [-6000, 6000]],
] as const satisfies readonly (readonly [string, string, number, Unit, string, Bounds])[];

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
  ...Object.entries(fixed).map(([name, [unit, description, bounds]]) => ({
    name,
    unit,
    description,
    bounds,
  })),
  ...families.flatMap(([stem, suffix, count, unit, description, bounds]) =>
    Array.from({ length: count }, (_, i) => ({
      name: `${stem}${i + 1}${suffix}`,
      unit,
      description: `${description} ${i + 1}`,
      bounds,
    })),
  ),
];

/** The registry of all quantities, by name. */
export const quantities: ReadonlyMap<string, Quantity> = new Map(
  entries.map((quantity) => [quantity.name, quantity]),
);

export const isQuantity = (name: string): name is QuantityName => quantities.has(name);
