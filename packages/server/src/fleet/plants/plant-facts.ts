import { invalidValue } from '../../platform/kernel/failure.ts';

/** The facts that people have stated about a plant; null = unknown. */
export interface PlantDescription {
  readonly name: string;
  /** Plant type, as a number of the wire's enumeration (interface W13): 0 grid, 1 storage, ... 11. */
  readonly type: number;
  readonly capacityKwp: number;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly pricePerKwh: number | null;
  readonly address: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly tiltDegrees: number | null;
  readonly azimuthDegrees: number | null;
  /** Australian meter id. */
  readonly nmiCode: string | null;
}

/** Values for a plant about which nobody has stated anything but its name and capacity. */
export const undescribed = {
  type: 0,
  currency: 'EUR',
  pricePerKwh: null,
  address: null,
  latitude: null,
  longitude: null,
  tiltDegrees: null,
  azimuthDegrees: null,
  nmiCode: null,
} satisfies Omit<PlantDescription, 'name' | 'capacityKwp'>;

interface Rule {
  readonly expected: string;
  holds(value: unknown): boolean;
}

const text = (length: number): Rule => ({
  expected: `1 to ${length} characters without control characters`,
  holds: (value) =>
    typeof value === 'string' &&
    value.trim() !== '' &&
    [...value].length <= length &&
    value.isWellFormed() &&
    !/\p{Cc}/u.test(value),
});
const range = (min: number, max: number): Rule => ({
  expected: `a number from ${min} to ${max}`,
  holds: (value) => typeof value === 'number' && value >= min && value <= max,
});
const orNull = (rule: Rule): Rule => ({
  ...rule,
  holds: (value) => value === null || rule.holds(value),
});

const TYPE_AT_MOST = 11;

const rules: Record<keyof PlantDescription, Rule> = {
  name: text(100),
  type: {
    expected: `a whole number from 0 to ${TYPE_AT_MOST}`,
    holds: (value) => Number.isInteger(value) && range(0, TYPE_AT_MOST).holds(value),
  },
  capacityKwp: range(0, 10_000_000),
  currency: {
    expected: 'a currency code such as EUR',
    holds: (value) => typeof value === 'string' && /^[A-Z]{3}$/.test(value),
  },
  pricePerKwh: orNull(range(0, 1_000_000)),
  address: orNull(text(300)),
  latitude: orNull(range(-90, 90)),
  longitude: orNull(range(-180, 180)),
  tiltDegrees: orNull(range(0, 90)),
  azimuthDegrees: orNull(range(-360, 360)),
  nmiCode: orNull({
    expected: 'a meter id of letters and digits',
    holds: (value) => typeof value === 'string' && /^[A-Za-z0-9]{1,20}$/.test(value),
  }),
};

/** Checks the facts of a plant. Throws invalidValue for the first field with an impossible value. */
export function checkDescription<D extends Partial<PlantDescription>>(description: D): D {
  for (const [field, rule] of Object.entries(rules)) {
    const value = description[field as keyof PlantDescription];
    if (value !== undefined && !rule.holds(value)) throw invalidValue(field, rule.expected);
  }
  return description;
}
