import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Page, Section, Soft } from '../../components/layout.tsx';
import { PageHeading } from '../../focus/page-heading.tsx';
import { DeveloperLinks } from '../../parts/developer/developer-links.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { readExplorerOperations } from '../../wire/explorer.ts';
import { findOperations } from './find.ts';
import { OperationForm } from './operation-form.tsx';
import { texts } from './texts/index.ts';

const route = getRouteApi('/developer/explorer');

/** Runs any operation of signed requests as oneself. */
export function Screen(): ReactNode {
  const t = texts.useTexts();
  const { operation: chosen } = route.useSearch();
  const navigate = route.useNavigate();
  const [wanted, setWanted] = useState('');
  const {
    data: operations,
    error,
    refetch,
  } = useQuery({
    queryKey: ['explorer'],
    queryFn: ({ signal }) => readExplorerOperations(signal),
    staleTime: Infinity,
    refetchInterval: false,
  });
  if (!operations)
    return error ? <Failed error={error} again={() => void refetch()} /> : <Loading />;
  const operation = operations.find(({ id }) => id === chosen) ?? operations[0]!;
  const choose = (id: string): void => void navigate({ search: { operation: id }, replace: true });
  const found = findOperations(operations, wanted);
  const search = (text: string): void => {
    setWanted(text);
    const matches = findOperations(operations, text);
    if (matches.length > 0 && !matches.includes(operation)) choose(matches[0]!.id);
  };
  const families = Map.groupBy(
    found.includes(operation) ? found : [operation, ...found],
    ({ familyTitle }) => familyTitle,
  );
  return (
    <Page>
      <DeveloperLinks />
      <header>
        <PageHeading>{t.title}</PageHeading>
        <Soft>{t.lead}</Soft>
      </header>
      <Section component="div">
        <SearchField label={t.find} value="" onSearch={search} />
        {wanted !== '' && <Soft role="status">{t.found(found.length)}</Soft>}
      </Section>
      <NativeSelect
        label={t.operation}
        value={operation.id}
        onChange={({ currentTarget: { value } }) => choose(value)}
        data={[...families].map(([group, members]) => ({
          group,
          items: members.map(({ id }) => ({ value: id, label: id })),
        }))}
      />
      <OperationForm key={operation.id} operation={operation} />
    </Page>
  );
}
