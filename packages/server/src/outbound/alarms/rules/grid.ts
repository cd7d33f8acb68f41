import type { AlarmRule, Observation } from '../rule.ts';

/** Deviations from the nominal value: at `bad` or more a sample is bad, at `good` or less it is good. */
interface Limits {
  readonly bad: number;
  readonly good: number;
}

const LOW_VOLTAGE: Limits = { bad: 0.15, good: 0.13 };
const HIGH_VOLTAGE: Limits = { bad: 0.1, good: 0.09 };
/** Below this voltage, nothing is connected or measured. */
const MEASURED_FROM_V = 20;

/** A connected phase, and its deviation from the nominal voltage as a share of the latter. */
interface Phase {
  readonly voltageV: number;
  readonly deviation: number;
}

/**
 * The connected phases of a sample. Each is compared with the nominal voltage that it has
 * shown in quiet hours or, if that is not known, with the nearest one of the country.
 */
function phasesAt({ samples, gridVoltages, nominalVoltages }: Observation, index: number): Phase[] {
  const { acVoltage1V, acVoltage2V, acVoltage3V } = samples[index]!.values;
  return [acVoltage1V, acVoltage2V, acVoltage3V].flatMap((voltageV, i) => {
    if (voltageV === undefined || voltageV < MEASURED_FROM_V) return [];
    const nominal = nominalVoltages[i] ?? null;
    const deviations = (nominal === null ? gridVoltages : [nominal]).map(
      (each) => voltageV / each - 1,
    );
    return [
      {
        voltageV,
        deviation: deviations.reduce((least, next) =>
          Math.abs(next) < Math.abs(least) ? next : least,
        ),
      },
    ];
  });
}

/** The phase with the largest deviation. */
const worst = (phases: readonly Phase[]): Phase =>
  phases.reduce((worse, next) =>
    Math.abs(next.deviation) > Math.abs(worse.deviation) ? next : worse,
  );

export const gridVoltage: AlarmRule = {
  id: 'gridVoltage',
  code: 'H104',
  level: 2,
  advice:
    'If it persists, call your installer. For your installer: check the length and cross-section of the cable between inverter and meter, and ask the grid operator.',
  kinds: ['inverter', 'epm', 'ammeter'],
  raiseAfterSeconds: 600,
  clearAfterSeconds: 900,
  judge(observation, index) {
    const phases = phasesAt(observation, index);
    if (phases.length === 0) return 'unclear';
    const { deviation } = worst(phases);
    if (deviation >= HIGH_VOLTAGE.bad || deviation <= -LOW_VOLTAGE.bad) return 'bad';
    return deviation <= HIGH_VOLTAGE.good && deviation >= -LOW_VOLTAGE.good ? 'good' : 'unclear';
  },
  message: (observation, index) =>
    `grid voltage of ${worst(phasesAt(observation, index)).voltageV.toFixed(1)} V is out of range`,
};

const NOMINAL_HZ = [50, 60];
const FREQUENCY: Limits = { bad: 1, good: 0.8 };
const MEASURED_FROM_HZ = 10;

const frequencyDeviation = (hertz: number): number =>
  Math.min(...NOMINAL_HZ.map((nominal) => Math.abs(hertz - nominal)));

export const gridFrequency: AlarmRule = {
  id: 'gridFrequency',
  code: 'H105',
  level: 2,
  advice:
    'On a public grid, there is nothing to do; off the grid, call your installer if it persists. For your installer: check the generator and the battery inverter.',
  kinds: ['inverter', 'epm', 'ammeter'],
  raiseAfterSeconds: 300,
  clearAfterSeconds: 900,
  judge({ samples }, index) {
    const hertz = samples[index]!.values.gridFrequencyHz;
    if (hertz === undefined || hertz < MEASURED_FROM_HZ) return 'unclear';
    if (frequencyDeviation(hertz) >= FREQUENCY.bad) return 'bad';
    return frequencyDeviation(hertz) <= FREQUENCY.good ? 'good' : 'unclear';
  },
  message: ({ samples }, index) =>
    `grid frequency of ${samples[index]!.values.gridFrequencyHz!.toFixed(2)} Hz is out of range`,
};
