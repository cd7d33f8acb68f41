import type { SourceName } from '@helioport/devices/sources';
import type { SourceAddress } from './source-address.ts';
import type { Source, SourceSurroundings } from './source.ts';

type Open = (address: never, surroundings: SourceSurroundings) => Source;

/** The code of a kind is loaded when the first one of it is named. */
const KINDS: { readonly [Kind in SourceName]: () => Promise<Open> } = {
  victron: async () => (await import('./victron/victron-source.ts')).openVictron,
  fronius: async () => (await import('./fronius/fronius-source.ts')).openFronius,
  shelly: async () => (await import('./shelly/shelly-source.ts')).openShelly,
  sml: async () => (await import('./sml/sml-source.ts')).openSml,
  v4: async () => (await import('./v4/v4-source.ts')).openV4,
  p1: async () => (await import('./p1/p1-source.ts')).openP1,
};

/** Opens a source; it connects when it is first read. */
export async function openSource(
  address: SourceAddress,
  surroundings: SourceSurroundings,
): Promise<Source> {
  const open = await KINDS[address.kind]();
  // The kind of an address decides its form.
  return open(address as never, surroundings);
}
