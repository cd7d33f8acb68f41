import type { Values } from '@helioport/contract';
import type { AlarmRule, Observation } from '../rule.ts';

/** Deviations from nominal: bad from the first on, good up to the second. */
interface Limits {
  readonly bad: number;
  readonly good: number;
}

const LOW_VOLTAGE: Limits = { bad: 0.15, good: 0.13 };
const HIGH_VOLTAGE: Limits = { bad: 0.1, good: 0.09 };
/** Below this nothing is connected or measured. */
const MEASURED_FROM_V = 20;

const AMERICAN = [120, 127, 208, 220, 240, 277, 380, 400, 480, 600];
const EUROPEAN = [230, 400, 690, 800];

/** Where grids have which nominal voltages, V between phase and neutral and between phases; of several the first that fits. */
const GRIDS: readonly (readonly [zones: RegExp, voltages: readonly number[]])[] = [
  [/^(America|US|Canada|Mexico|Brazil|Chile)\/|^Pacific\/(Honolulu|Johnston|Guam|Saipan|Pago_Pago|Palau)$|^(Cuba|Jamaica|Navajo)$|^[ECMPH]ST/, AMERICAN],
  [/^(Asia\/Tokyo|Japan)$/, [100, 200, 400]],
  [/^(Asia\/Taipei|ROC)$/, [110, 220, 380]],
  [/^Asia\/Riyadh$/, [127, 220, 380, ...EUROPEAN]],
];

/** Nominal voltages of the part of the world that a time zone is in. */
export const gridVoltagesIn = (timeZone: string): readonly number[] => GRIDS.find(([zones]) => zones.test(timeZone))?.[1] ?? EUROPEAN;

const voltagesOf = ({ acVoltage1V, acVoltage2V, acVoltage3V }: Values): number[] =>
  [acVoltage1V, acVoltage2V, acVoltage3V].filter((voltage) => voltage !== undefined && voltage >= MEASURED_FROM_V) as number[];

/** Deviation from the nearest nominal voltage, as a share of it. */
function deviation({ gridVoltages }: Observation, voltage: number): number {
  const deviations = gridVoltages.map((nominal) => voltage / nominal - 1);
  return deviations.reduce((least, next) => (Math.abs(next) < Math.abs(least) ? next : least));
}

/** The voltage that is out of the way most. */
const worstVoltage = (observation: Observation, voltages: readonly number[]): number =>
  voltages.reduce((worst, next) => (Math.abs(deviation(observation, next)) > Math.abs(deviation(observation, worst)) ? next : worst));

export const gridVoltage: AlarmRule = {
  id: 'gridVoltage',
  code: 'H104',
  level: 2,
  advice: 'When it lasts, ask the grid operator; look at the length and the cross section of the cable between inverter and meter.',
  kinds: ['inverter', 'epm', 'ammeter'],
  raiseAfterSeconds: 600,
  clearAfterSeconds: 900,
  judge(observation, index) {
    const voltages = voltagesOf(observation.samples[index]!.values);
    if (voltages.length === 0) return 'unclear';
    const share = deviation(observation, worstVoltage(observation, voltages));
    if (share >= HIGH_VOLTAGE.bad || share <= -LOW_VOLTAGE.bad) return 'bad';
    return share <= HIGH_VOLTAGE.good && share >= -LOW_VOLTAGE.good ? 'good' : 'unclear';
  },
  message: (observation, index) => `grid voltage ${worstVoltage(observation, voltagesOf(observation.samples[index]!.values)).toFixed(1)} V is out of limits`,
};

const NOMINAL_HZ = [50, 60];
const FREQUENCY: Limits = { bad: 1, good: 0.8 };
const MEASURED_FROM_HZ = 10;

const frequencyDeviation = (hertz: number): number => Math.min(...NOMINAL_HZ.map((nominal) => Math.abs(hertz - nominal)));

export const gridFrequency: AlarmRule = {
  id: 'gridFrequency',
  code: 'H105',
  level: 2,
  advice: 'Nothing to do on a public grid; on an island look at the generator and the battery inverter.',
  kinds: ['inverter', 'epm', 'ammeter'],
  raiseAfterSeconds: 300,
  clearAfterSeconds: 900,
  judge({ samples }, index) {
    const hertz = samples[index]!.values.gridFrequencyHz;
    if (hertz === undefined || hertz < MEASURED_FROM_HZ) return 'unclear';
    if (frequencyDeviation(hertz) >= FREQUENCY.bad) return 'bad';
    return frequencyDeviation(hertz) <= FREQUENCY.good ? 'good' : 'unclear';
  },
  message: ({ samples }, index) => `grid frequency ${samples[index]!.values.gridFrequencyHz!.toFixed(2)} Hz is out of limits`,
};
