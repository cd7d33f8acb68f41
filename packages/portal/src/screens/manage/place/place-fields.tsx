import { Button } from '@mantine/core';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Loading } from '../../../parts/states.tsx';
import type { Position } from '../../../parts/map/view.ts';
import styles from '../manage.module.css';
import place from './place-fields.module.css';
import { texts } from '../texts/index.ts';

const PlaceMap = lazy(() => import('./place-map.tsx').then((module) => ({ default: module.PlaceMap })));

/** The place of a device outdoors is known to some ten metres. */
const DIGITS = 4;

interface PlaceFieldsProps {
  readonly position: Position | undefined;
  readonly onChange: (position: Position) => void;
  /** Whether nobody lives there. */
  readonly isAtSea: boolean;
  /** The fields of latitude and longitude. */
  readonly children: ReactNode;
}

/** Where a plant is: pointed at on a map, taken from the device of who stands there, or typed. */
export function PlaceFields({ position, onChange, isAtSea, children }: PlaceFieldsProps): ReactNode {
  const t = texts.useTexts();
  const [search, setSearch] = useState<'asking' | 'refused'>();
  const ask = (): void => {
    setSearch('asking');
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setSearch(undefined);
        onChange({ latitude: Number(coords.latitude.toFixed(DIGITS)), longitude: Number(coords.longitude.toFixed(DIGITS)) });
      },
      () => setSearch('refused'),
      { timeout: 20_000 },
    );
  };
  return (
    <div className={styles.group} role="group" aria-label={t.place}>
      <span className={styles.label}>{t.place}</span>
      <div className={place.room}>
        <Suspense fallback={<Loading />}>
          <PlaceMap position={position} onChange={onChange} />
        </Suspense>
      </div>
      {/* Browsers tell their place to pages from secure addresses alone. */}
      {isSecureContext && (
        <div className={styles.actions}>
          <Button variant="default" loading={search === 'asking'} onClick={ask}>
            {t.whereIAm}
          </Button>
          <span className={styles.soft} role="status">
            {search === 'refused' && t.placeRefused}
          </span>
        </div>
      )}
      <div className={styles.pair}>{children}</div>
      <span className={styles.soft} role="status">
        {isAtSea && t.atSea}
      </span>
    </div>
  );
}
