import { Radio } from '@mantine/core';
import type { ReactNode } from 'react';
import { Choices } from '../../components/layout.tsx';
import styles from './plant-choice.module.css';
import { PlantTicks } from './plant-ticks.tsx';
import { texts } from '../texts/index.ts';

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

/** Chooses all plants or some of them; of many plants, those that are searched for are listed. */
export function PlantChoice({
  label,
  value,
  onChange,
  among = null,
  first,
}: PlantChoiceProps): ReactNode {
  const t = texts.useTexts().plants;
  return (
    <Choices>
      <legend>{label}</legend>
      <Radio.Group
        value={value ? 'some' : 'all'}
        onChange={(next) => onChange(next === 'all' ? null : (first ?? []))}
        aria-label={label}
      >
        <Radio value="all" label={among ? t.asBefore : t.all} />
        <Radio value="some" label={t.some} />
      </Radio.Group>
      {value && (
        <div className={styles.some}>
          <PlantTicks
            value={value}
            onChange={onChange}
            isOffered={({ id }) => !among || among.includes(id!)}
          />
        </div>
      )}
    </Choices>
  );
}
