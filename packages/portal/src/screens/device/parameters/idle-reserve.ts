import type { WireData } from '@helioport/contract';

type Setting = WireData<'command/parameters'>[number];

/** The setting without one of whose options another has no effect, if it is known and has that option off. */
export function modeWithoutReserve({ effectiveWith, effectiveOption }: Setting, settings: readonly Setting[]): Setting | undefined {
  const mode = effectiveWith === undefined ? undefined : settings.find(({ parameter }) => parameter === effectiveWith);
  return mode?.value !== undefined && (Number(mode.value) & Number(effectiveOption)) === 0 ? mode : undefined;
}
