/** Where the signed `inverterDetail` shows a quantity, and the unit that it states without saying so. */
const FIELDS: Readonly<Record<string, readonly [field: string, unit?: string]>> = {
  acPowerW: ['pac'],
  dcPowerW: ['powTotal'],
  gridPowerW: ['psum'],
  loadPowerW: ['familyLoadPower'],
  backupPowerW: ['bypassLoadPower'],
  generatorPowerW: ['generatorPower'],
  batteryPowerW: ['batteryPower'],
  reactivePowerVar: ['reactivePower'],
  apparentPowerVa: ['apparentPower'],
  powerFactor: ['powerFactor', ''],
  gridFrequencyHz: ['fac'],
  energyTodayKwh: ['eToday'],
  energyTotalKwh: ['eTotal'],
  gridImportTodayKwh: ['gridPurchasedTodayEnergy'],
  gridImportTotalKwh: ['gridPurchasedTotalEnergy'],
  gridExportTodayKwh: ['gridSellTodayEnergy'],
  gridExportTotalKwh: ['gridSellTotalEnergy'],
  batteryChargeTodayKwh: ['batteryTodayChargeEnergy'],
  batteryChargeTotalKwh: ['batteryTotalChargeEnergy'],
  batteryDischargeTodayKwh: ['batteryTodayDischargeEnergy'],
  batteryDischargeTotalKwh: ['batteryTotalDischargeEnergy'],
  loadTodayKwh: ['homeGridTodayEnergy'],
  loadTotalKwh: ['homeGridTotalEnergy'],
  backupTodayKwh: ['backupTodayEnergy'],
  backupTotalKwh: ['backupTotalEnergy'],
  generatorTodayKwh: ['generatorTodayEnergy'],
  generatorTotalKwh: ['generatorTotalEnergy'],
  batterySocPercent: ['batteryCapacitySoc', ''],
  batterySohPercent: ['batteryHealthSoh', ''],
  batteryVoltageV: ['batteryVoltage'],
  batteryCurrentA: ['bstteryCurrent'],
  batteryChargeLimitA: ['batteryChargingCurrent'],
  batteryDischargeLimitA: ['batteryDischargeLimiting'],
  temperatureC: ['inverterTemperature', ''],
  busVoltageV: ['dcBus'],
  halfBusVoltageV: ['dcBusHalf'],
  insulationVoltageV: ['uInitGnd'],
  insulationResistanceKohm: ['insulationResistance', ''],
  leakageCurrentMa: ['iLeakLimt', ''],
  warningCode: ['warningInfoData', ''],
};
const PHASES = ['A', 'B', 'C'] as const;
for (let i = 1; i <= 32; i++)
  Object.assign(FIELDS, {
    [`dcVoltage${i}V`]: [`uPv${i}`],
    [`dcCurrent${i}A`]: [`iPv${i}`],
    [`dcPower${i}W`]: [`pow${i}`],
  });
for (const [n, letter] of PHASES.entries()) {
  const small = letter.toLowerCase();
  const later = n === 0 ? '' : letter;
  Object.assign(FIELDS, {
    [`acVoltage${n + 1}V`]: [`uAc${n + 1}`],
    [`acCurrent${n + 1}A`]: [`iAc${n + 1}`],
    [`acPower${n + 1}W`]: [`p${letter}`, ''],
    [`acReactivePower${n + 1}Var`]: [`${small}ReactivePower`, ''],
    [`acApparentPower${n + 1}Va`]: [`${small}LookedPower`, ''],
    [`acPowerFactor${n + 1}`]: [`${small}PhasePowerFactor`, ''],
    [`backupVoltage${n + 1}V`]: [`bypassAcVoltage${later}`, ''],
    [`backupCurrent${n + 1}A`]: [`bypassAcCurrent${later}`, ''],
  });
}

/** What a stated unit is, in the unit of the quantity. */
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  W: 1,
  kW: 1000,
  MW: 1e6,
  Var: 1,
  kVar: 1000,
  VA: 1,
  kVA: 1000,
  kWh: 1,
  MWh: 1000,
  GWh: 1e6,
  V: 1,
  A: 1,
  Hz: 1,
};

/** Quantities that `inverterDetail` has no field for. */
const UNSHOWN = new Set(['statusCode', 'batteryTemperatureC', 'powerLimitPercent']);

/** How an answer of `inverterDetail` differs from what was expected, by quantity. */
export function differences(
  record: Readonly<Record<string, unknown>>,
  expected: Readonly<Record<string, number>>,
): string[] {
  return Object.entries(expected).flatMap(([quantity, value]) => {
    const [field, ownUnit] = FIELDS[quantity] ?? [];
    if (field === undefined) return UNSHOWN.has(quantity) ? [] : [`${quantity}: no field is known`];
    const unit = ownUnit ?? String(record[`${field}Str`]);
    const shown = Number(record[field]) * (UNITS[unit] ?? Number.NaN);
    // Fields have three decimals of their unit.
    const half = 0.000_51 * (UNITS[unit] ?? 1) + 1e-9;
    return Math.abs(shown - value) <= half
      ? []
      : [`${quantity}: ${field} is ${String(record[field])} ${unit}, expected ${value}`];
  });
}
