import { Button, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useOperation } from '../../wire/queries.ts';
import styles from './manage.module.css';
import { texts } from './texts/index.ts';

interface ZoneFieldProps {
  readonly value: string;
  readonly onChange: (zone: string) => void;
  /** As typed. */
  readonly latitude: string;
  readonly longitude: string;
  readonly error: string | undefined;
}

/** A number as people type it, with a point or a comma; undefined if it is none, or beyond a limit. */
export function degreesOf(text: string, limit: number): number | undefined {
  const trimmed = text.trim().replace(',', '.');
  const degrees = Number(trimmed);
  return trimmed !== '' && Math.abs(degrees) <= limit ? degrees : undefined;
}

/** The time zone of a plant, with the one at its position as a suggestion. */
export function ZoneField({ value, onChange, latitude, longitude, error }: ZoneFieldProps): ReactNode {
  const t = texts.useTexts();
  const [north, east] = [degreesOf(latitude, 90), degreesOf(longitude, 180)];
  const hasPosition = north !== undefined && east !== undefined;
  const { data } = useOperation('plant/zone', { latitude: north ?? 0, longitude: east ?? 0 }, { enabled: hasPosition });
  const suggestion = hasPosition ? data?.timeZone : undefined;
  return (
    <div>
      <TextInput
        label={t.timeZone}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
        placeholder={suggestion ?? 'Europe/Berlin'}
        maxLength={64}
      />
      <div role="status">
        {suggestion !== undefined && suggestion !== value && (
          <div className={styles.actions}>
            <span className={styles.soft}>{t.suggested(suggestion)}</span>
            <Button size="compact-sm" variant="default" onClick={() => onChange(suggestion)}>
              {t.takeSuggestion}
            </Button>
          </div>
        )}
        {hasPosition && data && suggestion === undefined && <span className={styles.soft}>{t.atSea}</span>}
      </div>
    </div>
  );
}
