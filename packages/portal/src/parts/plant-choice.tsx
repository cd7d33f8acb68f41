import { Checkbox, Radio, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useOperation } from '../wire/queries.ts';
import { SearchIcon } from './icons.tsx';
import styles from './plant-choice.module.css';
import { texts } from './texts/index.ts';

interface PlantChoiceProps {
  /** What the choice is about: "Plants that the key may access". */
  readonly label: string;
  /** The chosen plants; null = all, including future ones. */
  readonly value: readonly string[] | null;
  readonly onChange: (value: readonly string[] | null) => void;
  /** Only these can be chosen, and "all" means all of them. */
  readonly among?: readonly string[] | null;
  /** The plants that are ticked at first when only some are chosen; none by default. */
  readonly first?: readonly string[] | undefined;
}

const SHOWN = 50;

/** Chooses all plants or some of them; of many plants, those that are searched for are listed. */
export function PlantChoice({ label, value, onChange, among = null, first }: PlantChoiceProps): ReactNode {
  const t = texts.useTexts().plants;
  const [search, setSearch] = useState('');
  const { data } = useOperation('plant/ranking', { pageNo: 1, pageSize: among ? 100 : SHOWN, ...(search && { search }) }, { keepPrevious: true });
  const plants = (data?.records ?? []).filter(({ id }) => id !== undefined && (!among || among.includes(id)));
  const chosen = new Set(value);
  const toggle = (id: string, isChosen: boolean): void => onChange(isChosen ? [...chosen, id] : [...chosen].filter((one) => one !== id));
  return (
    <fieldset className={styles.choice}>
      <legend>{label}</legend>
      <Radio.Group value={value ? 'some' : 'all'} onChange={(next) => onChange(next === 'all' ? null : (first ?? []))} aria-label={label}>
        <Radio value="all" label={among ? t.asBefore : t.all} />
        <Radio value="some" label={t.some} />
      </Radio.Group>
      {value && (
        <div className={styles.some}>
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
              <Checkbox key={id} checked={chosen.has(id!)} onChange={(event) => toggle(id!, event.currentTarget.checked)} label={<bdi>{name}</bdi>} />
            ))}
          </div>
          <p role="status">{t.chosen(chosen.size)}</p>
        </div>
      )}
    </fieldset>
  );
}
