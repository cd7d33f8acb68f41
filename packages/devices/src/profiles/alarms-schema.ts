import { hasOnly, isListOf, isObject, isText, isWhole, rule, whole, type Rules } from './rules.ts';

/** The bits of a word that are alarms. */
export interface AlarmsEntry {
  /** Code of the alarms, whose zeros at the end are replaced by their number, such as F00. Without it, only the bits under `bits` are alarms. */
  readonly code?: string;
  /** Number of the lowest bit; 0 if absent. */
  readonly first?: number;
  /** 2 if absent. */
  readonly level?: number;
  /** By number: the fault of `faults` that it is, its name, or its level and its name. */
  readonly bits?: Readonly<
    Record<string, number | string | readonly [level: number, name: string]>
  >;
  /** Public tables that name them, by the same numbers. */
  readonly names?: readonly string[];
}

export const isCode = (value: string): boolean =>
  /^\d{1,5}$/.test(value) && Number(value) <= 0xffff;

export const isLevelled = (value: unknown): boolean =>
  Array.isArray(value) && isWhole(1, 3, value[0]) && isText(value[1]);
const alarmRules: Rules = {
  code: rule('a code that ends in zeros', (value) => /^[A-Z0-9.-]*0$/.test(String(value))),
  first: whole(0, 1_000),
  level: whole(1, 3),
  names: rule('a list of different names of public tables', (value) => isListOf(value, isText)),
  bits: rule(
    'faults, names, or levels and names by number',
    (value) =>
      isObject(value) &&
      Object.entries(value).every(
        ([n, said]) => isCode(n) && (isWhole(0, 0xffff, said) || isText(said) || isLevelled(said)),
      ),
  ),
};
export const alarms = rule(
  `an object of ${Object.entries(alarmRules)
    .map(([name, { expected }]) => `${name}, ${expected}`)
    .join('; ')}`,
  (value) => hasOnly(value, alarmRules),
);
