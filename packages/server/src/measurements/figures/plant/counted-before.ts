import { DAY_MS } from '@helioport/contract/durations';
import type { ChannelName } from '@helioport/contract';
import type { EnergiesToDate } from '../../telemetry/telemetry.ts';
import type { MeasuredBinding } from '../measured-bindings.ts';
import type { Starts } from '../starts.ts';

/** Devices of one kind: all that were ever in the plant, and those that are there now. */
interface Group {
  readonly all: MeasuredBinding[];
  readonly current: MeasuredBinding[];
}

/**
 * The devices of a plant, without the energy that they had counted before they came there. Only the plant's first devices of each kind keep it, which
 * are those that first reported within a day of the very first one and replaced no other. `isGiven`: the owner has stated what the plant had produced
 * before, so for production, no device keeps it.
 */
export function withoutForeignPast<Kind>(
  groups: ReadonlyMap<Kind, Group>,
  starts: Starts,
  isGiven: boolean,
): Map<Kind, Group> {
  return new Map(
    [...groups].map(([kind, group]) => {
      const { all, current } = group;
      if (!isGiven && all.every((measured) => isFirst(measured, all, starts))) return [kind, group];
      const own = new Map(
        all.map((measured) => [
          measured,
          ownPart(measured, isFirst(measured, all, starts), isGiven),
        ]),
      );
      return [
        kind,
        {
          all: [...own.values()],
          current: current.map((measured) => own.get(measured) ?? measured),
        },
      ];
    }),
  );
}

function isFirst(
  { binding }: MeasuredBinding,
  all: readonly MeasuredBinding[],
  starts: Starts,
): boolean {
  const firstAt = starts.get(binding.no)?.reportedAt ?? Infinity;
  return all.every(({ binding: other }) => {
    const otherAt = starts.get(other.no)?.reportedAt ?? Infinity;
    return otherAt >= firstAt || (firstAt - otherAt < DAY_MS && (other.toAt ?? Infinity) > firstAt);
  });
}

function ownPart(measured: MeasuredBinding, first: boolean, isGiven: boolean): MeasuredBinding {
  const foreign = (Object.entries(measured.energies) as [ChannelName, EnergiesToDate][]).filter(
    ([channel, { countedBeforeKwh }]) =>
      countedBeforeKwh !== undefined && !(first && !(isGiven && channel === 'production')),
  );
  if (foreign.length === 0) return measured;
  return {
    ...measured,
    energies: {
      ...measured.energies,
      ...Object.fromEntries(foreign.map(([channel, energy]) => [channel, withoutPast(energy)])),
    },
  };
}

/** The devices of a plant, with nothing but the energy that was recorded there. */
export const onlyRecorded = <Kind>(groups: ReadonlyMap<Kind, Group>): Map<Kind, Group> =>
  new Map(
    [...groups].map(([kind, { all }]) => [
      kind,
      { all: all.map((measured) => ownPart(measured, false, true)), current: [] },
    ]),
  );

const withoutPast = ({
  countedBeforeKwh = 0,
  amounts,
  ...energy
}: EnergiesToDate): EnergiesToDate => ({
  ...energy,
  totalKwh: energy.totalKwh - countedBeforeKwh,
  amounts: amounts && {
    ...amounts,
    total: amounts.total - (amounts.countedBefore ?? 0),
    countedBefore: undefined,
  },
});
