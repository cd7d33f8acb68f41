import { encodeSunSpec } from '../devices/registers/sunspec-meter.ts';
import type { SimulatedDevice } from './whole.ts';

type Points = Readonly<Record<string, number>>;

/** A SunSpec device: what it shows by the standard's names, in their units, and by ours. */
export interface SunSpecDevice {
  readonly name: string;
  readonly maker: string;
  readonly models: readonly Points[];
  readonly expected: Readonly<Record<string, number>>;
  /** Addresses of the limit of its power and of the switch that enables it; absent: it has none. */
  readonly limit?: { readonly at: number; readonly enabledAt: number };
}

const BEGIN = 40_002;
const COMMON = 68;

const three = {
  A: 4123,
  AphA: 1370,
  AphB: 1375,
  AphC: 1378,
  A_SF: -2,
  PhVphA: 2311,
  PhVphB: 2302,
  PhVphC: 2299,
  V_SF: -1,
  W: -981,
  W_SF: 1,
  Hz: 4998,
  Hz_SF: -2,
  VA: 990,
  VA_SF: 1,
  VAr: 310,
  VAr_SF: 0,
  PF: -985,
  PF_SF: -1,
  WH: 1234567,
  WH_SF: 1,
  DCW: 1002,
  DCW_SF: 1,
  TmpCab: -41,
  Tmp_SF: 0,
  St: 4,
  Evt1: 0,
};
const shown = {
  acCurrent1A: 13.7,
  acCurrent2A: 13.75,
  acCurrent3A: 13.78,
  acVoltage1V: 231.1,
  acVoltage2V: 230.2,
  acVoltage3V: 229.9,
  acPowerW: -9810,
  gridFrequencyHz: 49.98,
  apparentPowerVa: 9900,
  reactivePowerVar: 310,
  powerFactor: -0.985,
  energyTotalKwh: 12345.67,
  dcPowerW: 10020,
  temperatureC: -41,
  warningCode: 0,
};
const ratings: Points = { ID: 120, L: 26, DERTyp: 4, WRtg: 1200, WRtg_SF: 1 };
const controls: Points = { ID: 123, L: 24, WMaxLimPct: 10_000, WMaxLimPct_SF: -2, WMaxLim_Ena: 0 };

/** By one family of models each; models 1 of all of them have 66 words. */
export const sunspecDevices: readonly SunSpecDevice[] = [
  {
    name: '101, one phase',
    maker: 'SMA',
    models: [
      {
        ID: 101,
        L: 50,
        AphA: 207,
        A_SF: -1,
        PhVphA: 2311,
        V_SF: -1,
        W: 4600,
        W_SF: 0,
        Hz: 5001,
        Hz_SF: -2,
        WH: 7654321,
        WH_SF: 0,
        St: 4,
        Evt1: 0,
      },
    ],
    expected: {
      acCurrent1A: 20.7,
      acVoltage1V: 231.1,
      acPowerW: 4600,
      gridFrequencyHz: 50.01,
      energyTotalKwh: 7654.321,
    },
  },
  {
    name: '103 with 120 and 123',
    maker: 'Fronius',
    models: [{ ID: 103, L: 50, ...three }, ratings, controls],
    expected: shown,
    limit: { at: BEGIN + COMMON + 52 + 28 + 5, enabledAt: BEGIN + COMMON + 52 + 28 + 9 },
  },
  {
    name: '113, floating point',
    maker: 'Kostal',
    models: [
      {
        ID: 113,
        L: 60,
        AphA: 13.7,
        AphB: 13.75,
        AphC: 13.78,
        PhVphA: 231.1,
        PhVphB: 230.2,
        PhVphC: 229.9,
        W: -9810,
        Hz: 49.98,
        VA: 9900,
        VAr: 310,
        PF: -98.5,
        WH: 12345670,
        DCW: 10020,
        TmpCab: -41,
        St: 4,
        Evt1: 0,
      },
      ratings,
      controls,
    ],
    expected: shown,
    limit: { at: BEGIN + COMMON + 62 + 28 + 5, enabledAt: BEGIN + COMMON + 62 + 28 + 9 },
  },
  {
    name: '701 with 702 and 704',
    maker: 'SolarEdge',
    models: [
      {
        ID: 701,
        L: 153,
        ACType: 3,
        St: 1,
        InvSt: 3,
        Alrm: 0,
        W: 981,
        W_SF: 1,
        VA: 990,
        VA_SF: 1,
        Var: -31,
        Var_SF: 1,
        PF: 985,
        PF_SF: -3,
        Hz: 49980,
        Hz_SF: -3,
        TotWhInj: 1234567,
        TotWh_SF: 1,
        TmpCab: 412,
        Tmp_SF: -1,
        AL1: 137,
        AL2: 138,
        AL3: 139,
        A_SF: -1,
        VL1: 2311,
        VL2: 2302,
        VL3: 2299,
        V_SF: -1,
        WL1: 300,
        WL2: 320,
        WL3: 361,
      },
      { ID: 702, L: 50, WMaxRtg: 1200, W_SF: 1 },
      { ID: 704, L: 65, WMaxLimPct: 1000, WMaxLimPct_SF: -1, WMaxLimPctEna: 0 },
    ],
    expected: {
      acPowerW: 9810,
      apparentPowerVa: 9900,
      reactivePowerVar: -310,
      powerFactor: 0.985,
      gridFrequencyHz: 49.98,
      energyTotalKwh: 12345.67,
      temperatureC: 41.2,
      acCurrent1A: 13.7,
      acCurrent2A: 13.8,
      acCurrent3A: 13.9,
      acVoltage1V: 231.1,
      acVoltage2V: 230.2,
      acVoltage3V: 229.9,
      acPower1W: 3000,
      acPower2W: 3200,
      acPower3W: 3610,
    },
    limit: { at: BEGIN + COMMON + 155 + 52 + 15, enabledAt: BEGIN + COMMON + 155 + 52 + 14 },
  },
];

/** Such devices, encoded by somebody else's program, each as a unit of its own. */
export const simulated = (
  python: string,
  devices: readonly SunSpecDevice[],
): Promise<SimulatedDevice[]> =>
  Promise.all(
    devices.map(async ({ maker, models }, i) => {
      const sn = `SUNSPEC${i + 1}`;
      const common = { ID: 1, L: 66, Mn: maker, Md: 'Test', Opt: '', Vr: '1', SN: sn, DA: 1 };
      const words = await encodeSunSpec(python, [common, ...models]);
      return { sn, unit: i + 1, registers: { 3: { 40_000: words } }, confirmed: [] };
    }),
  );
