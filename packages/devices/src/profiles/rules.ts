/** What a field holds: a test, and its description for messages. */
export interface Rule {
  readonly expected: string;
  test(value: unknown): boolean;
}

export type Rules = Readonly<Record<string, Rule>>;

export const rule = (expected: string, test: (value: unknown) => boolean): Rule => ({
  expected,
  test,
});

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() === value && value !== '';
export const isWhole = (min: number, max: number, value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
export const isListOf = (value: unknown, test: (item: unknown) => boolean): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every(test) &&
  new Set(value).size === value.length;
export const isNamed = (value: unknown, key: RegExp): boolean =>
  isObject(value) &&
  Object.keys(value).length > 0 &&
  Object.entries(value).every(([name, text]) => key.test(name) && isText(text));
export const hasOnly = (value: unknown, rules: Rules): boolean =>
  isObject(value) &&
  Object.keys(value).length > 0 &&
  Object.entries(value).every(([name, part]) => rules[name]?.test(part));

export const text = rule('text', isText);
export const whole = (min: number, max: number): Rule =>
  rule(`a whole number from ${min} to ${max}`, (value) => isWhole(min, max, value));
export const positive = rule(
  'a positive number of at most three decimals',
  (value) => typeof value === 'number' && value > 0 && Number.isInteger(value * 1000),
);
export const words = rule('a list of different texts', (value) => isListOf(value, isText));
export const finite = rule('a number', Number.isFinite);
export const ascending = rule(
  'two ascending numbers',
  (value) =>
    Array.isArray(value) &&
    value.length === 2 &&
    value.every(Number.isFinite) &&
    value[0] < value[1],
);

/** The faults in named fields; empty if there are none. */
export function faultsOfFields(
  value: unknown,
  rules: Rules,
  required: readonly string[],
): string[] {
  if (!isObject(value)) return ['must be named fields'];
  return [
    ...required.filter((name) => value[name] === undefined).map((name) => `${name} is missing`),
    ...Object.entries(value).flatMap(([name, field]) => {
      if (!Object.hasOwn(rules, name)) return [`${name} is not a field here`];
      return rules[name]!.test(field) ? [] : [`${name} must be ${rules[name]!.expected}`];
    }),
  ];
}
