import { SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { useOperation } from '../../wire/queries.ts';
import { statesAsked, alarmsRequestOf } from './request.ts';
import styles from './screen.module.css';
import { searchedAlarmStates, type AlarmSearch, type SearchedAlarmState } from './search.ts';
import { texts } from './texts/index.ts';

interface StateTabsProps {
  readonly search: AlarmSearch;
  readonly onChoose: (state: SearchedAlarmState) => void;
}

/** As many are counted at least. */
const COUNTED = 10_000;

/** The states of alarms to choose from, each with how many of what is searched for are in it. */
export function StateTabs({ search, onChoose }: StateTabsProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const counts = {
    open: useCount(search, 'open'),
    processed: useCount(search, 'processed'),
    ended: useCount(search, 'ended'),
  };
  const shown = (count: number): string =>
    count < COUNTED ? formats.number(count, 0) : `${formats.number(COUNTED, 0)}+`;
  const countOf = (state: SearchedAlarmState): string | undefined => {
    const count = state === 'all' ? undefined : counts[state];
    return count === undefined ? undefined : shown(count);
  };
  return (
    <SegmentedControl
      aria-label={t.state}
      value={search.state ?? 'open'}
      onChange={onChoose}
      data={searchedAlarmStates.map((value) => ({
        value,
        label: (
          <>
            <span>{t.states[value]}</span> <span className={styles.count}>{countOf(value)}</span>
          </>
        ),
      }))}
    />
  );
}

function useCount(search: AlarmSearch, state: keyof typeof statesAsked): number | undefined {
  const request = { ...alarmsRequestOf(search), pageNo: 1, pageSize: 1, state: statesAsked[state] };
  return useOperation('alarm/list', request, { keepPrevious: true }).data?.total;
}
