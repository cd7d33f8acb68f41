import { Button, NativeSelect } from '@mantine/core';
import type { PlantOrder } from '@helioport/contract';
import { type ReactNode } from 'react';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { useOperation } from '../../wire/queries.ts';
import styles from './plant-list.module.css';
import { usePlantColumns } from './plant-columns.tsx';
import type { OverviewSearch } from './search.ts';
import { texts } from './texts/index.ts';

const PAGE_SIZE = 20;

interface PlantListProps {
  readonly search: OverviewSearch;
  readonly onChange: (search: OverviewSearch) => void;
}

/** The plants, sorted and searched by the server, a page at a time. */
export function PlantList({ search, onChange }: PlantListProps): ReactNode {
  const t = texts.useTexts();
  const columns = usePlantColumns();
  const { sort = 'name', page = 1, q, state } = search;
  const up = search.up ?? (sort === 'name' || sort === 'state');
  const request = {
    pageNo: page,
    pageSize: PAGE_SIZE,
    sort,
    direction: up ? 'up' : 'down',
    ...(q !== undefined && { search: q }),
    ...(state && { states: [state] }),
  };
  const { data, error, refetch, isPlaceholderData } = useOperation('plant/ranking', request, { keepPrevious: true, kept: true });
  if (!data) return error ? <Failed error={error} again={() => void refetch()} /> : <Loading />;
  if (data.total === 0) {
    return (
      <Empty title={t.nothingFound}>
        <Button variant="default" onClick={() => onChange({})}>
          {t.showAll}
        </Button>
      </Empty>
    );
  }
  const sortBy = (by: string, descending: boolean): void => onChange({ ...search, page: undefined, sort: by as PlantOrder, up: !descending });
  return (
    <div className={styles.list}>
      {data.total > 1 && (
        <NativeSelect
          className={styles.sort}
          aria-label={t.sortBy}
          value={`${sort} ${up ? 'up' : 'down'}`}
          onChange={({ currentTarget: { value } }) => sortBy(value.split(' ')[0]!, value.endsWith('down'))}
          data={columns
            .filter(({ sortable }) => sortable)
            .flatMap(({ key, header }) => [
              { value: `${key} up`, label: `${header} ↑` },
              { value: `${key} down`, label: `${header} ↓` },
            ])}
        />
      )}
      <DataTable
        caption={t.plants(data.total, String(data.total))}
        columns={columns}
        rows={data.records}
        keyOf={({ id }) => id!}
        sorting={{ by: sort, descending: !up }}
        onSort={({ by, descending }) => sortBy(by, descending)}
        page={{ current: page, size: PAGE_SIZE, total: data.total }}
        onPage={(next) => onChange({ ...search, page: next })}
        busy={isPlaceholderData}
      />
    </div>
  );
}
