import { Checkbox, TextInput } from '@mantine/core';
import type { WireData } from '@helioport/contract';
import { useState, type ReactNode } from 'react';
import { Note } from '../../components/layout.tsx';
import { useOperation } from '../../wire/queries.ts';
import { SearchIcon } from '../icons.tsx';
import styles from './plant-ticks.module.css';
import { texts } from '../texts/index.ts';

interface PlantTicksProps {
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
  readonly isOffered: (plant: WireData<'plant/ranking'>['records'][number]) => boolean;
}

const AT_MOST = 100;

/** Chooses plants; of many, those that are searched for are listed. */
export function PlantTicks({ value, onChange, isOffered }: PlantTicksProps): ReactNode {
  const t = texts.useTexts().plants;
  const [search, setSearch] = useState('');
  const { data } = useOperation(
    'plant/ranking',
    { pageNo: 1, pageSize: AT_MOST, ...(search && { search }) },
    { keepPrevious: true },
  );
  const plants = (data?.records ?? []).filter(isOffered);
  const chosen = new Set(value);
  const toggle = (id: string, isChosen: boolean): void =>
    onChange(isChosen ? [...chosen, id] : [...chosen].filter((one) => one !== id));
  return (
    <>
      {(data?.total ?? 0) > 8 || search ? (
        <TextInput
          type="search"
          aria-label={t.search}
          placeholder={t.search}
          leftSection={<SearchIcon size={18} />}
          value={search}
          maxLength={100}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      ) : null}
      <div className={styles.list}>
        {plants.map(({ id, name }) => (
          <Checkbox
            key={id}
            checked={chosen.has(id!)}
            onChange={(event) => toggle(id!, event.currentTarget.checked)}
            label={<bdi>{name}</bdi>}
          />
        ))}
      </div>
      <Note role="status">{t.chosen(chosen.size)}</Note>
    </>
  );
}
