import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Profile } from '../../../packages/devices/src/profiles/profile.ts';
import {
  allProfiles,
  parameterOf,
  profileOf,
} from '../../../packages/devices/src/profiles/profiles.ts';
import { findParameter } from '../../../packages/server/src/control/commands/parameters.ts';
import { readProfile } from '../../../packages/devices/src/profiles/read-profile.ts';

const profiles = allProfiles();
const FOLDER = new URL('../../../packages/devices/src/families/', import.meta.url);
const files = globSync('*.yaml', { cwd: FOLDER }).map((path) => ({
  id: basename(path, '.yaml'),
  text: readFileSync(new URL(path, FOLDER), 'utf8'),
}));

test('every file is a profile, and every profile a file', () => {
  expect(profiles.map(({ id }) => id).toSorted()).toEqual(files.map(({ id }) => id).toSorted());
});

test.each(files)('$id keeps to the schema', ({ id, text }) => {
  const find = (name: string): Profile | undefined =>
    profiles.find((profile) => profile.id === name);
  expect(readProfile(id, text, find)).toEqual(find(id));
  expect(() => readProfile(id, `${text}\ncolour: red\n`, find)).toThrow(
    `profile ${id}.yaml: colour is not a field here`,
  );
});

describe('the profile of a device', () => {
  test.each([
    [['HI-10K'], 'string-inverter'],
    [['SIM-7K'], 'string-inverter'],
    [['HS-8K-ES'], 'storage-inverter'],
    [['SIM-10K-ES'], 'storage-inverter'],
    [['3105'], 'storage-inverter-hundreds'],
    [['5305'], 'storage-inverter-hundreds'],
    [[null, '3331'], 'storage-inverter-hundreds'],
    [['A name of its own', 'HI-5K'], 'string-inverter'],
    [['HI-5K', 'HI-5K'], 'string-inverter'],
    // They contradict each other.
    [['HI-5K', 'HS-8K-ES'], 'generic'],
    [['3331', 'HS-8K-ES'], 'generic'],
    [[], 'generic'],
    [[null, undefined, ''], 'generic'],
    [['hi-10k'], 'generic'],
    [['HI-K'], 'generic'],
    [['HI-#K'], 'generic'],
    [['HI-10K '], 'generic'],
    [['33311'], 'generic'],
    [['333'], 'generic'],
    [['generic'], 'generic'],
  ])('%j: %s', (names, id) => {
    expect(profileOf(...names).id).toBe(id);
  });

  test('each model is in one file', () => {
    const models = profiles.flatMap((profile) => profile.models);
    expect(models).toEqual([...new Set(models)]);
    for (const { id, models: own } of profiles)
      for (const model of own) expect(profileOf(model.replaceAll('#', '12')).id).toBe(id);
  });

  test('has parameters by the id of requests, which may be a number', () => {
    const profile = profileOf('HI-10K');
    expect(parameterOf(profile, 15)).toBe(parameterOf(profile, '15'));
    expect(parameterOf(profile, '15')).toMatchObject({ id: '15', name: 'power limit' });
    for (const id of ['015', ' 15', '15.0', '157', 157, Number.NaN, 'toString'])
      expect(parameterOf(profile, id), String(id)).toBeUndefined();
  });
});

describe('the profile that a collector states', () => {
  const facts = (profile?: string): string => JSON.stringify({ modelCode: '3331', profile });
  const device = (profile?: string) =>
    ({ kind: 'inverter', model: 'HS-8K-ES', facts: facts(profile) }) as const;

  test('decides what parameters a device has; one that nobody knows does not', () => {
    expect(findParameter(device('deye-hybrid-1p'), '90006')?.name).toBe('charging from the grid');
    expect(findParameter(device('deye-hybrid-1p'), '636')).toBeUndefined();
    expect(findParameter(device('sunspec-storage'), '376')?.access).toBe('write');
    for (const profile of [undefined, 'deye-hybrid-9p', '../solis-storage', ''])
      expect(findParameter(device(profile), '636')).toBe(profileOf().parameters.get('636'));
  });
});

test('parameters that share a memory share its budget, and every one that can be written has one', () => {
  for (const { id, parameters } of profiles.filter((profile) => profile.id !== 'generic')) {
    const all = [...parameters.values()].filter(({ access }) => access === 'write');
    for (const parameter of all)
      expect(parameter.writesPerDay, `${id} ${parameter.id}`).toBeGreaterThan(0);
    for (const { id: only, writesPerDay } of [...parameters.values()].filter(
      ({ access }) => access === 'read',
    ))
      expect(writesPerDay, only).toBe(0);
    const switches = all.filter(({ cell }) => cell === 'slot switches');
    expect(switches.length).toBe(parameters.has('5916') ? 12 : 0);
    expect(new Set(switches.map(({ writesPerDay }) => writesPerDay)).size).toBeLessThanOrEqual(1);
  }
});

test('what switches an inverter off is known to cut the supply', () => {
  for (const { parameters } of profiles) {
    const cutOf = (id: string) => parameters.get(id)?.supplyCut;
    const any = { atMost: null, atLeast: null, turnedOn: null, turnedOff: null };
    for (const id of ['53', '54', '5162']) expect([undefined, any], id).toContainEqual(cutOf(id));
    const mode = { ...any, turnedOn: [2, 3, 7, 8, 9, 10], turnedOff: [2, 3, 4, 7, 8, 9, 10] };
    expect([undefined, mode]).toContainEqual(cutOf('636'));
    for (const id of ['18', '48', '52', '5161', '56', '157', '5946'])
      expect([undefined, null], id).toContain(cutOf(id));
    for (const [id, cut] of [
      ['15', { atMost: 11 }],
      ['376', { atMost: 10 }],
      ['7226', { atMost: 30 }],
      ['469', { atLeast: 90 }],
    ] as const)
      expect([undefined, { ...any, ...cut }], id).toContainEqual(cutOf(id));
  }
});

describe('a file that is wrong is refused with its name and every fault', () => {
  const head = 'name: n\ndescription: d\nmodels: [A]\nwritesPerDay: 10\n';
  const parameter = (fields: string): string => `${head}parameters:\n  - { ${fields} }\n`;
  const number = 'id: 1, name: n, type: number, unit: W, range: [0, 10], step: 1';
  const read = (text: string): unknown =>
    readProfile('made-up', text, (id) => profiles.find((profile) => profile.id === id));

  test.each([
    ['', 'must be named fields'],
    ['[]', 'must be named fields'],
    ['name: n', 'description is missing; models is missing; parameters is missing'],
    ['a: [', 'Flow sequence'],
    [`${head}name: m`, 'Map keys must be unique'],
    [`${head}parameters: !thing []`, 'Unresolved tag'],
    [
      `${head}colour: red\nparameters: []`,
      'colour is not a field here; parameters must be a list of parameters',
    ],
    [`${head}toString: x\nextends: [generic]`, 'toString is not a field here'],
    [`${head}extends: [nobody]`, 'extends nobody, which is not a profile'],
    [
      'name: n\ndescription: d\nmodels: [A, A]\nextends: [generic]',
      'models must be a list of different texts',
    ],
    [
      'name: n\ndescription: d\nmodels: [A]\naccess: all\nextends: [generic]',
      'access must be read, or nothing',
    ],
    [`${head}parameters: [1]`, 'parameters[0]: must be named fields'],
    [parameter('id: 1, name: n'), 'parameters[0]: type is missing'],
    [parameter('id: 1, name: n, type: toString'), 'parameters[0]: type must be number'],
    [parameter(number.replace('name: n', "name: ' n'")), 'parameters[0]: name must be text'],
    [parameter(number.replace('name: n', "name: ''")), 'parameters[0]: name must be text'],
    [`${head}extends: []`, 'extends must be a list of different texts'],
    [
      parameter('id: 1, name: n, type: bits, bits: { 0: b }, exclusive: [0]'),
      'exclusive must be a list of at least two bits',
    ],
    [
      parameter('id: 1, name: n, type: colour'),
      'parameters[0]: type must be number, choice, bits, clock, slot, slots, times or text',
    ],
    [
      parameter('id: 1, name: n, type: number'),
      'parameters[0]: unit is missing; parameters[0]: range is missing; parameters[0]: step is missing',
    ],
    [parameter(`${number}, options: { 1: a }`), 'options is not a field here'],
    [parameter(number.replace('[0, 10]', '[10, 0]')), 'range must be two ascending numbers'],
    [parameter(number.replace('[0, 10]', '[0, .inf]')), 'range must be two ascending numbers'],
    [
      parameter(number.replace('step: 1', 'step: 0')),
      'step must be a positive number of at most three decimals',
    ],
    [
      parameter(number.replace('step: 1', 'step: 0.0001')),
      'step must be a positive number of at most three decimals',
    ],
    [parameter(number.replace('id: 1', 'id: 0')), 'id must be a whole number from 1 to 99999'],
    [parameter(number.replace('id: 1', "id: '1'")), 'id must be a whole number from 1 to 99999'],
    [parameter(number.replace('id: 1, ', '')), 'either id or ids must be there, not both'],
    [parameter(`${number}, ids: [2]`), 'either id or ids must be there, not both'],
    [
      parameter(number.replace('id: 1', 'ids: [1, 2]')),
      'the name must have a # if there are several ids, and only then',
    ],
    [parameter(`${number}, writesPerDay: 0`), 'writesPerDay must be a whole number from 1 to 1000'],
    [
      parameter(`${number}, canCutSupply: 1`),
      'canCutSupply must be true, atMost, atLeast, or turnedOn and turnedOff',
    ],
    [
      parameter(`${number}, canCutSupply: { atMost: 1, atLeast: 9 }`),
      'canCutSupply must be true, atMost, atLeast, or turnedOn and turnedOff',
    ],
    [
      parameter(`${number}, canCutSupply: { atMost: some }`),
      'canCutSupply must be true, atMost, atLeast, or turnedOn and turnedOff',
    ],
    [
      parameter('id: 1, name: n, type: slot, canCutSupply: { atMost: 1 }'),
      'canCutSupply has bounds, which only numbers can have',
    ],
    [
      parameter(
        'id: 1, name: n, type: bits, bits: { 0: a }, canCutSupply: { turnedOn: [0], turnedOff: [1] }',
      ),
      'canCutSupply 1 is not a bit',
    ],
    [
      parameter(`${number}, canCutSupply: { turnedOn: [1] }`),
      'canCutSupply must be true, atMost, atLeast, or turnedOn and turnedOff',
    ],
    [
      parameter(`${number}, effectiveWith: { parameter: 2 }`),
      'effectiveWith must be parameter and bit',
    ],
    [
      parameter(`${number}, effectiveWith: { parameter: 2, bit: 1 }`),
      '1: effectiveWith is no bit of another parameter',
    ],
    [
      `${parameter(`${number}, effectiveWith: { parameter: 2, bit: 1 }`)}  - { id: 2, name: m, type: bits, bits: { 0: b } }\n`,
      '1: effectiveWith is no bit of another parameter',
    ],
    [parameter(`${number}, oldValue: perhaps`), 'oldValue must be required, or nothing'],
    [parameter(`${number}, own: [colour]`), 'own colour is not a field'],
    [
      parameter(`${number}, register: { address: 1 }`),
      'register must be address, readFunction and writeFunction',
    ],
    [
      parameter(`${number}, displayVersion: { from: 4b00h }`),
      'displayVersion must be from, before or both, hexadecimal in quotes',
    ],
    [
      parameter(`${number}, displayVersion: {}`),
      'displayVersion must be from, before or both, hexadecimal in quotes',
    ],
    [parameter('id: 1, name: n, type: text'), 'text can only be read: access must be read'],
    [
      parameter('id: 1, name: n, type: choice, options: { a: b }'),
      'options must be a name for each whole number',
    ],
    [
      parameter("id: 1, name: n, type: choice, options: { 1: b }, settable: ['2']"),
      'settable 2 is not an option',
    ],
    [
      parameter('id: 1, name: n, type: bits, bits: { 16: b }'),
      'bits must be a name for each bit, 0 to 15',
    ],
    [
      parameter('id: 1, name: n, type: bits, bits: { 0: b }, exclusive: [0, 1]'),
      'exclusive 1 is not a bit',
    ],
    [`${parameter(number)}  - { ${number} }\n`, '1 occurs twice'],
    [
      `${parameter(`${number}, cell: c`)}  - { ${number.replace('id: 1', 'id: 2')}, cell: c, writesPerDay: 3 }\n`,
      'parameters of the cell c have different budgets',
    ],
    [parameter(number).replace('writesPerDay: 10\n', ''), 'writesPerDay is missing'],
  ])('%#: %j: %s', (text, message) => {
    expect(() => read(text)).toThrow('profile made-up.yaml: ');
    expect(() => read(text)).toThrow(message);
  });

  test('while one that is right is read, with what it extends', () => {
    const profile = readProfile(
      'made-up',
      `${parameter(number)}extends: [string-inverter]\n`,
      (id) => profiles.find((one) => one.id === id),
    );
    expect([...profile.parameters.keys()]).toEqual([
      '1',
      '15',
      '18',
      '48',
      '53',
      '376',
      '4754',
      '5161',
      '5162',
    ]);
    expect(profile.parameters.get('1')).toEqual({
      id: '1',
      name: 'n',
      form: { type: 'number', unit: 'W', min: 0, max: 10, step: 1, scale: 1 },
      access: 'write',
      register: null,
      oldValueRequired: false,
      writesPerDay: 10,
      cell: '1',
      supplyCut: null,
      effectiveWith: null,
      displayVersions: null,
      hold: null,
      own: [],
      note: null,
    });
  });
});
