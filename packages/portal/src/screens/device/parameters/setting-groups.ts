import type { Texts } from '../texts/en.ts';
import type { Setting } from '../../../parts/settings/setting-texts.ts';

export type GroupName = keyof Texts['settingGroups'];

const POWER = new Set(['15', '48', '52', '53', '54', '230', '376', '499', '696', '5161', '5162', '6962', '6968']);
const BATTERY = new Set(['157', '158', '160', '172', '469', '636', '7224', '7226', '7229', '7963']);
const SLOTS = new Set(['103', '543', '4643', '4644', '4692', '5007', '6798']);

/** Where people look for a setting. */
function groupOf({ parameter = '', name = '' }: Setting): GroupName {
  if (POWER.has(parameter)) return 'power';
  if (BATTERY.has(parameter)) return 'battery';
  return SLOTS.has(parameter) || / slot \d/.test(name) ? 'slots' : 'other';
}

const ORDER: readonly GroupName[] = ['battery', 'power', 'other', 'slots'];

/** Settings by group, in the order in which they are shown; slots, which are many, come last. */
export const inGroups = (settings: readonly Setting[]): readonly (readonly [GroupName, readonly Setting[]])[] => {
  const groups = Map.groupBy(settings, groupOf);
  return ORDER.flatMap((name) => (groups.has(name) ? [[name, groups.get(name)!] as const] : []));
};
