import type { Values } from '../quantities.ts';
import type { Energies } from './energies.ts';

// A made-up house, from which the examples of records are taken.

/** 2026-11-06 12:05 in Berlin. */
export const NOON = 1_793_963_100_000;

export const energiesOfHouse: Energies = {
  production: {
    todayKwh: 8.742,
    monthKwh: 61.2,
    yearKwh: 7425.031,
    totalKwh: 21480.774,
    yesterdayKwh: 10.11,
  },
  gridImport: {
    todayKwh: 1.2,
    monthKwh: 14.5,
    yearKwh: 1830,
    totalKwh: 5244.6,
    yesterdayKwh: 2.05,
  },
  gridExport: {
    todayKwh: 2.4,
    monthKwh: 18.3,
    yearKwh: 4210.5,
    totalKwh: 12088,
    yesterdayKwh: 3.3,
  },
  batteryCharge: {
    todayKwh: 3.1,
    monthKwh: 19.4,
    yearKwh: 1402,
    totalKwh: 3990.1,
    yesterdayKwh: 4,
  },
  batteryDischarge: {
    todayKwh: 1.9,
    monthKwh: 17.7,
    yearKwh: 1316,
    totalKwh: 3745.2,
    yesterdayKwh: 3.7,
  },
  load: { todayKwh: 6.342, monthKwh: 55.7, yearKwh: 4958.5, totalKwh: 14392.5, yesterdayKwh: 8.55 },
};

export const inverterValues: Values = {
  acPowerW: 3200.5,
  dcPowerW: 3310,
  gridPowerW: 1500,
  loadPowerW: 900.5,
  backupPowerW: 0,
  batteryPowerW: 800,
  batterySocPercent: 76,
  batterySohPercent: 99,
  batteryVoltageV: 51.2,
  batteryCurrentA: 15.6,
  gridFrequencyHz: 50.01,
  powerFactor: 1,
  temperatureC: 38.5,
  dcVoltage1V: 412.3,
  dcCurrent1A: 4.1,
  dcPower1W: 1690.4,
  dcVoltage2V: 405,
  dcCurrent2A: 4,
  dcPower2W: 1620,
  acVoltage1V: 231.2,
  acCurrent1A: 4.6,
  acVoltage2V: 230.8,
  acCurrent2A: 4.6,
  acVoltage3V: 231,
  acCurrent3A: 4.6,
  statusCode: 3,
};

export const meterValues: Values = {
  gridPowerW: 1500,
  acPowerW: 3200.5,
  loadPowerW: 900.5,
  acVoltage1V: 231.2,
  acVoltage2V: 230.8,
  acVoltage3V: 231,
  acCurrent1A: 2.2,
  acCurrent2A: 2.2,
  acCurrent3A: 2.1,
  acPower1W: 508,
  acPower2W: 506,
  acPower3W: 486,
  powerFactor: 0.99,
  gridFrequencyHz: 50.01,
  gridImportTotalKwh: 5244.6,
  gridExportTotalKwh: 12088,
};

export const weatherValues: Values = {
  ambientTemperatureC: 11.4,
  moduleTemperatureC: 19.2,
  humidityPercent: 71,
  windSpeedMs: 3.4,
  windDirectionDeg: 240,
  airPressureHpa: 1012.3,
  irradianceWm2: 412,
  irradiationTodayKwhm2: 1.04,
};
