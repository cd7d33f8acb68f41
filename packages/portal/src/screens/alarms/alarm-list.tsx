import type { ReactNode } from 'react';
import { emergenciesFirst } from '../../parts/alarm/alarm.ts';
import { AlarmPage } from '../../parts/alarm/alarm-page.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { useOperation } from '../../wire/queries.ts';
import { NoAlarms } from './no-alarms.tsx';
import { statesAsked, alarmsRequestOf } from './request.ts';
import type { AlarmSearch } from './search.ts';
import { useTaken } from './use-taken.ts';

const PAGE_SIZE = 20;
const MOST_EMERGENCIES = 100;

interface AlarmListProps {
  readonly search: AlarmSearch;
  /** Whether all plants report that should. */
  readonly isAllHeard: boolean;
  readonly onChange: (search: AlarmSearch) => void;
}

/** The alarms that were asked for, newest first, a page at a time; of those that are open, emergencies before all others. */
export function AlarmList({ search, isAllHeard, onChange }: AlarmListProps): ReactNode {
  const { state = 'open', page = 1 } = search;
  const isOpen = state === 'open';
  const request = {
    ...alarmsRequestOf(search),
    pageNo: page,
    pageSize: PAGE_SIZE,
    ...(state !== 'all' && { state: statesAsked[state] }),
  };
  const { data, error, refetch, isPlaceholderData } = useOperation('alarm/list', request, {
    keepPrevious: true,
  });
  // Those stand first, however old they are; what else is open follows, page by page.
  const isByLevel = isOpen && search.level !== 3 && search.sort === undefined;
  const { data: emergencies } = useOperation(
    'alarm/list',
    { ...request, minLevel: 'emergency', pageNo: 1, pageSize: MOST_EMERGENCIES },
    { enabled: isByLevel, keepPrevious: true },
  );
  const first = (isByLevel && emergencies?.records) || [];
  const ids = new Set(first.map(({ id }) => id));
  const { records: all, onTake } = useTaken(request, [
    ...(page === 1 ? first : []),
    ...(data?.records ?? []).filter(({ id }) => !ids.has(id)),
  ]);
  const records = search.sort === undefined ? emergenciesFirst(all) : all;
  if (!data) return error ? <Failed error={error} again={() => void refetch()} /> : <Loading />;
  if (data.total + records.length === 0)
    return <NoAlarms search={search} isAllHeard={isAllHeard} onChange={onChange} />;
  return (
    <AlarmPage
      data={{ ...data, records }}
      current={page}
      size={PAGE_SIZE}
      isBusy={isPlaceholderData}
      onPage={(next) => onChange({ ...search, page: next })}
      {...(isOpen && { onTake })}
    />
  );
}
