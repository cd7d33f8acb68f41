import {
  scenarioKinds,
  type Scenario,
  type ScenarioKind,
  type ScenarioOption,
} from './scenario.ts';

/** A scenario cannot be read; the message says why. */
export class ScenarioFault extends Error {
  override readonly name = 'ScenarioFault';
}

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

interface OptionRule {
  readonly expected: string;
  /** The value of the option; undefined if it is invalid. */
  read(given: unknown): string | number | undefined;
}

const options: Readonly<Record<ScenarioOption, OptionRule>> = {
  sn: {
    expected: 'a serial number',
    read: (given) => (typeof given === 'string' && given !== '' ? given : undefined),
  },
  parameter: {
    expected: 'the number of a parameter',
    read: (given) => (/^\d{1,5}$/.test(String(given)) ? String(given) : undefined),
  },
  string: {
    expected: 'the number of a string, from 1 to 32',
    read: (given) => whole(given, 1, 32),
  },
  bit: { expected: 'the number of a bit, from 0 to 15', read: (given) => whole(given, 0, 15) },
  seconds: {
    expected: 'a number of seconds, at most a day',
    read: (given) => number(given, -86_400, 86_400),
  },
  percent: { expected: 'a number from 0 to 100', read: (given) => number(given, 0, 100) },
};

/**
 * Reads a scenario: an object from a file, or text such as `grid-outage after=10m for=1h`. It begins `after` a time from `startAt`, or
 * `at` an instant; without `for`, it does not end. Throws ScenarioFault.
 */
export function readScenario(given: unknown, startAt: number): Scenario {
  const { kind, after, at, for: duration, ...others } = fieldsOf(given);
  if (!isKind(kind))
    throw new ScenarioFault(
      `a scenario is one of ${Object.keys(scenarioKinds).join(', ')}, not ${JSON.stringify(kind)}`,
    );
  const { takes, needs = [] } = scenarioKinds[kind];
  const read = Object.entries(others).map(([name, value]) => [
    name,
    readOption(kind, takes, name, value),
  ]);
  for (const name of needs)
    if (others[name] === undefined)
      throw new ScenarioFault(`${kind} needs ${name}=${options[name].expected}`);
  if (after !== undefined && at !== undefined)
    throw new ScenarioFault(`${kind}: give after or at, not both`);
  const fromAt =
    at === undefined
      ? startAt + (after === undefined ? 0 : durationMs(kind, 'after', after))
      : instant(kind, at);
  const untilAt = duration === undefined ? Infinity : fromAt + durationMs(kind, 'for', duration);
  return { kind, fromAt, untilAt, ...(Object.fromEntries(read) as Partial<Scenario>) };
}

const isKind = (kind: unknown): kind is ScenarioKind =>
  typeof kind === 'string' && Object.hasOwn(scenarioKinds, kind);

function fieldsOf(given: unknown): Readonly<Record<string, unknown>> {
  if (typeof given === 'object' && given !== null && !Array.isArray(given))
    return given as Readonly<Record<string, unknown>>;
  if (typeof given !== 'string')
    throw new ScenarioFault(
      'a scenario is an object, or text such as "grid-outage after=10m for=1h"',
    );
  const [kind, ...words] = given.trim().split(/\s+/);
  const pairs = words.map((word) => word.split('='));
  const odd = pairs.find((pair) => pair.length !== 2);
  if (odd)
    throw new ScenarioFault(`${kind}: options are written name=value, unlike ${odd.join('=')}`);
  return { kind, ...(Object.fromEntries(pairs) as Readonly<Record<string, string>>) };
}

function readOption(
  kind: ScenarioKind,
  takes: readonly string[],
  name: string,
  given: unknown,
): string | number {
  if (!takes.includes(name))
    throw new ScenarioFault(
      `${kind} takes ${['after', 'at', 'for', ...takes].join(', ')}, not ${name}`,
    );
  const { expected, read } = options[name as ScenarioOption];
  const value = read(given);
  if (value === undefined) throw new ScenarioFault(`${kind}: ${name} must be ${expected}`);
  return value;
}

function durationMs(kind: string, name: string, given: unknown): number {
  const [, amount, unit = ''] = /^(\d{1,6})([smhd])$/.exec(String(given)) ?? [];
  if (amount === undefined)
    throw new ScenarioFault(`${kind}: ${name} must be a duration such as 30s, 10m, 1h or 2d`);
  return Number(amount) * UNIT_MS[unit]!;
}

function instant(kind: string, given: unknown): number {
  const at =
    typeof given === 'string' && /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(given)
      ? Date.parse(given)
      : NaN;
  if (Number.isNaN(at))
    throw new ScenarioFault(`${kind}: at must be an instant such as 2026-06-15T12:00:00Z`);
  return at;
}

function number(given: unknown, min: number, max: number): number | undefined {
  const value = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
  return typeof value === 'number' && value >= min && value <= max ? value : undefined;
}

function whole(given: unknown, min: number, max: number): number | undefined {
  const value = number(given, min, max);
  return Number.isInteger(value) ? value : undefined;
}
