import type { PlantState } from '@helioport/contract';
import { useEffect, useState, type ReactNode } from 'react';
import {
  fitting,
  NEAREST,
  NEAREST_WITH_TILES,
  sectionOf,
  wholeWorld,
  type Size,
  type View,
} from '../../../parts/map/view.ts';
import { WorldMap } from '../../../parts/map/world-map.tsx';
import { Failed } from '../../../parts/states.tsx';
import { useSession } from '../../../session/session-context.ts';
import { useOperation } from '../../../wire/queries.ts';
import { texts } from '../texts/index.ts';
import { marksOf } from './groups.ts';
import { Marks } from './marks.tsx';

/** Marks are asked for when the map has come to rest. */
const REST_MS = 200;

interface Sight {
  readonly view: View;
  readonly size: Size;
}

interface PlantMapProps {
  readonly search?: string;
  readonly state?: PlantState;
}

/** Where the plants are. Until somebody moves it, the map shows all of them. */
export function PlantMap({ search, state }: PlantMapProps): ReactNode {
  const t = texts.useTexts();
  const source = useSession().session?.map ?? undefined;
  const nearest = source ? NEAREST_WITH_TILES : NEAREST;
  const [seen, setSeen] = useState<Sight>();
  const [rest, setRest] = useState<Sight>();
  useEffect(() => {
    const pause = setTimeout(() => setRest(seen), REST_MS);
    return () => clearTimeout(pause);
  }, [seen]);
  const filter = { ...(search !== undefined && { search }), ...(state && { states: state }) };
  const all = useOperation('plant/positions', filter);
  const isNear = rest !== undefined && rest.view.scale > (rest.size.width / 1000) * 1.5;
  const section = isNear ? sectionOf(rest.view, rest.size) : undefined;
  const near = useOperation(
    'plant/positions',
    { ...filter, ...section },
    { enabled: isNear, keepPrevious: true },
  );
  if (all.error && !all.data) return <Failed error={all.error} again={() => void all.refetch()} />;
  const marks = (isNear && near.data) || all.data || [];
  return (
    <WorldMap
      source={source}
      label={t.mapLabel}
      hint={
        all.data?.length === 0
          ? t.withoutPosition
          : matchMedia('(pointer: coarse)').matches
            ? t.mapHintTouch
            : t.mapHint
      }
      start={(size) => all.data && viewOf(all.data, size)}
      startLabel={t.fit}
      onView={setSeen}
    >
      {({ view, size, zoomAt }) => (
        <Marks
          marks={marksOf(marks, view, view.scale >= nearest)}
          size={size}
          onOpen={(at) => zoomAt(4, at)}
        />
      )}
    </WorldMap>
  );
}

/** The view of all marks, or of the whole world if there are none. */
const viewOf = (
  marks: readonly { readonly latitude?: number; readonly longitude?: number }[],
  size: Size,
): View =>
  marks.length > 0
    ? fitting(
        marks.map(({ latitude, longitude }) => ({ latitude: latitude!, longitude: longitude! })),
        size,
      )
    : wholeWorld(size);
