import { Button } from '@mantine/core';
import type { PlantOrder } from '@helioport/contract';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { usePlantColumns } from './plant-columns.tsx';
import type { PowerCurve } from './curve.ts';
import type { OverviewSearch } from './search.ts';
import { texts } from './texts/index.ts';
import { isUp, RANKING_PAGE_SIZE, USUAL, useRanking } from './use-ranking.ts';

interface PlantListProps {
  readonly search: OverviewSearch;
  readonly curves: ReadonlyMap<string, PowerCurve>;
  readonly onChange: (search: OverviewSearch) => void;
}

/** The plants, sorted and searched by the server, a page at a time. */
export function PlantList({ search, curves, onChange }: PlantListProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const columns = usePlantColumns(curves);
  const { sort = USUAL, page = 1 } = search;
  const { data, error, refetch, isPlaceholderData } = useRanking(search, true);
  if (!data)
    return error ? (
      <Failed error={error} again={() => void refetch()} />
    ) : (
      <Loading heights={[24]} />
    );
  if (data.total === 0) {
    return (
      <Empty title={t.nothingFound}>
        <Button variant="default" onClick={() => onChange({})}>
          {t.showAll}
        </Button>
      </Empty>
    );
  }
  const sortBy = (by: string, descending: boolean): void =>
    onChange({ ...search, page: undefined, sort: by as PlantOrder, up: !descending });
  return (
    <DataTable
      caption={t.plants(data.total, formats.number(data.total, 0))}
      columns={columns}
      rows={data.records}
      keyOf={({ id }) => id!}
      sorting={{ by: sort, descending: !isUp(search) }}
      onSort={({ by, descending }) => sortBy(by, descending)}
      page={{ current: page, size: RANKING_PAGE_SIZE, total: data.total }}
      onPage={(next) => onChange({ ...search, page: next })}
      busy={isPlaceholderData}
    />
  );
}
