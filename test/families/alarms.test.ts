import { deviceAdvice } from '@helioport/contract/alarm-words/device/en';
import { matterOf } from '@helioport/contract/alarm-words/device/matter';
import type { WireData } from '@helioport/contract';
import { afterEach, expect, test } from 'vitest';
import { modbusPython } from '../bus/modbus-server.ts';
import { deviceTypes, makeDevice } from './devices.ts';
import { writeHolding } from './read-holding.ts';
import { simulated, sunspecDevices } from './sunspec.ts';
import { startWholeSite, type SimulatedDevice } from './whole.ts';

const python = await modbusPython();
const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

interface Fault {
  readonly fn: 3 | 4;
  readonly address: number;
  readonly word: number;
  /** How many words the bits have; 1 if absent. */
  readonly words?: number;
  readonly code: string;
  readonly level: string;
  readonly message: string;
}

/** By the tables: a word of faults with one bit, and what it is. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'solis-storage': {
    fn: 4,
    address: 33120,
    word: 1 << 5,
    code: '1033',
    level: '3',
    message: 'insulation fault',
  },
  'solis-string': {
    fn: 4,
    address: 3071,
    word: 1 << 13,
    code: 'f011',
    level: '2',
    message: 'fan',
  },
  'deye-hybrid-1p': {
    fn: 3,
    address: 105,
    word: 1 << 2,
    code: 'F35',
    level: '2',
    message: 'no grid',
  },
  'deye-hybrid-3p': {
    fn: 3,
    address: 558,
    word: 1 << 15,
    code: 'F64',
    level: '2',
    message: 'heat sink too hot',
  },
  'deye-hybrid-3p-high': {
    fn: 3,
    address: 553,
    word: 1 << 1,
    code: 'W02',
    level: '1',
    message: 'fan',
  },
  'deye-string': {
    fn: 3,
    address: 104,
    word: 1 << 7,
    code: 'F24',
    level: '3',
    message: 'insulation of the DC side too low',
  },
  'sofar-g3': {
    fn: 3,
    address: 1039,
    word: 1 << 8,
    code: 'ID169',
    level: '2',
    message: 'fan 1',
  },
  'sofar-hyd-es': {
    fn: 3,
    address: 514,
    word: 1,
    code: 'ID17',
    level: '2',
    message: 'fault ID17, explained in the manual of the device',
  },
  'sofar-string': {
    fn: 3,
    address: 3,
    word: 1 << 4,
    code: 'ID37',
    level: '2',
    message: 'fault ID37, explained in the manual of the device',
  },
};
/** By the names of the devices. */
const EVENTS: readonly (Fault & { readonly name: string; readonly point: string })[] = [
  {
    name: '103 with 120 and 123',
    point: 'Evt1',
    fn: 3,
    address: 40002 + 68 + 40,
    words: 2,
    word: 1 << 7,
    code: 'OVER_TEMP',
    level: '2',
    message: 'over temp',
  },
  {
    name: '701 with 702 and 704',
    point: 'Alrm',
    fn: 3,
    address: 40002 + 68 + 6,
    words: 2,
    word: 1 << 4,
    code: 'GRID_DISCONNECT',
    level: '2',
    message: 'grid disconnect',
  },
];

type Faulty = SimulatedDevice & { readonly fault: Fault };

function ofFamilies(): Faulty[] {
  return Object.entries(FAULTS).map(([family, fault], i) => {
    const unit = i + 1;
    const type = deviceTypes.find((one) => one.family === family)!;
    const { sn, registers, profile } = makeDevice(type, unit, 1);
    const [first, run] = Object.entries(registers[fault.fn]!).find(
      ([from, words]) =>
        Number(from) <= fault.address && fault.address < Number(from) + words.length,
    )!;
    run[fault.address - Number(first)] = fault.word;
    const value = profile
      .registers!.blocks.flatMap(({ values }) => values)
      .find(({ words, alarms }) => alarms && words[0] === fault.address)!;
    // A place by which the test ends the fault of an input register.
    const holding =
      fault.fn === 4 ? { ...registers[3], [fault.address]: [fault.word] } : registers[3]!;
    return {
      sn,
      unit,
      fault,
      registers: {
        ...registers,
        3: holding,
      },
      confirmed: value.evidence.isConfirmed ? [] : [value.id],
      ...(type.isNameless && { isNameless: true }),
    };
  });
}

async function ofSunSpec(firstUnit: number): Promise<Faulty[]> {
  const devices = EVENTS.map((event) => {
    const { point, word } = event;
    const { models, ...rest } = sunspecDevices.find(({ name }) => name === event.name)!;
    return { ...rest, models: [{ ...models[0]!, [point]: word }, ...models.slice(1)] };
  });
  const made = await simulated(python!, devices);
  return made.map((one, i) => ({ ...one, unit: firstUnit + i, fault: EVENTS[i]! }));
}

test.runIf(python)(
  'the faults of each family begin and end as alarms, in its own codes',
  async () => {
    const families = ofFamilies();
    const devices = [...families, ...(await ofSunSpec(families.length + 1))];
    const inputs = devices.filter(({ fault }) => fault.fn === 4);
    const mirrors = inputs.map(({ fault: { address } }) => [address, address] as const);
    const site = await startWholeSite(python!, 'tcp', devices, ended, mirrors);
    const alarms = async (sn: string): Promise<WireData<'alarmList'>['records']> =>
      (await site.client.call('alarmList', { alarmDeviceSn: sn, pageNo: 1, pageSize: 50 })).records;
    for (const { sn, fault } of devices)
      await expect
        .poll(() => alarms(sn), { timeout: 75_000, interval: 200, message: fault.code })
        .toContainEqual(
          expect.objectContaining({
            alarmCode: fault.code,
            alarmLevel: fault.level,
            alarmMsg: fault.message,
            state: '0',
            // What to do is said where the cause is clear.
            ...(matterOf(fault.code) && { advice: deviceAdvice[matterOf(fault.code)!] }),
          }),
        );
    await site.stopCollecting();
    for (const [i, { unit, fault }] of devices.entries())
      await writeHolding(site.addresses[i]!, unit, fault.address, fault.words === 2 ? [0, 0] : [0]);
    ended.push(site.place.start('run'));
    for (const { sn, fault } of devices)
      await expect
        .poll(() => alarms(sn), { timeout: 75_000, interval: 200, message: fault.code })
        .toContainEqual(expect.objectContaining({ alarmCode: fault.code, state: '2' }));
  },
);
