import { Button, NativeSelect } from '@mantine/core';
import type { WireData } from '@helioport/contract';
import { getRouteApi } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Page, Soft, Stacked } from '../../../components/layout.tsx';
import { PageHeading } from '../../../focus/page-heading.tsx';
import { useFormats } from '../../../i18n/formats.ts';
import { Badge } from '../../../parts/badge.tsx';
import type { Column } from '../../../parts/data-table.tsx';
import { useConsole } from '../../../wire/console.ts';
import { serverNow } from '../../../wire/server-clock.ts';
import { ConsoleFault } from '../console-fault.tsx';
import { FoundTable, FOUND_PAGE_SIZE } from '../found-table.tsx';
import { searchedCollectorStates, type CollectorSearch } from '../search.ts';
import { SearchForm } from '../search-form.tsx';
import { texts } from '../texts/index.ts';
import { TokenDialog } from './token-dialog.tsx';

type FoundCollector = WireData<'service/collectors'>['records'][number];

const route = getRouteApi('/operator/collectors');
const KINDS = { waiting: 'plain', reporting: 'good', silent: 'warn' } as const;
/** A collector's clock may be this much off without being worth a word. */
const CLOCK_SECONDS = 30;

/** All collectors: which report, which are silent, which wait for somebody to bind them; and their tokens. */
export function Screen(): ReactNode {
  const all = texts.useTexts();
  const t = all.collectors;
  const formats = useFormats();
  const { search, state } = route.useSearch();
  const navigate = route.useNavigate();
  const [page, setPage] = useState(1);
  const [managed, setManaged] = useState<string>();
  const { data, error, refetch, isPlaceholderData } = useConsole('service/collectors', {
    search,
    state,
    pageNo: page,
    pageSize: FOUND_PAGE_SIZE,
  });
  const change = (narrower: CollectorSearch): void => {
    void navigate({ search: (former) => ({ ...former, ...narrower }) });
    setPage(1);
  };
  const count = (value: number | undefined): string => formats.number(value, 0);
  const columns: readonly Column<FoundCollector>[] = [
    {
      key: 'sn',
      header: t.collector,
      cell: ({ sn, model }) => (
        <Stacked>
          <bdi>{sn}</bdi>
          <small>{model}</small>
        </Stacked>
      ),
    },
    {
      key: 'state',
      header: t.state,
      cell: (one) => <Badge kind={KINDS[one.state!]}>{t.states[one.state!]}</Badge>,
    },
    {
      key: 'report',
      header: t.report,
      cell: ({ lastReportAt, clockOffsetSeconds = 0 }) => (
        <Stacked>
          {lastReportAt === undefined ? t.never : formats.ago(serverNow() - lastReportAt)}
          {Math.abs(clockOffsetSeconds) > CLOCK_SECONDS && (
            <small>{t.clock(count(clockOffsetSeconds))}</small>
          )}
        </Stacked>
      ),
    },
    {
      key: 'devices',
      header: t.devices,
      figure: true,
      cell: ({ devices, refused = 0 }) => (
        <span>
          {count(devices)} {refused > 0 && <small>({t.refused(refused)})</small>}
        </span>
      ),
    },
    { key: 'tokens', header: t.tokens, figure: true, cell: ({ tokens }) => count(tokens) },
    {
      key: 'manage',
      header: all.accounts.manage,
      cell: ({ sn }) => (
        <Button
          size="xs"
          variant="default"
          onClick={() => setManaged(sn)}
          aria-label={`${all.accounts.manage}: ${sn}`}
        >
          {all.accounts.manage}
        </Button>
      ),
    },
  ];
  if (!data && error) return <ConsoleFault error={error} again={() => void refetch()} />;
  return (
    <Page>
      <header>
        <PageHeading>{t.title}</PageHeading>
        <Soft>{t.lead}</Soft>
      </header>
      <SearchForm label={t.search} value={search} onSearch={(text) => change({ search: text })}>
        <NativeSelect
          label={t.state}
          value={state ?? ''}
          onChange={({ currentTarget: { value } }) =>
            change({ state: searchedCollectorStates.find((one) => one === value) })
          }
          data={[
            { value: '', label: all.all },
            ...searchedCollectorStates.map((value) => ({ value, label: t.states[value] })),
          ]}
        />
      </SearchForm>
      <FoundTable
        caption={t.title}
        none={t.none}
        columns={columns}
        found={data}
        page={page}
        onPage={setPage}
        busy={isPlaceholderData}
      />
      {managed !== undefined && <TokenDialog sn={managed} onClose={() => setManaged(undefined)} />}
    </Page>
  );
}
