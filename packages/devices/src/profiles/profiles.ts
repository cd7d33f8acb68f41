import { readFileSync } from 'node:fs';
import type { Parameter, Profile } from './profile.ts';
import { readProfile } from './read-profile.ts';

/** The profiles' files, each listed after those that it extends. */
const FILES = [
  'string-inverter',
  'storage-inverter',
  'storage-inverter-hundreds',
  'generic',
] as const;
const GENERIC = 'generic';

let loaded: readonly Profile[] | undefined;

/** All profiles, generic last. Reads the files when it is first called, since most commands need none; throws an Error if one is wrong. */
export function allProfiles(): readonly Profile[] {
  if (loaded) return loaded;
  const read = new Map<string, Profile>();
  for (const id of FILES) {
    const text = readFileSync(new URL(`${id}.yaml`, import.meta.url), 'utf8');
    read.set(
      id,
      readProfile(id, text, (base) => read.get(base)),
    );
  }
  return (loaded = [...read.values()]);
}

/**
 * The profile of a device with the given names: its model, and the code of its model. Names that no profile lists are ignored. If
 * none is listed, or if they contradict each other, the device gets the generic profile, which only allows reading.
 */
export function profileOf(...names: readonly (string | null | undefined)[]): Profile {
  const profiles = allProfiles();
  const found = profiles.filter(({ models }) =>
    models.some((model) => names.some((name) => name != null && isModel(name, model))),
  );
  return found.length === 1 ? found[0]! : profiles.find(({ id }) => id === GENERIC)!;
}

const isModel = (name: string, model: string): boolean =>
  !name.includes('#') && (name === model || name.replaceAll(/\d+/g, '#') === model);

/** A parameter by the id that requests state; undefined if devices of this profile lack it. */
export const parameterOf = (profile: Profile, id: string | number): Parameter | undefined =>
  profile.parameters.get(String(id));
