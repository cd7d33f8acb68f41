import type { JsonSchema } from '../../json-schema.ts';
import { explainedUnit } from '../../units.ts';
import {
  type WireField,
  type FieldKey,
  type Maybe,
  type NumberSource,
  type FieldSource,
  numberField,
  textField,
} from './field.ts';
import { capacityScale, energyScale, moneyScale, round, scaled, type Scale } from './scales.ts';

const numeric = (name: string, description: string, unit = ''): FieldKey => ({
  name,
  schema: { type: 'number', ...inUnit(description, unit) },
});
/** A number whose unit varies and is named by another field. */
const numericBeside = (name: string, description: string, unitName: string): FieldKey => ({
  name,
  schema: {
    type: 'number',
    description: `${description}, in the unit of ${unitName}`,
    'x-unit-field': unitName,
  },
});
const textual = (name: string, description: string, more: JsonSchema = {}): FieldKey => ({
  name,
  schema: { type: 'string', description, ...more },
});
const unitKey = (name: string, of: string, units: readonly string[]): FieldKey =>
  textual(
    name,
    `unit of ${of}${units.length === 1 && explainedUnit(units[0]!) !== units[0] ? `: ${explainedUnit(units[0]!)}` : ''}`,
    units.length > 0 ? { enum: units } : {},
  );
const pecKey = (of: string, values: readonly string[]): FieldKey =>
  textual(`${of}Pec`, `multiply ${of} by this to get it in its unit`, { enum: values });

/** The name of a unit's key, if it is not the value's name with `Str`. */
interface UnitName<Texts extends string> {
  unitName: Texts;
}

/** The kinds of fields of a record `R`. Each takes its wire name, its source and its meaning. */
export const fieldsOf = <R>() => ({
  /** Free text. */
  text: <N extends string>(
    name: N,
    get: FieldSource<R, string>,
    description: string,
  ): WireField<R, never, N> => textField(textual(name, description), get, (value) => value),

  /** An id: up to 19 digits as text, never a JSON number (interface W6). */
  id: <N extends string>(
    name: N,
    get: FieldSource<R, string>,
    description: string,
  ): WireField<R, never, N> =>
    textField(textual(name, description, { pattern: '^[0-9]{1,19}$' }), get, (value) => value),

  /** A plain number; `unit` is only for the reference. */
  number: <N extends string>(
    name: N,
    from: NumberSource<R>,
    description: string,
    unit = '',
    decimals = 3,
  ): WireField<R, N, never> =>
    numberField([numeric(name, description, unit)], from, [(value) => round(value, decimals)]),

  /** A number that is a string of digits on the wire. */
  digits: <N extends string>(
    name: N,
    from: NumberSource<R>,
    description: string,
    unit = '',
  ): WireField<R, never, N> =>
    numberField([textual(name, description, inUnit(description, unit))], from, [
      (value) => String(round(value, 3)),
    ]),

  /** 0 or 1. */
  flag: <N extends string>(
    name: N,
    get: FieldSource<R, boolean>,
    description: string,
  ): WireField<R, N, never> =>
    numberField([{ name, schema: { type: 'integer', enum: [0, 1], description } }], toNumber(get), [
      (value) => value,
    ]),

  /** One of our own words, as a number on the wire. */
  choice: <N extends string, T extends string>(
    name: N,
    get: FieldSource<R, T>,
    wire: Readonly<Record<T, number>>,
    description: string,
  ): WireField<R, N, never> =>
    textField(
      {
        name,
        schema: {
          type: 'integer',
          enum: [...new Set(Object.values(wire))],
          description: meaning(description, wire),
        },
      },
      get,
      (value) => wire[value],
    ),

  /** One of our own words, as text on the wire. */
  choiceText: <N extends string, T extends string>(
    name: N,
    get: FieldSource<R, T>,
    wire: Readonly<Record<T, string>>,
    description: string,
  ): WireField<R, never, N> =>
    textField(
      textual(name, meaning(description, wire), { enum: [...new Set(Object.values(wire))] }),
      get,
      (value) => wire[value],
    ),

  /** An instant as a number. */
  instant: <N extends string>(
    name: N,
    from: FieldSource<R, number>,
    description: string,
  ): WireField<R, N, never> =>
    numberField(
      [{ name, schema: { type: 'integer', description: `${description}, ms since 1970 UTC` } }],
      numbers<R>(from),
      [(value) => value],
    ),

  /** An instant as a string of digits. */
  instantText: <N extends string>(
    name: N,
    from: FieldSource<R, number>,
    description: string,
  ): WireField<R, never, N> =>
    numberField(
      [textual(name, `${description}, ms since 1970 UTC`, { pattern: '^[0-9]+$' })],
      numbers<R>(from),
      [String],
    ),

  /** A measurement in one fixed unit, with the unit in a sibling. */
  measured: <N extends string, U extends string = `${N}Str`>(
    name: N,
    from: NumberSource<R>,
    unit: string,
    description: string,
    sibling?: UnitName<U>,
  ): WireField<R, N, U> => {
    const unitName = sibling?.unitName ?? `${name}Str`;
    return numberField([numeric(name, description, unit), unitKey(unitName, name, [unit])], from, [
      (value) => round(value, 3),
      unit,
    ]);
  },

  /** W shown in kW, as in detail and list records (interface W9). */
  power: <N extends string>(
    name: N,
    fromW: NumberSource<R>,
    description: string,
  ): WireField<R, N, `${N}Str`> => {
    const unitName = `${name}Str`;
    return numberField([numeric(name, description, 'kW'), unitKey(unitName, name, ['kW'])], fromW, [
      (value) => round(value / 1000, 3),
      'kW',
    ]);
  },

  /** W shown in kW, with the multiplier `"1"`. */
  powerPec: <N extends string>(
    name: N,
    fromW: NumberSource<R>,
    description: string,
  ): WireField<R, N, `${N}Str` | `${N}Pec`> => {
    const unitName = `${name}Str`;
    return numberField(
      [numeric(name, description, 'kW'), unitKey(unitName, name, ['kW']), pecKey(name, ['1'])],
      fromW,
      [(value) => round(value / 1000, 3), 'kW', '1'],
    );
  },

  /** Always kWh: energies of a day. */
  energyKwh: <N extends string>(
    name: N,
    fromKwh: NumberSource<R>,
    description: string,
  ): WireField<R, N, `${N}Str`> => {
    const unitName = `${name}Str`;
    return numberField(
      [numeric(name, description, 'kWh'), unitKey(unitName, name, ['kWh'])],
      fromKwh,
      [(value) => round(value, 3), 'kWh'],
    );
  },

  /** kWh, shown as MWh or GWh if it is large: energies of months, years and all time. */
  energy: <N extends string, U extends string = `${N}Str`>(
    name: N,
    fromKwh: NumberSource<R>,
    description: string,
    sibling?: UnitName<U>,
  ): WireField<R, N, U> =>
    changing(
      name,
      sibling?.unitName ?? `${name}Str`,
      ['kWh', 'MWh', 'GWh'],
      fromKwh,
      energyScale,
      description,
    ),

  /** kWh, shown as MWh or GWh if it is large, with the multiplier `"1"`; always kWh if `only` is given. */
  energyPec: <N extends string>(
    name: N,
    fromKwh: NumberSource<R>,
    description: string,
    only?: 'kWh',
  ): WireField<R, N, `${N}Str` | `${N}Pec`> => {
    const unitName = `${name}Str`;
    const scaleOf = (kwh: number): Scale => energyScale(only ? 0 : kwh);
    return numberField(
      [
        only ? numeric(name, description, only) : numericBeside(name, description, unitName),
        unitKey(unitName, name, only ? [only] : ['kWh', 'MWh', 'GWh']),
        pecKey(name, ['1']),
      ],
      fromKwh,
      [(value) => scaled(value, scaleOf(value)), (value) => scaleOf(value).unit, '1'],
    );
  },

  /** kWp, shown as MWp if it is large. */
  capacity: <N extends string>(
    name: N,
    fromKwp: NumberSource<R>,
    description: string,
  ): WireField<R, N, `${N}Str`> =>
    changing(name, `${name}Str`, ['kWp', 'MWp'], fromKwp, capacityScale, description),

  /** An amount in the plant's currency, in thousands (prefix K) if it is large. */
  money: <N extends string, U extends string>(
    name: N,
    unitName: U,
    from: NumberSource<R>,
    currency: (record: R) => string,
    description: string,
  ): WireField<R, N, U> =>
    changing(
      name,
      unitName,
      [],
      from,
      (value, record) => moneyScale(value, currency(record)),
      description,
    ),

  /** A chart row's power: raw W, with the unit and the multiplier for display. */
  chartPower: <N extends string>(
    name: N,
    fromW: NumberSource<R>,
    description: string,
  ): WireField<R, N, `${N}Str` | `${N}Pec`> => {
    const [unitName, pecName] = [`${name}Str`, `${name}Pec`];
    return numberField(
      [
        numeric(name, description, 'W'),
        unitKey(unitName, `${name} times ${pecName}`, ['kW']),
        pecKey(name, ['0.001']),
      ],
      fromW,
      [(value) => round(value, 3), 'kW', '0.001'],
    );
  },

  /** A chart row's energy: raw kWh, with the unit and the multiplier for display. */
  chartEnergy: <N extends string>(
    name: N,
    fromKwh: NumberSource<R>,
    description: string,
  ): WireField<R, N, `${N}Str` | `${N}Pec`> =>
    raw(
      name,
      ['kWh', 'MWh', 'GWh'],
      ['1', '0.001', '0.000001'],
      fromKwh,
      3,
      energyScale,
      description,
      'kWh',
    ),

  /** A chart row's amount of money: raw, with the unit and the multiplier for display. */
  chartMoney: <N extends string>(
    name: N,
    from: NumberSource<R>,
    currency: (record: R) => string,
    description: string,
  ): WireField<R, N, `${N}Str` | `${N}Pec`> =>
    raw(
      name,
      [],
      ['1', '0.001'],
      from,
      2,
      (value, record) => moneyScale(value, currency(record)),
      description,
    ),
});

function changing<R, N extends string, U extends string>(
  name: N,
  unitName: U | `${N}Str`,
  units: readonly string[],
  from: NumberSource<R>,
  scaleOf: (value: number, record: R) => Scale,
  description: string,
): WireField<R, N, U> {
  return numberField(
    [numericBeside(name, description, unitName), unitKey(unitName, name, units)],
    from,
    [
      (value, record) => scaled(value, scaleOf(value, record)),
      (value, record) => scaleOf(value, record).unit,
    ],
  );
}

function raw<R, N extends string>(
  name: N,
  units: readonly string[],
  pecs: readonly string[],
  from: NumberSource<R>,
  decimals: number,
  scaleOf: (value: number, record: R) => Scale,
  description: string,
  unit = '',
): WireField<R, N, `${N}Str` | `${N}Pec`> {
  const [unitName, pecName] = [`${name}Str`, `${name}Pec`];
  return numberField(
    [
      numeric(name, description, unit),
      unitKey(unitName, `${name} times ${pecName}`, units),
      pecKey(name, pecs),
    ],
    from,
    [
      (value) => round(value, decimals),
      (value, record) => scaleOf(value, record).unit,
      (value, record) => scaleOf(value, record).pec,
    ],
  );
}

const numbers = <R>(from: FieldSource<R, number>): NumberSource<R> => from;

const toNumber =
  <R>(get: FieldSource<R, boolean>): FieldSource<R, number> =>
  (record) => {
    const value: Maybe<boolean> = get(record);
    return value === undefined || value === null ? undefined : Number(value);
  };

function inUnit(description: string, unit: string): JsonSchema {
  if (unit === '') return { description };
  // A unit with a symbol is also for programs; a unit in words, such as a plant's currency, is only for people.
  return {
    description: `${description}, in ${explainedUnit(unit)}`,
    ...(!unit.includes(' ') && { 'x-unit': unit }),
  };
}

const meaning = (description: string, wire: Readonly<Record<string, number | string>>): string =>
  `${description}: ${Object.entries(wire)
    .map(([word, value]) => `${value} ${word}`)
    .join(', ')}`;
