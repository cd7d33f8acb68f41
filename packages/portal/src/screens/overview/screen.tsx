import { useState, type ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { StateBadge, stateOf } from '../../parts/state-badge.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { inKwh, inWatts } from '../../wire/amounts.ts';
import { useOperation } from '../../wire/queries.ts';
import { texts } from './texts/index.ts';

const PAGE_SIZE = 20;

/** All plants of the person who is signed in. */
export function Screen(): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const [pageNo, setPageNo] = useState(1);
  const { data, error, refetch, isFetching } = useOperation('userStationList', { pageNo, pageSize: PAGE_SIZE }, { keepPrevious: true });
  if (!data) return error ? <Failed error={error} again={() => void refetch()} /> : <Loading />;
  const join = ({ value, unit }: { value: string; unit: string }): string => `${value} ${unit}`;
  return (
    <>
      <h1>{t.title}</h1>
      <DataTable
        caption={t.title}
        columns={[
          { key: 'name', header: t.plant, cell: ({ stationName }) => <bdi>{stationName}</bdi> },
          { key: 'state', header: t.state, cell: ({ state }) => <StateBadge state={stateOf(state)} /> },
          { key: 'power', header: t.power, figure: true, cell: ({ power }) => join(formats.power(inWatts(power))) },
          { key: 'today', header: t.today, figure: true, cell: ({ dayEnergy, dayEnergyStr }) => join(formats.energy(inKwh(dayEnergy, dayEnergyStr))) },
        ]}
        rows={data.page.records}
        keyOf={({ id }) => id!}
        page={{ current: pageNo, size: PAGE_SIZE, total: data.page.total }}
        onPage={setPageNo}
        busy={isFetching}
      />
    </>
  );
}
