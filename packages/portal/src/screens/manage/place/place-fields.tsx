import { Button, Text } from '@mantine/core';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Actions, Fields, Note, Section } from '../../../components/layout.tsx';
import { Loading } from '../../../parts/states.tsx';
import type { Position } from '../../../parts/map/view.ts';
import place from './place-fields.module.css';
import { texts } from '../texts/index.ts';

const PlaceMap = lazy(() =>
  import('./place-map.tsx').then((module) => ({ default: module.PlaceMap })),
);

/** The place of a device outdoors is known to some ten metres. */
const DIGITS = 4;

interface PlaceFieldsProps {
  readonly position: Position | undefined;
  /** Writes the fields. */
  readonly change: (name: 'latitude' | 'longitude', value: string) => void;
  /** Whether nobody lives there. */
  readonly isAtSea: boolean;
  /** The fields of latitude and longitude. */
  readonly children: ReactNode;
}

/** Where a plant is: pointed at on a map, taken from the device of who stands there, or typed. */
export function PlaceFields({ position, change, isAtSea, children }: PlaceFieldsProps): ReactNode {
  const t = texts.useTexts();
  const [search, setSearch] = useState<'asking' | 'refused'>();
  const set = (latitude: number | string, longitude: number | string): void => {
    change('latitude', String(latitude));
    change('longitude', String(longitude));
  };
  const ask = (): void => {
    setSearch('asking');
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setSearch(undefined);
        set(Number(coords.latitude.toFixed(DIGITS)), Number(coords.longitude.toFixed(DIGITS)));
      },
      () => setSearch('refused'),
      { timeout: 20_000 },
    );
  };
  return (
    <Section component="div" role="group" aria-label={t.place}>
      <Text component="span" size="sm" fw={500}>
        {t.place}
      </Text>
      <div className={place.room}>
        <Suspense fallback={<Loading />}>
          <PlaceMap
            position={position}
            onChange={({ latitude, longitude }) => set(latitude, longitude)}
          />
        </Suspense>
      </div>
      <Actions>
        {/* Browsers tell their place to pages from secure addresses alone. */}
        {isSecureContext && (
          <Button variant="default" loading={search === 'asking'} onClick={ask}>
            {t.whereIAm}
          </Button>
        )}
        {position && (
          <Button variant="subtle" onClick={() => set('', '')}>
            {t.removePlace}
          </Button>
        )}
        <Note component="span" role="status">
          {search === 'refused' && t.placeRefused}
        </Note>
      </Actions>
      <Fields>{children}</Fields>
      <Note component="span" role="status">
        {isAtSea && t.atSea}
      </Note>
    </Section>
  );
}
