import { commandValue } from '../../../parts/settings/command-value.ts';
import type { Setting } from '../../../parts/settings/setting-texts.ts';
import type { Texts } from '../texts/en.ts';

export type GroupName = keyof Texts['settingGroups'];

const POWER = new Set(['15', '230', '376', '499', '696', '6962', '6968']);
const BATTERY = new Set([
  '157',
  '158',
  '160',
  '172',
  '469',
  '636',
  '7224',
  '7226',
  '7229',
  '7963',
  '90201',
]);
const SLOTS = new Set(['103', '543', '4643', '4644', '4692', '5007', '6798', '90020']);

/** What owners change, in the order in which they look for it. */
const EVERYDAY = ['157', '158', '7963', '636', '15', '499'];

/** The settings of a device that owners change. */
export const everydayOf = (settings: readonly Setting[]): readonly Setting[] =>
  EVERYDAY.flatMap((id) =>
    settings.filter(({ parameter, writable }) => parameter === id && writable),
  );

/** Where people look for a setting. Commands, which act at once, are apart from what has a value. */
function groupOf(setting: Setting): GroupName {
  const { parameter = '', name = '' } = setting;
  if (commandValue(setting) !== undefined) return 'switches';
  if (POWER.has(parameter)) return 'power';
  if (BATTERY.has(parameter)) return 'battery';
  return SLOTS.has(parameter) || / slot \d/.test(name) ? 'slots' : 'other';
}

const ORDER: readonly GroupName[] = ['battery', 'power', 'other', 'slots', 'switches'];

/** Settings by group, in the order in which they are shown: slots, which are many, and what switches the device off come last. */
export const inGroups = (
  settings: readonly Setting[],
): readonly (readonly [GroupName, readonly Setting[]])[] => {
  const groups = Map.groupBy(settings, groupOf);
  return ORDER.flatMap((name) => (groups.has(name) ? [[name, groups.get(name)!] as const] : []));
};
