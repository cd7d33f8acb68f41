import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { BellIcon } from '../../parts/icons.tsx';
import { Empty, Loading } from '../../parts/states.tsx';
import { useOperation } from '../../wire/queries.ts';
import { statesAsked, alarmsRequestOf } from './request.ts';
import { narrowsAlarms, withoutFilters, type AlarmSearch } from './search.ts';
import { texts } from './texts/index.ts';

interface NoAlarmsProps {
  readonly search: AlarmSearch;
  /** Whether all plants report that should: else nobody knows whether all is well. */
  readonly isAllHeard: boolean;
  readonly onChange: (search: AlarmSearch) => void;
}

/** Why no alarm is shown, and the ways to others. */
export function NoAlarms({ search, isAllHeard, onChange }: NoAlarmsProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { state = 'open' } = search;
  const isOpen = state === 'open';
  const isNarrowed = narrowsAlarms(search);
  // Nobody says that all is well before it is known that nothing is in progress either.
  const asked = {
    ...alarmsRequestOf(search),
    pageNo: 1,
    pageSize: 1,
    state: statesAsked.processed,
  };
  const { data: inProgress, isLoading } = useOperation('alarm/list', asked, { enabled: isOpen });
  if (isLoading) return <Loading />;
  const total = (isOpen && inProgress?.total) || 0;
  if (isOpen && !isNarrowed && total === 0 && isAllHeard)
    return (
      <Empty title={t.allWell} lead={t.allWellLead}>
        <Button variant="default" onClick={() => onChange({ state: 'all' })}>
          {t.showAll}
        </Button>
      </Empty>
    );
  const why = isNarrowed ? t.narrowedLead : !isOpen && t.noneLead[state];
  const lead = [total > 0 && t.inProgress(total, formats.number(total, 0)), why]
    .filter(Boolean)
    .join(' ');
  return (
    <Empty title={t.none[state]} lead={lead} mark={<BellIcon size={40} />}>
      {total > 0 && (
        <Button variant="default" onClick={() => onChange({ ...search, state: 'processed' })}>
          {t.showInProgress}
        </Button>
      )}
      {isNarrowed && (
        <Button variant="default" onClick={() => onChange(withoutFilters(search))}>
          {t.clear}
        </Button>
      )}
    </Empty>
  );
}
