import { Select } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useOperation } from '../../wire/queries.ts';
import { texts } from '../texts/index.ts';

const OFFERED = 20;
const NONE: readonly string[] = [];

interface PlantSelectProps {
  readonly label: string;
  readonly placeholder: string;
  readonly onChoose: (id: string) => void;
  /** Plants that are not offered. */
  readonly without?: readonly string[];
}

/** A field in which a plant is searched by name and chosen. */
export function PlantSelect({
  label,
  placeholder,
  onChoose,
  without = NONE,
}: PlantSelectProps): ReactNode {
  const t = texts.useTexts();
  const [search, setSearch] = useState('');
  const { data } = useOperation(
    'plant/ranking',
    { pageSize: OFFERED, ...(search.trim() !== '' && { search: search.trim() }) },
    { keepPrevious: true },
  );
  const plants = (data?.records ?? []).flatMap(({ id, name }) =>
    id === undefined || without.includes(id) ? [] : [{ value: id, label: name ?? id }],
  );
  return (
    <Select
      label={label}
      placeholder={placeholder}
      searchable
      value={null}
      searchValue={search}
      onSearchChange={setSearch}
      // The server has searched already.
      filter={({ options }) => options}
      nothingFoundMessage={t.noPlant}
      data={plants}
      onChange={(id) => {
        if (id === null) return;
        setSearch('');
        onChoose(id);
      }}
      maxDropdownHeight={320}
    />
  );
}
