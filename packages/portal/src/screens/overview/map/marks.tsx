import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormats } from '../../../i18n/formats.ts';
import { texts as shared } from '../../../parts/texts/index.ts';
import { texts } from '../texts/index.ts';
import styles from './marks.module.css';
import type { Size } from '../../../parts/map/view.ts';
import type { Mark } from './groups.ts';

interface MarksProps {
  readonly marks: readonly Mark[];
  readonly size: Size;
  /** Called with the place on the screen of several plants that share a mark. */
  readonly onOpen: (at: readonly [number, number]) => void;
}

/** How far outside the map marks are still drawn, so that they do not pop up at its edge. */
const MARGIN_PX = 20;

/** The plants on the map: links to single ones, and buttons that come closer where several share a mark. */
export function Marks({ marks, size, onOpen }: MarksProps): ReactNode {
  const t = texts.useTexts();
  const { state: names } = shared.useTexts();
  const formats = useFormats();
  return marks.map((mark) => {
    const { plant, plants, state } = mark;
    const [x, y] = mark.at;
    if (
      x < -MARGIN_PX ||
      y < -MARGIN_PX ||
      x > size.width + MARGIN_PX ||
      y > size.height + MARGIN_PX
    )
      return null;
    const place = { transform: `translate(${x}px, ${y}px) translate(-50%, -50%)` };
    if (plant?.id !== undefined) {
      const { id, name } = plant;
      const word = names[state];
      return (
        <Link
          key={id}
          to="/plants/$id"
          params={{ id }}
          className={styles.mark}
          data-state={state}
          style={place}
          aria-label={`${name}, ${word}`}
          draggable={false}
        >
          <bdi className={styles.name}>{name}</bdi>
        </Link>
      );
    }
    const count = formats.number(plants, 0);
    return (
      <button
        key={`${x},${y}`}
        type="button"
        className={styles.several}
        data-state={state}
        style={place}
        aria-label={t.together(count)}
        onClick={() => onOpen([x, y])}
      >
        {count}
      </button>
    );
  });
}
