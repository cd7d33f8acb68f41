/** Why a value is not there or not believed. */
const REASONS: Readonly<Record<string, string>> = {
  missing: 'the device does not have it',
  notMeasured: 'the device measures nothing there',
  outOfBounds: 'the value cannot be',
  zeroTotal: 'a total of 0 is not believed',
  nothingThere: 'nothing is connected',
  otherModel: 'it is of other models',
  superseded: 'another value stands for it',
};

/** Why a value is not reported, or not sure; null if it is. */
export function doubtText(
  dropped: string | null,
  { sources, doubt }: { readonly sources: readonly string[]; readonly doubt: string | null },
): string | null {
  if (dropped === null) return doubt;
  if (dropped !== 'unconfirmed') return REASONS[dropped] ?? dropped;
  const few = sources.length === 1 ? 'one source' : 'no source';
  return `unconfirmed: ${doubt ?? few}`;
}
