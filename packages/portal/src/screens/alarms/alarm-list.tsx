import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { AlarmPage } from '../../parts/alarm/alarm-page.tsx';
import { BellIcon } from '../../parts/icons.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { useOperation } from '../../wire/queries.ts';
import { narrowsAlarms, type AlarmSearch } from './search.ts';
import { texts } from './texts/index.ts';

const PAGE_SIZE = 20;
const CODES = { open: 0, processed: 1, ended: 2 } as const;

interface AlarmListProps {
  readonly search: AlarmSearch;
  readonly onChange: (search: AlarmSearch) => void;
}

/** The alarms that were asked for, newest first, a page at a time. */
export function AlarmList({ search, onChange }: AlarmListProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { state = 'open', level, plant, from, to, page = 1 } = search;
  const request = {
    pageNo: page,
    pageSize: PAGE_SIZE,
    ...(state !== 'all' && { state: CODES[state] }),
    ...(level !== undefined && { minLevel: level }),
    ...(plant !== undefined && { stationId: plant }),
    ...(from !== undefined && { alarmBeginTime: from }),
    ...(to !== undefined && { alarmEndTime: to }),
  };
  const { data, error, refetch, isPlaceholderData } = useOperation('alarmList', request, { keepPrevious: true });
  // Nobody says that all is well before it is known that nothing is in progress either.
  const isNoneOpen = state === 'open' && data?.total === 0;
  const { data: inProgress, isLoading } = useOperation('alarmList', { ...request, pageNo: 1, pageSize: 1, state: CODES.processed }, { enabled: isNoneOpen });
  if (isLoading) return <Loading />;
  if (!data) return error ? <Failed error={error} again={() => void refetch()} /> : <Loading />;
  if (data.total === 0) {
    const isNarrowed = narrowsAlarms(search);
    if (state === 'open' && !isNarrowed && !inProgress?.total)
      return (
        <Empty title={t.allWell} lead={t.allWellLead}>
          <Button variant="default" onClick={() => onChange({ state: 'all' })}>
            {t.showAll}
          </Button>
        </Empty>
      );
    const { total = 0 } = (state === 'open' && inProgress) || {};
    const lead = [total > 0 && t.inProgress(total, formats.number(total, 0)), isNarrowed && t.narrowedLead].filter(Boolean).join(' ');
    return (
      <Empty title={t.none[state]} lead={lead} mark={<BellIcon size={40} />}>
        {total > 0 && (
          <Button variant="default" onClick={() => onChange({ ...search, state: 'processed' })}>
            {t.showInProgress}
          </Button>
        )}
        {(isNarrowed || state !== 'open') && (
          <Button variant="default" onClick={() => onChange({})}>
            {t.reset}
          </Button>
        )}
      </Empty>
    );
  }
  return <AlarmPage data={data} current={page} size={PAGE_SIZE} isBusy={isPlaceholderData} onPage={(next) => onChange({ ...search, page: next })} />;
}
