import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Section } from '../../components/layout.tsx';
import { DateTimeField } from '../../parts/forms/date-time-field.tsx';
import { PlantSelect } from '../../parts/plants/plant-select.tsx';
import { CrossIcon } from '../../parts/icons.tsx';
import { useOperation } from '../../wire/queries.ts';
import styles from './screen.module.css';
import { narrowsAlarms, withoutFilters, type AlarmSearch } from './search.ts';
import { StateTabs } from './state-tabs.tsx';
import { texts } from './texts/index.ts';

interface FiltersProps {
  readonly search: AlarmSearch;
  readonly onChange: (search: AlarmSearch) => void;
}

const LEVELS = { 2: 2, 3: 3 } as const;

/** Which alarms are shown. */
export function Filters({ search, onChange }: FiltersProps): ReactNode {
  const t = texts.useTexts();
  const { level, plant, from, to } = search;
  const isNarrowed = narrowsAlarms(search);
  // Phones have more use for the alarms.
  const [isOpen, setOpen] = useState(() => matchMedia('(min-width: 48em)').matches);
  return (
    <Section aria-label={t.filters}>
      <StateTabs
        search={search}
        onChoose={(next) => onChange({ ...search, state: next === 'open' ? undefined : next })}
      />
      <details
        className={styles.more}
        open={isOpen}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary>
          {t.filters}
          {isNarrowed && ` (${t.narrowed})`}
        </summary>
        <div className={styles.narrow}>
          <NativeSelect
            label={t.level}
            value={String(level ?? '')}
            onChange={({ currentTarget: { value } }) =>
              onChange({ ...search, level: LEVELS[Number(value) as 2 | 3] })
            }
            data={[
              { value: '', label: t.anyLevel },
              { value: '2', label: t.fromAlarm },
              { value: '3', label: t.onlyEmergencies },
            ]}
          />
          <NativeSelect
            label={t.order}
            value={search.sort ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onChange({ ...search, sort: value === 'lost' ? value : undefined, page: undefined })
            }
            data={[
              { value: '', label: t.newest },
              { value: 'lost', label: t.costliest },
            ]}
          />
          {plant === undefined ? (
            <PlantSelect
              label={t.plant}
              placeholder={t.anyPlant}
              onChoose={(id) => onChange({ ...search, plant: id })}
            />
          ) : (
            <ChosenPlant id={plant} onRemove={() => onChange({ ...search, plant: undefined })} />
          )}
          <DateTimeField
            type="date"
            label={t.from}
            value={from ?? ''}
            max={to ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onChange({ ...search, from: value || undefined })
            }
          />
          <DateTimeField
            type="date"
            label={t.to}
            value={to ?? ''}
            min={from ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onChange({ ...search, to: value || undefined })
            }
          />
          {isNarrowed && (
            <Button
              variant="subtle"
              className={styles.reset}
              onClick={() => onChange(withoutFilters(search))}
            >
              {t.clear}
            </Button>
          )}
        </div>
      </details>
    </Section>
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
  return (
    <TextInput
      label={t.plant}
      value={data?.name ?? id}
      readOnly
      rightSection={
        <button type="button" className={styles.remove} aria-label={t.allPlants} onClick={onRemove}>
          <CrossIcon size={16} />
        </button>
      }
    />
  );
}
