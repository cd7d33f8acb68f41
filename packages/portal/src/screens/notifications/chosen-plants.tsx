import type { ReactNode } from 'react';
import { Actions } from '../../components/layout.tsx';
import { CrossIcon } from '../../parts/icons.tsx';
import { useOperation } from '../../wire/queries.ts';
import styles from './screen.module.css';
import { texts } from './texts/index.ts';

interface ChosenPlantsProps {
  readonly ids: readonly string[];
  readonly onRemove: (id: string) => void;
}

/** The plants whose alarms are sent; none chosen means all. */
export function ChosenPlants({ ids, onRemove }: ChosenPlantsProps): ReactNode {
  const t = texts.useTexts();
  if (ids.length === 0) return null;
  return (
    <Actions component="ul" className={styles.chosen} aria-label={t.plants}>
      {ids.map((id) => (
        <ChosenPlant key={id} id={id} onRemove={() => onRemove(id)} />
      ))}
    </Actions>
  );
}

function ChosenPlant({
  id,
  onRemove,
}: {
  readonly id: string;
  readonly onRemove: () => void;
}): ReactNode {
  const t = texts.useTexts();
  const { data } = useOperation('plant/show', { plantId: id });
  const name = data?.name ?? id;
  return (
    <li>
      <bdi>{name}</bdi>
      <button type="button" aria-label={t.withoutPlant(name)} onClick={onRemove}>
        <CrossIcon size={16} />
      </button>
    </li>
  );
}
