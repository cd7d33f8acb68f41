import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as examples from '../../packages/contract/src/examples.ts';
import {
  many,
  one,
  page,
  pageAlone,
  pageWithCounts,
} from '../../packages/contract/src/compat/field-kinds/containers.ts';
import { fieldsOf } from '../../packages/contract/src/compat/field-kinds/kinds.ts';
import { inverterDetailed, inverterListed } from '../../packages/contract/src/compat/inverter.ts';
import { plantDetailed, plantListed } from '../../packages/contract/src/compat/plant.ts';
import {
  recordOf,
  type RecordTable,
} from '../../packages/contract/src/compat/field-kinds/record.ts';
import { deviceCounts } from '../../packages/contract/src/compat/shared.ts';

const f = fieldsOf<{
  t?: string | null;
  n?: number | null;
  c: 'a' | 'b';
  at: number;
  currency: string;
}>();
const everyKind = recordOf<{
  t?: string | null;
  n?: number | null;
  c: 'a' | 'b';
  at: number;
  currency: string;
}>()(
  'every kind of field',
  [
    f.text('text', (r) => r.t, ''),
    f.text('neutralText', (r) => r.t, ''),
    f.number('number', (r) => r.n, ''),
    f.number('neutralNumber', (r) => r.n, ''),
    f.digits('digits', (r) => r.n, ''),
    f.flag('flag', (r) => r.c === 'a', ''),
    f.choice('choice', (r) => r.c, { a: 1, b: 2 }, ''),
    f.choiceText('choiceText', (r) => r.c, { a: '"', b: 'b' }, ''),
    f.instant('instant', (r) => r.at, ''),
    f.instantText('instantText', (r) => r.at, ''),
    f.measured('measured', (r) => r.n, 'V', ''),
    f.power('power', (r) => r.n, ''),
    f.powerPec('powerPec', (r) => r.n, ''),
    f.energyKwh('energyKwh', (r) => r.n, ''),
    f.energy('energy', (r) => r.n, ''),
    f.capacity('capacity', (r) => r.n, ''),
    f.money(
      'money',
      'moneyUnit',
      (r) => r.n,
      (r) => r.currency,
      '',
    ),
    f.chartPower('chartPower', (r) => r.n, ''),
    f.chartEnergy('chartEnergy', (r) => r.n, ''),
    f.chartMoney(
      'chartMoney',
      (r) => r.n,
      (r) => r.currency,
      '',
    ),
  ],
  { neutralText: 'n"one', neutralNumber: 0, energyKwh: 0 },
);

describe('the text of an answer', () => {
  test('is the JSON of what it projects to, for every kind of field and any value', () => {
    const record = fc.record(
      {
        t: fc.option(fc.string({ unit: 'binary' })),
        n: fc.option(
          fc.oneof(
            fc.double(),
            fc.integer(),
            fc.constantFrom(-0, 0.0005, 999.9996, 1e21, 1e-9, 100_000),
          ),
        ),
        c: fc.constantFrom('a' as const, 'b' as const),
        at: fc.integer({ min: 0, max: 4e12 }),
        currency: fc.string({ unit: 'binary', maxLength: 5 }),
      },
      { requiredKeys: ['c', 'at', 'currency'] },
    );
    fc.assert(
      fc.property(record, (value) => {
        expect(everyKind.text(value)).toBe(JSON.stringify(everyKind.project(value)));
      }),
      { numRuns: 1000 },
    );
  });

  test('is the JSON of what it projects to, for records of plants and inverters with and without values', () => {
    const same = <R>({ text, project }: RecordTable<R>, record: R) =>
      expect(text(record)).toBe(JSON.stringify(project(record)));
    for (const table of [plantListed, plantDetailed]) {
      same(table, examples.examplePlant);
      same(table, {
        ...examples.examplePlant,
        values: {},
        energies: {},
        income: undefined,
        installer: undefined,
        address: null,
      });
    }
    for (const table of [inverterListed, inverterDetailed]) {
      same(table, examples.exampleInverter);
      same(table, { ...examples.exampleInverter, values: {}, energies: {}, collector: undefined });
    }
  });

  test('of a container is that of its records, however many there are', () => {
    for (const count of [0, 1, 3]) {
      const records = Array.from({ length: count }, () => examples.examplePlant);
      const pageOf = { records, total: 7, pageNo: 2, pageSize: 3 };
      const listing = { page: pageOf, counts: { all: 7, online: 3, offline: 3, alarm: 1 } };
      expect(page(plantListed).text(pageOf)).toBe(
        JSON.stringify(page(plantListed).project(pageOf)),
      );
      expect(pageAlone(plantListed).text!(pageOf)).toBe(
        JSON.stringify(pageAlone(plantListed).project(pageOf)),
      );
      const counted = pageWithCounts(plantListed, 'stationStatusVo', deviceCounts('plants'));
      expect(counted.text!(listing)).toBe(JSON.stringify(counted.project(listing)));
      expect(many(plantListed).text!(records)).toBe(
        JSON.stringify(many(plantListed).project(records)),
      );
    }
    expect(one(plantListed).text!(examples.examplePlant)).toBe(
      JSON.stringify(plantListed.project(examples.examplePlant)),
    );
  });

  test('a key that two fields write is refused when the record is declared', () => {
    expect(() =>
      recordOf<{ n: number }>()('a record', [
        fieldsOf<{ n: number }>().number('n', (r) => r.n, ''),
        fieldsOf<{ n: number }>().digits('n', (r) => r.n, ''),
      ]),
    ).toThrow('two fields of a record write one key');
  });
});
