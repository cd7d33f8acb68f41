import type { Parameter, Place, Profile } from '@helioport/devices';
import { expect } from 'vitest';
import { openBus, type KnownAddress } from '../../packages/collector/src/bus/open-bus.ts';
import { parseAddress } from '../../packages/collector/src/bus/address.ts';
import { systemClock, timerPause } from '../../packages/collector/src/clock.ts';
import { addressesOf } from '../../packages/devices/src/profiles/read-places.ts';
import { deviceTypes, makeDevice, type DeviceType } from './devices.ts';
import { rows } from './tables.ts';
import { startWholeSite, type Way } from './whole.ts';

/** A value that the parameter can have, and is not what the registers hold at first. */
export function textFor({ form, id }: Parameter): string {
  switch (form.type) {
    case 'number': {
      const { min, max, step, scale } = form;
      const steps = Math.floor((Math.min(max, min + 80 * step) - min) / step / 2) + 1;
      return String(Math.round((min + steps * step) * scale * 1e6) / 1e6);
    }
    case 'choice':
      return form.settable.findLast((option) => option !== '0')!;
    case 'bits':
      return String(1 << [...form.bits.keys()].at(0)!);
    case 'clock':
      return localText(systemClock.now());
    case 'slot':
      return '01:10-02:20';
    case 'slots': {
      const slot = (hour: number): string =>
        `30,25,0${hour}:10-0${hour}:40,1${hour}:15-1${hour}:45`;
      return [1, 2, 3].map(slot).join(',');
    }
    case 'times':
      return '00:05,02:10,05:15,11:20,17:25,23:55';
    case 'text':
      throw new Error(`${id} is not written`);
  }
}

function localText(at: number): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  const date = new Date(at);
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
}

type WordAt = (address: number) => number;

/** Why the words do not mean what was written, by the tables; undefined if they do. */
function wrongAt(
  type: DeviceType,
  { id, form }: Parameter,
  { encoding }: Place,
  text: string,
  at: WordAt,
): string | undefined {
  const row = rows.find(
    ({ table, fn, address, write }) =>
      type.tables.includes(table) &&
      fn === 3 &&
      write !== '-' &&
      'address' in encoding &&
      address === encoding.address,
  );
  if (encoding.as !== 'slots' && !row) return `${id}: no table writes its register`;
  const words = (from: number, count: number): number[] =>
    Array.from({ length: count }, (_, i) => at(from + i));
  const differs = (found: unknown, wanted: unknown): string | undefined =>
    JSON.stringify(found) === JSON.stringify(wanted)
      ? undefined
      : `${id}: the registers hold ${JSON.stringify(found)}, ${text} is ${JSON.stringify(wanted)}`;
  switch (encoding.as) {
    case 'number': {
      if (form.type !== 'number') return `${id}: is no number`;
      const raw = row!.type.startsWith('s') ? (at(row!.address) << 16) >> 16 : at(row!.address);
      const unit = row!.unit === 'kW' ? 1000 : 1;
      const times = type.family === 'deye-hybrid-3p-high' && row!.unit === 'W' ? 10 : 1;
      const meant = Math.round(raw * row!.scale * unit * times * 1e6) / 1e6;
      // Written as a depth of discharge.
      const isDepth = type.family === 'sofar-g3' && id === '158';
      return differs(isDepth ? 100 - meant : meant, Number(text) / form.scale);
    }
    case 'bits':
      return differs(at(encoding.address), Number(text));
    case 'bit':
      return differs(
        (at(encoding.address) >> encoding.bit) & 1,
        Number(text) ^ Number(encoding.inverted),
      );
    case 'choice':
      return differs(at(encoding.address), encoding.map?.[text] ?? Number(text));
    case 'times':
      return differs(words(encoding.address, 6), [5, 210, 515, 1120, 1725, 2355]);
    case 'forced': {
      const at43135 = [at(43_135), at(43_136), at(43_129)];
      return differs(at43135, [2, 0, -Number(text) / 10]);
    }
    case 'slot':
      return differs(words(encoding.address, 4), [1, 10, 2, 20]);
    case 'clock': {
      const fields = text.match(/\d\d/g)!.map(Number).slice(1, 5);
      const found =
        encoding.fieldsPerWord === 1
          ? words(encoding.address, 4)
          : words(encoding.address, 2).flatMap((word) => [word >> 8, word & 0xff]);
      return differs(found, fields);
    }
    case 'slots':
      return differs(
        encoding.slots.map((from) => words(from, 8)),
        [1, 2, 3].map((hour) => [hour, 10, hour, 40, 10 + hour, 15, 10 + hour, 45]),
      );
  }
}

const writable = (
  { parameters, registers }: Profile,
  { displayVersion = 0 }: DeviceType,
): [Parameter, Place][] =>
  [...registers!.places].flatMap(([id, place]) => {
    const parameter = parameters.get(id);
    const { from = null, before = null } = parameter?.displayVersions ?? {};
    const isThere = displayVersion >= (from ?? 0) && displayVersion < (before ?? Infinity);
    return isThere && parameter?.access === 'write' && place.writeFunction !== null
      ? [[parameter, place]]
      : [];
  });

/** One parameter of each way in which any are kept and written. */
function examples(all: readonly [Parameter, Place][]): [Parameter, Place][] {
  const kinds = new Map(
    all.map((one) => {
      const [, { encoding, writeFunction, gate, toggle, together }] = one;
      return [[encoding.as, writeFunction, !gate, !toggle, !together].join(), one] as const;
    }),
  );
  return [...kinds.values()];
}

/**
 * Writes parameters of every family through the whole product. Each has to end verified, and to mean in its registers what was
 * asked for; no other register may change.
 */
export async function checkWrites(
  python: string,
  way: Way,
  isBrief: boolean,
  ends: (() => unknown)[],
): Promise<number> {
  const made = deviceTypes
    .filter(({ phases }) => phases !== 3)
    .map((type, i) => ({ type, unit: i + 1, ...makeDevice(type, i + 1, 1) }))
    .map((one) => {
      const all = writable(one.profile, one.type);
      return { ...one, written: isBrief ? examples(all) : all };
    })
    // The second server shows nothing at a second place.
    .map(({ written, ...one }) => ({
      ...one,
      written: way === 'other' ? written.filter(([, { mirror }]) => !mirror) : written,
    }))
    .filter(({ written }) => written.length > 0);
  const mirrors = made.flatMap(({ written }) =>
    written.flatMap(([, { mirror, encoding }]) =>
      mirror && 'address' in encoding ? [[encoding.address, mirror.address] as const] : [],
    ),
  );
  const site = await startWholeSite(
    python,
    way,
    made.map(({ sn, unit, registers, profile }) => ({
      sn,
      unit,
      registers,
      confirmed: [...profile.registers!.places.keys()],
    })),
    ends,
    mirrors,
  );
  const wrong: string[] = [];
  await Promise.all(
    made.map(async ({ sn, written, type }) => {
      for (const [parameter] of written) {
        const oldValue = parameter.oldValueRequired ? '0' : undefined;
        const outcome = await site.command(sn, parameter.id, textFor(parameter), oldValue);
        if (outcome !== 'verified') wrong.push(`${type.family} ${parameter.id}: ${outcome}`);
      }
    }),
  );
  await site.stopCollecting();
  for (const [i, { type, unit, registers, written }] of made.entries()) {
    const bus = openBus(parseAddress(site.addresses[i]!) as KnownAddress, {
      clock: systemClock,
      pause: timerPause,
      random: Math.random,
    });
    const after = new Map<number, number>();
    try {
      for (const [first, run] of Object.entries(registers[3] ?? {}))
        for (let from = 0; from < run.length; from += 100) {
          const request = {
            unit: way === 'other' ? 1 : unit,
            fn: 3,
            address: Number(first) + from,
            count: Math.min(100, run.length - from),
          } as const;
          const words = await bus.hold((line) => line.request(request), 'poll');
          for (const [n, word] of words.entries()) after.set(request.address + n, word);
        }
    } finally {
      bus.close();
    }
    const touched = new Set(written.flatMap(([, place]) => addressesOf(place)));
    for (const [first, run] of Object.entries(registers[3] ?? {}))
      for (const [n, word] of run.entries()) {
        const address = Number(first) + n;
        if (!touched.has(address) && after.get(address) !== word)
          wrong.push(
            `${type.family}: register ${address} was ${word} and is ${after.get(address)}`,
          );
      }
    // Of those that share a register, the last one counts.
    const last = new Map(
      written.map((one) => [
        'address' in one[1].encoding && one[1].encoding.as !== 'bit'
          ? one[1].encoding.address
          : one[0].id,
        one,
      ]),
    );
    for (const [parameter, place] of last.values()) {
      const text = textFor(parameter);
      const fault = wrongAt(
        type,
        parameter,
        place,
        text,
        (address) => after.get(address) ?? Number.NaN,
      );
      if (fault !== undefined) wrong.push(`${type.family} ${fault}`);
    }
  }
  expect(wrong, way).toEqual([]);
  return made.reduce((sum, { written }) => sum + written.length, 0);
}
