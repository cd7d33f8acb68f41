import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DeveloperLinks } from '../../parts/developer-links.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { readExplorerOperations } from '../../wire/explorer.ts';
import styles from './explorer.module.css';
import { OperationForm } from './operation-form.tsx';
import { texts } from './texts/index.ts';

const route = getRouteApi('/developer/explorer');

/** Runs any operation of signed requests as oneself. */
export function Screen(): ReactNode {
  const t = texts.useTexts();
  const { operation: chosen } = route.useSearch();
  const navigate = route.useNavigate();
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
  if (!operations) return error ? <Failed error={error} again={() => void refetch()} /> : <Loading />;
  const operation = operations.find(({ id }) => id === chosen) ?? operations[0]!;
  const families = Map.groupBy(operations, ({ familyTitle }) => familyTitle);
  return (
    <div className={styles.page}>
      <DeveloperLinks />
      <header>
        <h1>{t.title}</h1>
        <p className={styles.note}>{t.lead}</p>
      </header>
      <NativeSelect
        label={t.operation}
        value={operation.id}
        onChange={({ currentTarget: { value } }) => void navigate({ search: { operation: value }, replace: true })}
        data={[...families].map(([group, members]) => ({ group, items: members.map(({ id }) => ({ value: id, label: id })) }))}
      />
      <OperationForm key={operation.id} operation={operation} />
    </div>
  );
}
