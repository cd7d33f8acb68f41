import { deviceMatters, matterOf } from '@helioport/contract/alarm-words/device/matter';
import { describe, expect, test } from 'vitest';
import { registerProfiles } from '../../../packages/devices/src/profiles/profiles.ts';
import { alarmsIn, decodeBlock } from '../../../packages/devices/src/registers/decode.ts';
import type {
  Alarm,
  Block,
  RegisterMap,
  RegisterValue,
} from '../../../packages/devices/src/registers/register-map.ts';
import { blocksOf } from '../../../packages/devices/src/sunspec/compose.ts';

interface Word {
  readonly profile: string;
  readonly id: string;
  readonly map: RegisterMap;
  readonly block: Block;
  readonly value: RegisterValue;
}

const words: readonly Word[] = registerProfiles().flatMap(({ id: profile, registers }) =>
  registers!.blocks.flatMap((block) =>
    block.values
      .filter(({ alarms }) => alarms !== null)
      .map((value) => ({ profile, id: value.id, map: registers!, block, value })),
  ),
);

const seen = (
  { map, block, value }: Word,
  word: number,
  confirmed: ReadonlySet<string> = new Set([value.id]),
): Alarm[] =>
  alarmsIn(
    decodeBlock(
      map,
      block,
      Array.from({ length: block.count }, (_, i) =>
        block.address + i === value.words[0] ? word : 0,
      ),
      { confirmed },
    ),
  );

test('every family of inverters with registers of its own has words of faults', () => {
  const families = registerProfiles()
    .filter(({ registers }) => registers!.kind === 'inverter')
    .map(({ id }) => id);
  expect([...new Set(words.map(({ profile }) => profile))]).toEqual(families);
});

describe.each(words)('$profile, $id', (word) => {
  const { value } = word;

  test('each bit is one alarm, and no bit none', () => {
    expect(seen(word, 0)).toEqual([]);
    for (let bit = 0; bit < 16; bit++) {
      const alarm = value.alarms!.get(bit);
      expect(seen(word, 1 << bit), `bit ${bit}`).toEqual(alarm ? [alarm] : []);
    }
    expect(seen(word, 0b101).length).toBe([0, 2].filter((bit) => value.alarms!.has(bit)).length);
  });

  test('a word that the device has not got is no alarm', () => {
    expect(seen(word, 0xffff)).toEqual([]);
  });

  test('it is reported only if two tables have the word, or the owner has confirmed it', () => {
    const isSure = value.evidence.sources.length >= 2 && value.evidence.doubt === null;
    expect(seen(word, 0x7fff, new Set()).length > 0).toBe(isSure);
  });

  test('codes differ within a family, and texts are short', () => {
    const alarms = words
      .filter(({ profile }) => profile === word.profile)
      .flatMap((one) => [...one.value.alarms!.values()]);
    for (const { code, name, level } of value.alarms!.values()) {
      expect(alarms.filter((one) => one.code === code)).toHaveLength(1);
      expect(code).toMatch(/^[A-Za-z0-9.]{2,16}$/);
      expect(name.length).toBeLessThan(60);
      expect([1, 2, 3]).toContain(level);
    }
  });
});

// By the tables: family, address, bit, and what the device calls it.
test.each([
  ['solis-storage', 33_116, 1, '1010', 2, 'grid overvoltage'],
  ['solis-storage', 33_118, 0, '1055', 2, 'battery not connected'],
  ['solis-storage', 33_120, 5, '1033', 3, 'insulation fault'],
  ['solis-storage', 33_120, 15, '2014', 2, 'processor does not answer'],
  ['solis-string', 3071, 13, 'f011', 2, 'fan'],
  ['deye-hybrid-1p', 103, 12, 'F13', 1, 'working mode has changed'],
  ['deye-hybrid-1p', 105, 2, 'F35', 2, 'no grid'],
  ['deye-hybrid-3p', 553, 1, 'W02', 1, 'fan'],
  ['deye-hybrid-3p', 558, 15, 'F64', 2, 'heat sink too hot'],
  ['deye-hybrid-3p-high', 556, 7, 'F24', 3, 'insulation of the DC side too low'],
  ['sofar-g3', 1029, 0, 'ID001', 2, 'grid voltage too high'],
  ['sofar-g3', 1031, 9, 'ID042', 3, 'insulation of the DC side too low'],
  ['sofar-g3', 1039, 8, 'ID169', 2, 'fan 1'],
] as const)('%s, register %i, bit %i is %s', (profile, address, bit, code, level, name) => {
  const word = words.find(
    (one) => one.profile === profile && one.value.words[0] === address && one.value.alarms!.size,
  )!;
  expect(seen(word, 1 << bit, new Set())).toEqual([{ code, level, name }]);
});

test('of a SunSpec device, the events of its models are alarms, and those of its maker are none', () => {
  const makings = { maker: 'SMA', hasInverter: true, isHybrid: false, ports: [] };
  const models = [
    { id: 103, address: 40_070, length: 50 },
    { id: 160, address: 40_122, length: 28 },
    { id: 203, address: 40_200, length: 105 },
    { id: 701, address: 40_400, length: 153 },
  ];
  const named = (name: string): ReadonlyMap<number, Alarm> | null =>
    blocksOf(models, makings)
      .flatMap(({ values }) => values)
      .find((value) => value.name === name)!.alarms;
  expect(named('103.Evt1')!.get(7)).toEqual({ code: 'OVER_TEMP', level: 2, name: 'over temp' });
  expect(named('103.Evt1')!.get(0)).toMatchObject({ code: 'GROUND_FAULT', level: 3 });
  expect(named('160.DCEvt 1')!.get(15)).toMatchObject({ code: 'ARC_DETECTION', level: 3 });
  expect(named('203.Evt')!.get(7)).toMatchObject({ code: 'MISSING_SENSOR' });
  expect(named('701.Alrm')!.get(4)).toMatchObject({ code: 'GRID_DISCONNECT' });
  expect(named('203.Evt')!.get(16)).toBeUndefined();
  expect(named('103.Evt2')).toBeNull();
});

test('advice is given for codes that a device or the on-site collector has, and for no others', () => {
  const makings = { maker: 'SMA', hasInverter: true, isHybrid: false, ports: [] };
  const events = blocksOf(
    [
      { id: 103, address: 40_070, length: 50 },
      { id: 160, address: 40_122, length: 28 },
    ],
    makings,
  ).flatMap(({ values }) => values.flatMap(({ alarms }) => [...(alarms?.values() ?? [])]));
  const known = new Set([
    ...events.map(({ code }) => code),
    ...words.flatMap(({ value }) => [...value.alarms!.values()].map(({ code }) => code)),
    ...registerProfiles().flatMap(({ registers }) =>
      [...registers!.states.values()].flatMap(({ alarm }) => alarm?.code ?? []),
    ),
    'device-clock',
    'sign-gridPowerW',
    'sign-batteryPowerW',
  ]);
  expect([...deviceMatters.keys()].filter((code) => !known.has(code))).toEqual([]);
  expect(matterOf('reverted-376')).toBe('reverted');
  expect(matterOf('not-held-90201')).toBe('reverted');
  expect(matterOf('F13')).toBeUndefined();
});
