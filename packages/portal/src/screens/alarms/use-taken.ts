import type { WireRequest } from '@helioport/contract';
import { useState } from 'react';
import type { Alarm, TakeListener } from '../../parts/alarm/alarm.ts';
import { useAccount } from '../../session/session-context.ts';
import { useOperation } from '../../wire/queries.ts';
import { browserTimeOf, serverNow } from '../../wire/server-clock.ts';

const AT_MOST = 100;

interface Taken {
  /** The list in which they were taken on. */
  readonly list: string;
  readonly alarms: readonly Alarm[];
  /** When the last of them was, by the browser’s clock; what was asked for earlier may not have it yet. */
  readonly at: number;
}

/**
 * A list of open alarms in which those that the reader takes on keep their places, until another list is shown.
 * @param records the list without them
 */
export function useTaken(
  request: WireRequest<'alarm/list'>,
  records: readonly Alarm[],
): { readonly records: readonly Alarm[]; readonly onTake: TakeListener } {
  const { id: accountId } = useAccount();
  const list = JSON.stringify(request);
  const [taken, setTaken] = useState<Taken>({ list, alarms: [], at: 0 });
  const here = taken.list === list ? taken.alarms : [];
  const asked = { ...request, pageNo: 1, pageSize: AT_MOST, state: 'processed' as const };
  const { data: inProgress, dataUpdatedAt } = useOperation('alarm/list', asked, {
    enabled: here.length > 0,
  });
  const onTake: TakeListener = (alarm, taking) => {
    // As it will be, until it has been asked for.
    const mine: Alarm = {
      ...alarm,
      state: 'processed',
      processedBy: `account:${accountId}`,
      processedAt: serverNow(),
    };
    setTaken({ list, alarms: [...here.filter(({ id }) => id !== alarm.id), mine], at: Infinity });
    void taking.then(
      () => setTaken((last) => ({ ...last, at: browserTimeOf(serverNow()) })),
      () => undefined,
    );
  };
  const open = new Set(records.map(({ id }) => id));
  const kept = here
    .filter(({ id }) => !open.has(id))
    .flatMap(
      (alarm) =>
        inProgress?.records.find(({ id }) => id === alarm.id) ??
        (dataUpdatedAt > taken.at ? [] : alarm),
    );
  return {
    records: kept.length === 0 ? records : [...records, ...kept].toSorted(newestFirst),
    onTake,
  };
}

const newestFirst = ({ id: one }: Alarm, { id: other }: Alarm): number =>
  Number(BigInt(other) - BigInt(one));
