import type { WireData } from '@helioport/contract';

type Setting = WireData<'command/parameters'>[number];

/** What a command such as “Switch on” sends: the only value that may be written, though others are read. Undefined of a setting, which has a choice. */
export function commandValue({ form, options = [] }: Setting): string | undefined {
  const [value, ...more] = options.filter(({ settable }) => settable);
  return form === 'choice' && options.length > 1 && more.length === 0 ? value?.value : undefined;
}
