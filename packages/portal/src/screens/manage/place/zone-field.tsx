import { Alert, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { timeZones } from '../../../i18n/time-zones.ts';
import { texts } from '../texts/index.ts';
import { SearchedSelect } from './searched-select.tsx';

interface ZoneFieldProps {
  readonly value: string;
  readonly onChange: (zone: string) => void;
  /** The zone at the position; undefined if there is none. */
  readonly suggestion: string | undefined;
  /** Where the value comes from, if nobody chose it. */
  readonly description?: string | undefined;
  readonly error: string | undefined;
}

const shown = (zone: string): string => zone.replaceAll('_', ' ');

/** The time zone of a plant, with the one at its position as a suggestion. */
export function ZoneField({
  value,
  onChange,
  suggestion,
  description,
  error,
}: ZoneFieldProps): ReactNode {
  const t = texts.useTexts();
  return (
    <>
      <SearchedSelect
        label={t.timeZone}
        placeholder={t.chooseZone}
        nothingFoundMessage={t.noZone}
        value={value}
        onChange={onChange}
        data={timeZones(value).map((zone) => ({ value: zone, label: shown(zone) }))}
        description={description}
        error={error}
      />
      <div role="status">
        {suggestion !== undefined && suggestion !== value && (
          <Alert color="yellow">
            <p>{t.suggested(shown(suggestion))}</p>
            <Button size="compact-sm" variant="default" onClick={() => onChange(suggestion)}>
              {t.takeSuggestion}
            </Button>
          </Alert>
        )}
      </div>
    </>
  );
}
