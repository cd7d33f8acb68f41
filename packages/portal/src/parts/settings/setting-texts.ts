import type { WireData } from '@helioport/contract';
import { useFormats, UNKNOWN, type Formats } from '../../i18n/formats.ts';
import { useOperation } from '../../wire/queries.ts';
import { commandValue } from './command-value.ts';
import type { Texts } from './texts/en.ts';
import { texts as settingTexts } from './texts/index.ts';

export { settingTexts };

export type Setting = WireData<'command/parameters'>[number];
export type Option = NonNullable<Setting['options']>[number];

const SLOT = /^(charge|discharge) slot (\d), (.+)$/;
const SLOT_PARTS: Readonly<Record<string, 'switch' | 'soc' | 'time' | 'current'>> = {
  'on or off': 'switch',
  'state of charge at which it ends': 'soc',
  time: 'time',
  current: 'current',
};

/** The name of a setting in the reader's language; that of the profile, which is English, if there is none. */
export function settingName(t: Texts, parameter: string, name: string): string {
  const known = t.settings[parameter];
  if (known !== undefined) return known;
  const [, kind, number, part = ''] = SLOT.exec(name) ?? [];
  const what = SLOT_PARTS[part];
  return what === undefined
    ? name || parameter
    : t.slotName(kind as 'charge' | 'discharge', number!, what);
}

/** Whether a setting is meant by what somebody looks for: its number, or words of its name or of what else people call it. */
export function isFound(t: Texts, { parameter = '', name = '' }: Setting, search: string): boolean {
  const wanted = search.trim().toLocaleLowerCase();
  const called =
    `${settingName(t, parameter, name)} ${t.synonyms[parameter] ?? ''}`.toLocaleLowerCase();
  return parameter === wanted || wanted.split(/[\s-]+/).every((word) => called.includes(word));
}

export const optionName = (t: Texts, { name }: Pick<Option, 'name'>): string =>
  t.options[name] ?? name;

/** A value as people read it: with its unit, or the names of what it stands for. */
export function settingValue(
  t: Texts,
  formats: Formats,
  setting: Setting | undefined,
  value: string | undefined,
): string {
  if (value === undefined) return UNKNOWN;
  if (!setting) return value;
  const { form, options = [], unit = '', scale = 1 } = setting;
  const number = Number(value);
  if (form === 'choice') {
    const option = options.find((one) => Number(one.value) === number);
    if (!option) return value;
    // What a command reads is the state of the inverter: “off” beside “Switch on” would be said of the command.
    return (
      (commandValue(setting) !== undefined && t.inverter[option.name]) || optionName(t, option)
    );
  }
  if (form === 'bits' && Number.isInteger(number)) {
    const on = options.filter((one) => (number & Number(one.value)) !== 0);
    return on.length === 0 ? value : formats.list(on.map((one) => optionName(t, one)));
  }
  if (form === 'number' && Number.isFinite(number))
    return `${formats.number(number / scale, 3)} ${unit}`.trim();
  return value;
}

interface SettingTexts {
  /** `name`: that of the profile, if it is at hand. */
  nameOf(parameter: string, name?: string): string;
  valueOf(parameter: string, value: string | undefined): string;
}

/** Names and values of an inverter's settings, by the numbers of the settings. */
export function useSettingTexts(sn: string): SettingTexts {
  const t = settingTexts.useTexts();
  const formats = useFormats();
  const { data: settings = [] } = useOperation('command/parameters', { sn });
  const settingOf = (parameter: string): Setting | undefined =>
    settings.find((one) => one.parameter === parameter);
  return {
    nameOf: (parameter, name) =>
      settingName(t, parameter, name ?? settingOf(parameter)?.name ?? ''),
    valueOf: (parameter, value) => settingValue(t, formats, settingOf(parameter), value),
  };
}
