import { MEANS_STEP_MS } from '../../packages/server/src/measurements/expected/step-means.ts';
import { between, type Chance, type Fault, type Sketch } from './simulated-plant.ts';

const someUnits = (chance: Chance): number => 1 + Math.floor(3 * chance());
const dayFrom = (chance: Chance): number => Math.floor(between(chance, 0, 16));

/** The faults that are put into simulated plants, by the cause that must be named. */
export const faults: Readonly<Record<string, (chance: Chance) => Sketch>> = {
  standstill: (chance) => ({
    units: someUnits(chance),
    fault(draw, units): Fault {
      const [dead, from] = [Math.floor(draw() * units), dayFrom(draw)];
      return {
        at: (unit, day) => (unit === dead && day >= from ? { powerW: 0 } : undefined),
      };
    },
  }),
  silent: (chance) => ({
    units: someUnits(chance),
    fault(draw, units): Fault {
      const [dead, from] = [Math.floor(draw() * units), dayFrom(draw)];
      return {
        at: (unit, day) =>
          unit === dead && day >= from ? { powerW: 0, isSilent: true } : undefined,
      };
    },
  }),
  limit: (chance) => ({
    units: someUnits(chance),
    fault(draw): Fault {
      const [share, from, isReported] = [between(draw, 0.2, 0.6), dayFrom(draw) / 2, draw() < 0.5];
      const isOn = (day: number): boolean => day >= from && day < from + 21;
      return {
        at(_, day, __, couldW, ratedW) {
          if (!isOn(day)) return undefined;
          const limitW = share * ratedW;
          return { powerW: Math.min(couldW, limitW), ...(isReported && { limitW }) };
        },
        limits: (_, startAt, ratedW) => [
          {
            // The month begins on its first day; what was set before is in force later too.
            fromAt: startAt,
            toAt: Infinity,
            limitW: share * ratedW,
            setAt: startAt,
            setBy: 'operator',
            parameter: '15',
          },
        ],
      };
    },
  }),
  grid: (chance) => ({
    units: someUnits(chance),
    fault(draw): Fault {
      const from = Math.floor(between(draw, 38, 46));
      const length = Math.floor(between(draw, 3, 12));
      return {
        at: (_, __, step) => (step >= from && step < from + length ? { powerW: 0 } : undefined),
        alarms: (_, startAt) => [
          {
            code: 'H104',
            fromAt: startAt + from * MEANS_STEP_MS,
            toAt: startAt + (from + length) * MEANS_STEP_MS,
          },
        ],
      };
    },
  }),
  clipping: (chance) => ({ units: someUnits(chance), ratio: between(chance, 1.5, 2) }),
  string: (chance) => {
    const inputs = 2 + Math.floor(2 * chance());
    return {
      units: someUnits(chance),
      inputs,
      fault(draw, units): Fault {
        const [weak, input, from] = [
          Math.floor(draw() * units),
          Math.floor(draw() * inputs),
          dayFrom(draw),
        ];
        // All of an input, or one of its two strings.
        const left = draw() < 0.5 ? 0 : 0.5;
        const inputShares = Array.from({ length: inputs }, (_, i) => (i === input ? left : 1));
        return {
          at: (unit, day) => (unit === weak && day >= from ? { inputShares } : undefined),
        };
      },
    };
  },
  lag: () => ({
    units: 2,
    fault(draw): Fault {
      const [weak, from, share] = [Math.floor(draw() * 2), dayFrom(draw), between(draw, 0.5, 0.8)];
      return {
        at: (unit, day, _, couldW) =>
          unit === weak && day >= from ? { powerW: share * couldW } : undefined,
      };
    },
  }),
  snow: (chance) => ({
    units: someUnits(chance),
    isWinter: true,
    fault(draw): Fault {
      const from = dayFrom(draw);
      const [length, passes] = [Math.floor(between(draw, 4, 11)), between(draw, 0.02, 0.15)];
      return {
        at: (_, day, __, couldW) =>
          day >= from && day < from + length ? { powerW: passes * couldW } : undefined,
      };
    },
  }),
};
