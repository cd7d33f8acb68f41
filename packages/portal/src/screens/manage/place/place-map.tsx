import type { ReactNode } from 'react';
import { project } from '../../../parts/map/projection.ts';
import { fitting, wholeWorld, type Position } from '../../../parts/map/view.ts';
import { WorldMap } from '../../../parts/map/world-map.tsx';
import { useSession } from '../../../session/session-context.ts';
import styles from './place-fields.module.css';
import { texts } from '../texts/index.ts';

interface PlaceMapProps {
  readonly position: Position | undefined;
  readonly onChange: (position: Position) => void;
}

/** The map on which the place of a plant is pointed at. */
export function PlaceMap({ position, onChange }: PlaceMapProps): ReactNode {
  const t = texts.useTexts();
  const source = useSession().session?.map ?? undefined;
  return (
    <WorldMap
      source={source}
      label={t.placeMap}
      hint={t.placeHint}
      className={styles.map}
      start={(size) => (position ? fitting([position], size) : wholeWorld(size))}
      startLabel={t.showPlace}
      place={position}
      onPick={onChange}
    >
      {({ view, size }) => {
        if (!position) return null;
        const [px, py] = project(position.latitude, position.longitude);
        const [x, y] = [px * view.scale + view.x, py * view.scale + view.y];
        if (x < 0 || y < 0 || x > size.width || y > size.height) return null;
        return (
          <span
            className={styles.here}
            data-place
            style={{ transform: `translate(${x}px, ${y}px) translate(-50%, -50%)` }}
          />
        );
      }}
    </WorldMap>
  );
}
