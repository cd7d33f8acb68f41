import type { Profile } from '../profiles/profile.ts';
import type { Block, Encoding, Place, RegisterValue } from './register-map.ts';

/** A profile for devices that have every register higher than documented. */
export function shifted(profile: Profile, by: number): Profile {
  const { registers } = profile;
  if (by === 0 || registers === null) return profile;
  const move = <T extends { readonly address: number }>(spot: T): T => ({
    ...spot,
    address: spot.address + by,
  });
  const moveIf = <T extends { readonly address: number }>(spot: T | null): T | null =>
    spot && move(spot);
  const value = (one: RegisterValue): RegisterValue => ({
    ...one,
    words: one.words.map((address) => address + by),
    plus: one.plus.map((address) => address + by),
    minus: one.minus.map((address) => address + by),
    scaleFactor: one.scaleFactor === null ? null : one.scaleFactor + by,
    direction: one.direction === null ? null : one.direction + by,
    high: one.high === null ? null : one.high + by,
  });
  const encoding = (one: Encoding): Encoding =>
    one.as === 'slots'
      ? {
          ...one,
          currents: [one.currents[0] + by, one.currents[1] + by],
          slots: one.slots.map((address) => address + by),
        }
      : one.as === 'forced'
        ? { ...move(one), charge: one.charge + by, discharge: one.discharge + by }
        : one.as === 'number' && one.scaleFactor !== null
          ? { ...move(one), scaleFactor: one.scaleFactor + by }
          : move(one);
  const place = (one: Place): Place => ({
    ...one,
    encoding: encoding(one.encoding),
    together: moveIf(one.together),
    gate: moveIf(one.gate),
    toggle: moveIf(one.toggle),
    mirror: moveIf(one.mirror),
  });
  const block = (one: Block): Block => ({ ...move(one), values: one.values.map(value) });
  return {
    ...profile,
    registers: {
      ...registers,
      blocks: registers.blocks.map(block),
      places: new Map([...registers.places].map(([id, one]) => [id, place(one)])),
    },
  };
}
