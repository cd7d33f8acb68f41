import { Button, NativeSelect } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Page, Stacked } from '../../../components/layout.tsx';
import { PageHeading } from '../../../focus/page-heading.tsx';
import { useFormats } from '../../../i18n/formats.ts';
import { Badge } from '../../../parts/badge.tsx';
import type { Column } from '../../../parts/data-table.tsx';
import { useConsole } from '../../../wire/console.ts';
import { serverNow } from '../../../wire/server-clock.ts';
import { ConsoleFault } from '../console-fault.tsx';
import { FoundTable, FOUND_PAGE_SIZE } from '../found-table.tsx';
import { searchedRoles, searchedAccountStates, type AccountSearch } from '../search.ts';
import { SearchForm } from '../search-form.tsx';
import { texts } from '../texts/index.ts';
import { AccountDialog } from './account-dialog.tsx';
import type { AccountRow } from './found-account.ts';
import { OpenSupportCard } from './open-support.tsx';

const route = getRouteApi('/operator/accounts');

/** Everybody who can log in: found, looked at and helped. */
export function Screen(): ReactNode {
  const all = texts.useTexts();
  const t = all.accounts;
  const formats = useFormats();
  const { search, role, state } = route.useSearch();
  const navigate = route.useNavigate();
  const [page, setPage] = useState(1);
  const [managed, setManaged] = useState<string>();
  const { data, error, refetch, isPlaceholderData } = useConsole('service/accounts', {
    search,
    role,
    state,
    pageNo: page,
    pageSize: FOUND_PAGE_SIZE,
  });
  const change = (narrower: AccountSearch): void => {
    void navigate({ search: (former) => ({ ...former, ...narrower }) });
    setPage(1);
  };
  const columns: readonly Column<AccountRow>[] = [
    {
      key: 'email',
      header: t.search,
      cell: ({ email, name }) => (
        <Stacked>
          <bdi>{email}</bdi>
          <small>
            <bdi>{name}</bdi>
          </small>
        </Stacked>
      ),
    },
    { key: 'role', header: t.role, cell: (account) => t.roles[account.role!] },
    {
      key: 'state',
      header: t.state,
      cell: ({ disabledAt }) =>
        disabledAt === undefined ? (
          <Badge kind="good">{t.states.active}</Badge>
        ) : (
          <Badge kind="over">{t.states.disabled}</Badge>
        ),
    },
    {
      key: 'factor',
      header: t.factor,
      wideOnly: true,
      cell: ({ hasSecondFactor }) => (hasSecondFactor ? t.yes : t.no),
    },
    {
      key: 'used',
      header: t.used,
      cell: ({ lastAt }) => (lastAt === undefined ? t.never : formats.ago(serverNow() - lastAt)),
    },
    {
      key: 'manage',
      header: t.manage,
      cell: ({ id, email }) => (
        <Button
          size="xs"
          variant="default"
          onClick={() => setManaged(id)}
          aria-label={`${t.manage}: ${email}`}
        >
          {t.manage}
        </Button>
      ),
    },
  ];
  if (!data && error) return <ConsoleFault error={error} again={() => void refetch()} />;
  const account = data?.records.find(({ id }) => id === managed);
  return (
    <Page>
      <PageHeading>{t.title}</PageHeading>
      <OpenSupportCard />
      <SearchForm label={t.search} value={search} onSearch={(text) => change({ search: text })}>
        <NativeSelect
          label={t.role}
          value={role ?? ''}
          onChange={({ currentTarget: { value } }) =>
            change({ role: searchedRoles.find((one) => one === value) })
          }
          data={[
            { value: '', label: all.all },
            ...searchedRoles.map((value) => ({ value, label: t.roles[value] })),
          ]}
        />
        <NativeSelect
          label={t.state}
          value={state ?? ''}
          onChange={({ currentTarget: { value } }) =>
            change({ state: searchedAccountStates.find((one) => one === value) })
          }
          data={[
            { value: '', label: all.all },
            ...searchedAccountStates.map((value) => ({ value, label: t.states[value] })),
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
      {account && <AccountDialog account={account} onClose={() => setManaged(undefined)} />}
    </Page>
  );
}
