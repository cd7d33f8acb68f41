import { encodeSunSpec } from '../devices/registers/sunspec-meter.ts';
import type { SimulatedDevice } from './whole.ts';

type Points = Readonly<Record<string, unknown>>;

/** A SunSpec device: what it shows by the standard's names, in their units, and by ours. */
export interface SunSpecDevice {
  readonly name: string;
  readonly maker: string;
  readonly models: readonly Points[];
  readonly expected: Readonly<Record<string, number>>;
  /** Addresses of the limit of its power and of the switch that enables it; absent: it has none. */
  readonly limit?: { readonly at: number; readonly enabledAt: number };
  /** What it shows, and is not reported, since it would be wrong. */
  readonly unsaid?: Readonly<Record<string, number>>;
  /** What else is written: the word that it becomes, and its address. */
  readonly writes?: readonly (readonly [
    parameter: string,
    value: string,
    at: number,
    word: number,
  ])[];
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
/** One phase and two, in floating point. */
const one = { AphA: 20.7, PhVphA: 231.1, W: 4600, Hz: 50.01, WH: 7654321, St: 4, Evt1: 0 };
const two = { ...one, AphB: 19.3, PhVphB: 229.8, VA: 4700, VAr: -350, PF: 97.5, DCW: 4750 };
const shownOne = {
  acCurrent1A: 20.7,
  acVoltage1V: 231.1,
  acPowerW: 4600,
  gridFrequencyHz: 50.01,
  energyTotalKwh: 7654.321,
};
const shownTwo = {
  ...shownOne,
  acCurrent2A: 19.3,
  acVoltage2V: 229.8,
  apparentPowerVa: 4700,
  reactivePowerVar: -350,
  powerFactor: 0.975,
  dcPowerW: 4750,
};

/** An input of model 160. */
const input = (ID: number, DCA: number, DCV: number, DCW: number, DCWH: number): Points => ({
  ID,
  IDStr: `Input ${ID}`,
  DCA,
  DCV,
  DCW,
  DCWH,
  Tms: 0,
  Tmp: 41,
  DCSt: 4,
  DCEvt: 0,
});
const inputs = (module: readonly Points[]): Points => ({
  ID: 160,
  L: 8 + 20 * module.length,
  DCA_SF: -2,
  DCV_SF: -1,
  DCW_SF: 1,
  DCWH_SF: 0,
  Evt: 0,
  N: module.length,
  TmsPer: 0,
  module,
});
/** A port of model 714: 0 modules, 1 a battery. */
const port = (PrtTyp: number, ID: number, DCA: number, DCV: number, DCW: number): Points => ({
  PrtTyp,
  ID,
  IDStr: `Port ${ID}`,
  DCA,
  DCV,
  DCW,
  DCWhInj: 1000,
  DCWhAbs: 0,
  Tmp: 40,
  DCSta: 1,
  DCAlrm: 0,
});

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
    name: '102, two phases',
    maker: 'SMA',
    models: [
      {
        ID: 102,
        L: 50,
        ...three,
        AphC: 0xffff,
        PhVphC: 0xffff,
        PPVphAB: 4613,
      },
      ratings,
      controls,
    ],
    expected: Object.fromEntries(
      Object.entries(shown).filter(([name]) => !/^ac\w+3[AV]$/.test(name)),
    ),
    limit: { at: BEGIN + COMMON + 52 + 28 + 5, enabledAt: BEGIN + COMMON + 52 + 28 + 9 },
  },
  {
    name: '111, floating point, one phase',
    maker: 'Kostal',
    models: [{ ID: 111, L: 60, ...one }, ratings, controls],
    expected: shownOne,
    limit: { at: BEGIN + COMMON + 62 + 28 + 5, enabledAt: BEGIN + COMMON + 62 + 28 + 9 },
  },
  {
    name: '112, floating point, two phases',
    maker: 'SMA',
    models: [{ ID: 112, L: 60, ...two }, ratings, controls],
    expected: shownTwo,
    limit: { at: BEGIN + COMMON + 62 + 28 + 5, enabledAt: BEGIN + COMMON + 62 + 28 + 9 },
  },
  {
    name: '103 with 160, strings',
    maker: 'SMA',
    models: [
      { ID: 103, L: 50, ...three },
      ratings,
      inputs([input(1, 512, 4102, 210, 5000), input(2, 733, 3987, 292, 4000)]),
    ],
    expected: {
      ...shown,
      dcCurrent1A: 5.12,
      dcVoltage1V: 410.2,
      dcPower1W: 2100,
      dcCurrent2A: 7.33,
      dcVoltage2V: 398.7,
      dcPower2W: 2920,
    },
  },
  {
    name: '103 with 124 and 160, a battery',
    maker: 'Fronius',
    models: [
      { ID: 103, L: 50, ...three },
      { ...ratings, DERTyp: 82 },
      {
        ID: 124,
        L: 24,
        WChaMax: 5000,
        WChaMax_SF: 0,
        StorCtl_Mod: 0,
        MinRsvPct: 700,
        MinRsvPct_SF: -2,
        ChaState: 5550,
        ChaState_SF: -2,
        InBatV: 3820,
        InBatV_SF: -1,
        OutWRte: 10_000,
        InWRte: 10_000,
        InOutWRte_SF: -2,
      },
      inputs([
        input(1, 512, 4102, 210, 5_000_000),
        input(2, 733, 3987, 292, 4_000_000),
        input(3, 0, 3820, 0, 800_000),
        input(4, 236, 3820, 90, 700_000),
      ]),
    ],
    expected: {
      acPowerW: -9810,
      batteryPowerW: -900,
      batterySocPercent: 55.5,
      batteryVoltageV: 382,
      energyTotalKwh: 9000,
      batteryChargeTotalKwh: 800,
      batteryDischargeTotalKwh: 700,
      dcVoltage1V: 410.2,
      dcPower2W: 2920,
    },
    writes: [
      ['157', '20', BEGIN + COMMON + 52 + 28 + 7, 2000],
      ['90101', '3', BEGIN + COMMON + 52 + 28 + 5, 3],
      ['90103', '-30', BEGIN + COMMON + 52 + 28 + 12, 0x1_0000 - 3000],
      ['90102', '40', BEGIN + COMMON + 52 + 28 + 13, 4000],
    ],
  },
  {
    name: '701 with 713 and 714',
    maker: 'SMA',
    models: [
      {
        ID: 701,
        L: 153,
        ACType: 1,
        St: 1,
        InvSt: 3,
        Alrm: 0,
        W: -212,
        W_SF: 1,
        Hz: 50_010,
        Hz_SF: -3,
      },
      { ID: 702, L: 50, WMaxRtg: 1200, W_SF: 1 },
      { ID: 713, L: 7, WHRtg: 100, WHAvail: 60, SoC: 605, SoH: 980, Sta: 0, WH_SF: 2, Pct_SF: -1 },
      {
        ID: 714,
        L: 18 + 3 * 25,
        PrtAlrms: 0,
        NPrt: 3,
        DCA: 1000,
        DCW: 300,
        DCA_SF: -2,
        DCV_SF: -1,
        DCW_SF: 1,
        DCWH_SF: 0,
        Tmp_SF: 0,
        Prt: [port(0, 1, 512, 4102, 210), port(1, 2, -236, 3820, -90), port(0, 3, 733, 3987, 292)],
      },
    ],
    expected: {
      acPowerW: -2120,
      gridFrequencyHz: 50.01,
      batterySocPercent: 60.5,
      batterySohPercent: 98,
      dcCurrent1A: 5.12,
      dcVoltage1V: 410.2,
      dcPower1W: 2100,
      dcCurrent2A: 7.33,
      dcVoltage2V: 398.7,
      dcPower2W: 2920,
    },
    // With what the battery gives.
    unsaid: { dcPowerW: 3000 },
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
