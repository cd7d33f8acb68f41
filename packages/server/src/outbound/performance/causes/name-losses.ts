import { medianOf } from '../../../measurements/expected/median.ts';
import { heldBack, type HeldBack } from './held-back.ts';
import type { DayLoss, DayRatios, LossDay, LossUnit, UnitRatios } from './loss-day.ts';
import { compareInputs, laggingOf, type ComparedInputs } from './siblings.ts';
import { mayBeSnow, snowSteps } from './snow.ts';
import { createLossTally, STEPS_PER_KWH, type LossTally } from './loss-tally.ts';
import type { Usual, UsualRatio } from './usual.ts';

/** The losses of a day, which add up to expected and cut-off energy less what was produced; and what is usual from then on. */
export interface NamedLosses {
  readonly losses: readonly DayLoss[];
  readonly ratios: DayRatios;
}

/** A ratio is taken from so many steps at least, in which so much is expected: hours at the rated power. */
const [STEPS_AT_LEAST, HOURS_AT_LEAST] = [4, 0.1] as const;
/** What inverters make of the light differs from what is expected by no more. */
const [LEAST_RATIO, HIGHEST_RATIO] = [0.6, 1.25] as const;
/** Of the expected energy of the day: smaller losses are noise, unless they are measured as such. */
const NOISE = 0.01;
const MEASURED: ReadonlySet<string> = new Set(['limit', 'exportLimit', 'clipping', 'grid']);
const DEFAULT_EFFICIENCY = 0.96;

const keyOf = ({ sn }: LossUnit): string => sn ?? '';
const energy = (powers: Iterable<number>): number =>
  [...powers].reduce((sum, powerW) => sum + powerW, 0) / STEPS_PER_KWH;

/** Names what a plant lost on a day that is over. */
export function nameLosses(day: LossDay, usual: Usual): NamedLosses {
  const { units } = day;
  const held = units.map((unit) => heldBack(day, unit));
  const usually = usualOfPlant(units, usual);
  const snow = snowSteps(day, held, usually ?? 1);
  const free = units.map((_, u) =>
    [...held[u]!.keys()].filter((step) => held[u]![step]!.by === 'nothing' && !snow.has(step)),
  );
  const own = units.map((unit, u) => ratioOf(unit, free[u]!));
  const tally = createLossTally(day);
  const compared = units.map((unit, u) =>
    compare(tally, unit, free[u]!, { own: own[u], others: without(own, u) }, usual),
  );
  const today = compared.flatMap(({ makes }) => makes ?? []);
  const ofPlant = today.length > 0 ? medianOf(today) : (usually ?? 1);
  for (const [u, unit] of units.entries()) {
    const makes = clamped(compared[u]!.makes ?? ofPlant);
    for (const [step, each] of held[u]!.entries())
      addStep(tally, day, unit, step, snow.has(step) ? 'snow' : each, makes);
    addSilence(tally, unit, held[u]!, makes);
  }
  const ratios = Object.fromEntries(units.map((unit, u) => [keyOf(unit), compared[u]!.ratios]));
  return { losses: withRemainder(day, tally.losses()), ratios };
}

const without = (ratios: readonly (number | undefined)[], u: number): number[] =>
  ratios.filter((ratio, other): ratio is number => other !== u && ratio !== undefined);

const clamped = (ratio: number): number => Math.min(HIGHEST_RATIO, Math.max(LEAST_RATIO, ratio));

function usualOfPlant(units: readonly LossUnit[], usual: Usual): number | undefined {
  const known = units.flatMap((unit) => usual.ratio(keyOf(unit), 'own')?.middle ?? []);
  return known.length > 0 ? clamped(medianOf(known)) : undefined;
}

/** What a unit made of the light while nothing held it back. */
function ratioOf(unit: LossUnit, free: readonly number[]): number | undefined {
  const sum = (of: LossUnit['expectedW']): number => energy(free.map((step) => of[step]!));
  const expected = sum(unit.expectedW);
  const isEnough = free.length >= STEPS_AT_LEAST && expected * 1000 >= HOURS_AT_LEAST * unit.ratedW;
  return isEnough ? sum(unit.measuredW) / expected : undefined;
}

function addStep(
  tally: LossTally,
  day: LossDay,
  unit: LossUnit,
  step: number,
  held: HeldBack | 'snow',
  makes: number,
): void {
  const couldW = makes * (unit.expectedW[step] ?? 0);
  const missingW = couldW - (unit.measuredW[step] ?? 0);
  if (held === 'snow') {
    if (unit.measuredW[step] !== undefined)
      tally.add('snow', unit.sn, step, missingW, {
        confidence: 'medium',
        coldestC: day.coldestC,
      });
    return;
  }
  switch (held.by) {
    case 'grid':
    case 'limit':
    case 'exportLimit':
      return tally.add(held.by, unit.sn, step, missingW, held.evidence);
    case 'clipping': {
      // What is expected is known only up to the rated power.
      const wholeW = makes * (unit.expectedW[step]! + unit.clippedW[step]!);
      return tally.add('clipping', unit.sn, step, wholeW - unit.measuredW[step]!, {
        confidence: 'medium',
      });
    }
    case 'standstill':
      return tally.add(
        'standstill',
        unit.sn,
        step,
        missingW,
        mayBeSnow(day) ? { confidence: 'medium', coldestC: day.coldestC } : { confidence: 'high' },
      );
    default:
  }
}

/** What a unit would have delivered while it did not report, less what its counter says it did. */
function addSilence(
  tally: LossTally,
  unit: LossUnit,
  held: readonly HeldBack[],
  makes: number,
): void {
  if (!unit.hasReported) return;
  const weights = new Map<number, number>();
  for (const [step, { by }] of held.entries())
    if (by === 'silent') weights.set(step, makes * unit.expectedW[step]!);
  const measured = energy(unit.measuredW.map((powerW) => powerW ?? 0));
  const counted = Math.max(0, (unit.producedKwh ?? 0) - measured);
  const kwh = energy(weights.values()) - counted;
  // Whether it stood still or only did not report is not known before its counter is read again.
  if (kwh > 0) tally.spread('silent', unit.sn, kwh, weights, { confidence: 'low' });
}

interface Compared {
  /** What it would make of the light if it did not lag behind: energy by energy expected. */
  readonly makes: number | undefined;
  readonly ratios: UnitRatios;
}

/** Compares a unit with its siblings, and its inputs with one another. */
function compare(
  tally: LossTally,
  unit: LossUnit,
  free: readonly number[],
  { own, others }: { readonly own: number | undefined; readonly others: readonly number[] },
  usual: Usual,
): Compared {
  const key = keyOf(unit);
  const weights = new Map(free.map((step) => [step, unit.expectedW[step]!]));
  const expected = energy(weights.values());
  const inputs = compareInputs(unit.inputs, free, (input) => usual.input(key, input));
  const ofInputs = addInputs(tally, unit, weights, inputs, (own ?? 0) * expected);
  const whole = own === undefined ? undefined : own + ofInputs / expected;
  const siblings = others.length > 0 ? medianOf(others) : undefined;
  const behind =
    siblings !== undefined && whole !== undefined
      ? laggingOf(whole / siblings, expectedRatio(unit, usual))
      : undefined;
  if (behind)
    tally.spread('lag', unit.sn, (behind.shouldBe - behind.ratio) * siblings! * expected, weights, {
      confidence: 'medium',
      sharePercent: (100 * behind.ratio) / behind.shouldBe,
    });
  // With an input that lags behind, the others do not say what is usual either.
  const isInputLagging = inputs.lagging.length > 0;
  const lags = isInputLagging || behind !== undefined;
  const middle = (name: 'own' | 'toSiblings') => usual.ratio(key, name)?.middle;
  return {
    makes: behind ? behind.shouldBe * siblings! : whole,
    ratios: {
      own: lags ? middle('own') : own,
      toSiblings: lags ? middle('toSiblings') : siblings && own && own / siblings,
      inputs: isInputLagging ? usualInputs(unit, usual) : inputs.ratios,
    },
  };
}

/** Names what inputs lack; returns how much that is as AC energy, kWh. */
function addInputs(
  tally: LossTally,
  unit: LossUnit,
  weights: ReadonlyMap<number, number>,
  { lagging, kwh }: ComparedInputs,
  measured: number,
): number {
  const [first] = lagging;
  if (!first) return 0;
  const missing = lagging.reduce((sum, { missingKwh }) => sum + missingKwh, 0);
  const lost = missing * (kwh > 0 ? Math.min(1, measured / kwh) : DEFAULT_EFFICIENCY);
  const { input, ratio, shouldBe, isUsualKnown } = first;
  tally.spread('string', unit.sn, lost, weights, {
    confidence: isUsualKnown ? 'high' : 'medium',
    input,
    sharePercent: (100 * ratio) / shouldBe,
  });
  return lost;
}

const usualInputs = (unit: LossUnit, usual: Usual): Record<string, number> =>
  Object.fromEntries(
    unit.inputs.flatMap(({ input }) => {
      const middle = usual.input(keyOf(unit), input)?.middle;
      return middle === undefined ? [] : [[input, middle] as const];
    }),
  );

/** How an inverter compares with its siblings: equally, where it is known which modules feed it. */
const expectedRatio = (unit: LossUnit, usual: Usual): UsualRatio | undefined =>
  unit.hasOwnArrays ? { low: 1, middle: 1 } : usual.ratio(keyOf(unit), 'toSiblings');

/** Leaves out what is noise, and adds what is left without a cause. */
function withRemainder(day: LossDay, named: readonly DayLoss[]): DayLoss[] {
  const sum = (of: (unit: LossUnit) => LossUnit['expectedW']): number =>
    energy(day.units.flatMap((unit) => of(unit).map((powerW) => powerW ?? 0)));
  const expected = sum(({ expectedW }) => expectedW);
  const lost = expected + sum(({ clippedW }) => clippedW) - (day.producedKwh ?? 0);
  const kept = named.filter(({ cause, kwh }) => MEASURED.has(cause) || kwh >= NOISE * expected);
  const known = kept.reduce((all, { kwh }) => all + kwh, 0);
  return [...kept, { cause: 'unexplained', kwh: lost - known, confidence: 'low' }];
}
