import { readFileSync } from 'node:fs';
import type { Parameter, Profile } from './profile.ts';
import { readProfile } from './read-profile.ts';

/** The profiles that the names of models lead to, generic last. */
const NAMED = [
  'string-inverter',
  'storage-inverter',
  'storage-inverter-hundreds',
  'generic',
] as const;
const GENERIC = 'generic';

/** The profiles of devices that are asked by their registers. */
const ASKED = [
  'solis-storage',
  'solis-storage-hundreds',
  'solis-string',
  'solis-epm',
  'deye-hybrid-1p',
  'deye-hybrid-3p',
  'deye-hybrid-3p-high',
  'deye-string',
  'sofar-g3',
  'sofar-hyd-es',
  'sofar-string',
] as const;

/** The parameters of devices that follow SunSpec, whose registers each device lists itself. */
const LISTING = ['sunspec-inverter', 'sunspec-storage'] as const;

const FILES = [...NAMED, ...ASKED, ...LISTING];

const loaded = new Map<string, Profile>();

/** The profile in its file, read when it is first needed. Throws an Error if the file is wrong. */
function load(id: string): Profile {
  const known = loaded.get(id);
  if (known) return known;
  const text = readFileSync(new URL(`../families/${id}.yaml`, import.meta.url), 'utf8');
  const profile = readProfile(id, text, findProfile);
  loaded.set(id, profile);
  return profile;
}

/** A profile by its id; undefined if there is none. */
export const findProfile = (id: string): Profile | undefined =>
  FILES.some((name) => name === id) ? load(id) : undefined;

/** All profiles: first those that the names of models lead to, then those with registers. Throws an Error if one is wrong. */
export const allProfiles = (): readonly Profile[] => FILES.map(load);

/** The profiles of devices that are asked by their registers, in the order in which they are tried on a device. */
export const registerProfiles = (): readonly Profile[] => ASKED.map(load);

/**
 * The profile of a device with the given names: its model, and the code of its model. Names that no profile lists are ignored. If
 * none is listed, or if they contradict each other, the device gets the generic profile, which only allows reading.
 */
export function profileOf(...names: readonly (string | null | undefined)[]): Profile {
  const found = NAMED.map(load).filter(({ models }) =>
    models.some((model) => names.some((name) => name != null && isModel(name, model))),
  );
  return found.length === 1 ? found[0]! : load(GENERIC);
}

/**
 * The profile of a device that has described itself: that by which its collector asks it or, if none is stated or known, that of its
 * model.
 */
export const profileFor = ({
  profile,
  model,
  modelCode,
}: {
  readonly profile?: string | null | undefined;
  readonly model?: string | null | undefined;
  readonly modelCode?: string | null | undefined;
}): Profile => (profile == null ? undefined : findProfile(profile)) ?? profileOf(model, modelCode);

const isModel = (name: string, model: string): boolean =>
  !name.includes('#') && (name === model || name.replaceAll(/\d+/g, '#') === model);

/** A parameter by the id that requests state; undefined if devices of this profile lack it. */
export const parameterOf = (profile: Profile, id: string | number): Parameter | undefined =>
  profile.parameters.get(String(id));
