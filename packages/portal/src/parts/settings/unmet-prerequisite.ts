import type { WireData } from '@helioport/contract';

type Setting = WireData<'command/parameters'>[number];

/** The setting without one of whose options another has no effect, if that option is known to be off. */
export function unmetPrerequisite(
  { effectiveWith, effectiveOption }: Setting,
  settings: readonly Setting[],
): Setting | undefined {
  const prerequisite =
    effectiveWith === undefined
      ? undefined
      : settings.find(({ parameter }) => parameter === effectiveWith);
  return prerequisite?.value !== undefined &&
    (Number(prerequisite.value) & Number(effectiveOption)) === 0
    ? prerequisite
    : undefined;
}

/** The value with which the prerequisite of a setting has that option, too. */
export const withOption = ({ effectiveOption }: Setting, { value }: Setting): string =>
  String(Number(value) | Number(effectiveOption));
