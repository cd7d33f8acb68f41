import { Button, NativeSelect } from '@mantine/core';
import type { DeviceKind, DeviceOrder } from '@helioport/contract';
import type { ReactNode } from 'react';
import { Section } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { useDeviceColumns } from '../../parts/device-columns.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { StateCounters } from '../../parts/state-counters.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { texts as shared } from '../../parts/texts/index.ts';
import { useOperation } from '../../wire/queries.ts';
import styles from './screen.module.css';
import { goesUp, KINDS, STATES, type DevicesSearch } from './search.ts';
import { texts } from './texts/index.ts';

const PAGE_SIZE = 25;

interface DeviceListProps {
  readonly plantId: string;
  /** The plant's. */
  readonly zone: string;
  readonly search: DevicesSearch;
  readonly onChange: (search: DevicesSearch) => void;
}

/** The devices of a plant, sorted and searched by the server, a page at a time. */
export function DeviceList({ plantId, zone, search, onChange }: DeviceListProps): ReactNode {
  const t = texts.useTexts();
  const { device: names, state: states } = shared.useTexts();
  const formats = useFormats();
  const columns = useDeviceColumns(plantId, zone);
  const { sort = 'state', page = 1, q, kind, state } = search;
  const up = search.up ?? goesUp(sort);
  const request = {
    plantId,
    pageNo: page,
    pageSize: PAGE_SIZE,
    sort,
    direction: up ? 'up' : 'down',
    ...(q !== undefined && { search: q }),
    ...(kind && { kind }),
    ...(state && { states: [state] }),
  };
  const { data, error, refetch, isPlaceholderData } = useOperation('device/ranking', request, {
    keepPrevious: true,
  });
  if (!data) return error ? <Failed error={error} again={() => void refetch()} /> : <Loading />;
  const count = (of: DeviceKind): number => data.kinds[of] ?? 0;
  const there = KINDS.filter((one) => count(one) > 0);
  const all = there.reduce((sum, one) => sum + count(one), 0);
  if (all === 0) return <Empty title={t.none} />;
  const changeTo = (more: DevicesSearch): void => onChange({ ...search, page: undefined, ...more });
  return (
    <Section component="div">
      <div className={styles.tools}>
        <StateCounters
          label={t.byState}
          total={STATES.reduce((sum, one) => sum + data.states[one], 0)}
          counts={STATES.map((one) => ({ state: one, name: states[one], count: data.states[one] }))}
          chosen={state}
          onChoose={(next) => changeTo({ state: next })}
        />
        <SearchField
          label={t.search}
          value={q ?? ''}
          onSearch={(next) => changeTo({ q: next || undefined })}
        />
        <NativeSelect
          aria-label={names.kind}
          value={kind ?? ''}
          onChange={({ currentTarget: { value } }) =>
            changeTo({ kind: KINDS.find((one) => one === value) })
          }
          data={[
            { value: '', label: t.allKinds(formats.number(all, 0)) },
            ...KINDS.filter((one) => count(one) > 0 || one === kind).map((one) => ({
              value: one,
              label: `${names.kinds[one]} (${formats.number(count(one), 0)})`,
            })),
          ]}
        />
      </div>
      {data.page.total === 0 ? (
        <Empty title={t.nothingFound}>
          <Button variant="default" onClick={() => onChange({})}>
            {t.showAll}
          </Button>
        </Empty>
      ) : (
        <DataTable
          caption={t.title}
          columns={columns}
          rows={data.page.records}
          keyOf={({ id }) => id!}
          sorting={{ by: sort, descending: !up }}
          onSort={({ by, descending }) => changeTo({ sort: by as DeviceOrder, up: !descending })}
          page={{ current: page, size: PAGE_SIZE, total: data.page.total }}
          onPage={(next) => onChange({ ...search, page: next })}
          busy={isPlaceholderData}
        />
      )}
    </Section>
  );
}
