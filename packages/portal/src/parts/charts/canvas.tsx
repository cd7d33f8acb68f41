import { useEffect, useEffectEvent, useRef, type KeyboardEvent, type ReactNode } from 'react';
import type uPlot from 'uplot';
import styles from './canvas.module.css';

interface CanvasProps {
  readonly label: string;
  readonly create: (element: HTMLElement) => uPlot;
  /** Called with the plot once it is there, and with undefined when it goes. */
  readonly onPlot: (plot: uPlot | undefined) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** Where curves are drawn. With another key it is drawn anew, since a plot keeps its curves, colours and language. */
export function Canvas({ label, create, onPlot, onKeyDown }: CanvasProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const draw = useEffectEvent(create);
  const tell = useEffectEvent(onPlot);
  useEffect(() => {
    const element = place.current!;
    const plot = draw(element);
    tell(plot);
    const sizes = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: plot.height }),
    );
    sizes.observe(element);
    return () => {
      sizes.disconnect();
      plot.destroy();
      tell(undefined);
    };
  }, []);
  return (
    // The arrow keys read the curves point by point.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={place}
      className={styles.place}
      role="img"
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onKeyDown={onKeyDown}
    />
  );
}
