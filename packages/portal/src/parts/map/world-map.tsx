import { ActionIcon } from '@mantine/core';
import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
} from 'react';
import { WholeIcon, ZoomInIcon, ZoomOutIcon } from '../icons.tsx';
import { texts } from '../texts/index.ts';
import { loadOutlines, type Outlines } from './outlines.ts';
import { Tiles } from './tiles.tsx';
import {
  centred,
  NEAREST,
  NEAREST_WITH_TILES,
  positionAt,
  within,
  zoomed,
  type Position,
  type Size,
  type View,
} from './view.ts';
import styles from './world-map.module.css';

/** From this scale on, the coarse outlines look like a drawing by a child. */
const FINE_FROM = 4;

/** Beyond that, a pointer that was pressed moves the map. */
const CLICK_PX = 4;

/** What is drawn on the map goes by this. */
export interface MapSight {
  readonly view: View;
  readonly size: Size;
  readonly zoomAt: (factor: number, at: readonly [number, number]) => void;
}

interface WorldMapProps {
  /** Where pictures of the map come from; undefined = there are outlines alone. */
  readonly source: { readonly tiles: string; readonly attribution: string } | undefined;
  readonly label: string;
  readonly hint: string;
  readonly className?: string;
  /** What is shown until somebody moves the map, and again when asked for; undefined as long as that is not known. */
  readonly start: (size: Size) => View | undefined;
  /** What the button that shows it again is called. */
  readonly startLabel: string;
  /** The place that the map is about: it zooms in on that, and goes there when it changes. */
  readonly place?: Position | undefined;
  /** Called with what is seen. */
  readonly onView?: (sight: Pick<MapSight, 'view' | 'size'>) => void;
  /** Called with the place that was clicked. */
  readonly onPick?: (position: Position) => void;
  readonly children: (sight: MapSight) => ReactNode;
}

/**
 * A map of the world. It is drawn from outlines that come with the portal, so that nobody else learns where anybody's plants are;
 * only where the operator names a source of tiles, that is asked for the sections that are looked at.
 */
export function WorldMap({
  source,
  label,
  hint,
  className,
  start,
  startLabel,
  place,
  onView,
  onPick,
  children,
}: WorldMapProps): ReactNode {
  const t = texts.useTexts().chart;
  const nearest = source ? NEAREST_WITH_TILES : NEAREST;
  const frame = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size>();
  const [moved, setMoved] = useState<View>();

  useEffect(() => {
    const sizes = new ResizeObserver(([entry]) =>
      setSize({ width: entry!.contentRect.width, height: entry!.contentRect.height }),
    );
    sizes.observe(frame.current!);
    return () => sizes.disconnect();
  }, []);

  const [shown, setShown] = useState(place);
  if (place?.latitude !== shown?.latitude || place?.longitude !== shown?.longitude) {
    setShown(place);
    const whole = size && start(size);
    // As near as somebody had come, but no further away than the place can be recognized from.
    setMoved(
      place && moved && whole && moved.scale > whole.scale
        ? centred(moved, place, size, nearest)
        : undefined,
    );
  }
  const view = moved ?? (size && start(size));
  const outlines = useOutlines(view !== undefined && view.scale > FINE_FROM);
  const tell = useEffectEvent((sight: Pick<MapSight, 'view' | 'size'>) => onView?.(sight));
  const { scale, x = 0, y = 0 } = view ?? {};
  useEffect(() => {
    if (scale !== undefined && size) tell({ view: { scale, x, y }, size });
  }, [scale, x, y, size]);

  const zoomAt = (factor: number, at?: readonly [number, number]): void => {
    if (size && view)
      setMoved(zoomed(view, factor, at ?? [size.width / 2, size.height / 2], size, nearest));
  };
  const zoomIn = (): void => {
    if (size && view && place)
      setMoved(centred({ ...view, scale: view.scale * 2 }, place, size, nearest));
    else zoomAt(2);
  };
  useWheel(frame, zoomAt);
  const { wasMoved, ...drag } = useDrag((dx, dy) => {
    if (size && view) setMoved(within({ ...view, x: view.x + dx, y: view.y + dy }, size, nearest));
  });
  const pick = ({ clientX, clientY, currentTarget }: MouseEvent<HTMLElement>): void => {
    if (!view || !onPick || wasMoved.current) return;
    const { left, top } = currentTarget.getBoundingClientRect();
    // Otherwise the map would jump to the place.
    setMoved(view);
    const picked = positionAt(view, [
      clientX - left - currentTarget.clientLeft,
      clientY - top - currentTarget.clientTop,
    ]);
    setShown(picked);
    onPick(picked);
  };

  return (
    <section className={styles.map} aria-label={label}>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- what is picked here has fields for the keyboard */}
      <div
        ref={frame}
        className={className ? `${styles.frame} ${className}` : styles.frame}
        {...drag}
        {...(onPick && { onClick: pick, 'data-picks': true })}
      >
        {view && size && (
          <>
            {view.scale <= NEAREST && (
              <svg
                className={styles.earth}
                width={size.width}
                height={size.height}
                aria-hidden="true"
              >
                <g transform={`translate(${view.x} ${view.y}) scale(${view.scale})`}>
                  <path className={styles.land} d={outlines?.land} />
                  <path className={styles.borders} d={outlines?.borders} />
                </g>
              </svg>
            )}
            {source && <Tiles template={source.tiles} view={view} size={size} />}
            {children({ view, size, zoomAt })}
          </>
        )}
        {source && <p className={styles.source}>{source.attribution}</p>}
      </div>
      <div className={styles.buttons}>
        <ActionIcon variant="default" size="lg" aria-label={t.zoomIn} onClick={zoomIn}>
          <ZoomInIcon />
        </ActionIcon>
        <ActionIcon variant="default" size="lg" aria-label={t.zoomOut} onClick={() => zoomAt(0.5)}>
          <ZoomOutIcon />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={startLabel}
          onClick={() => setMoved(undefined)}
        >
          <WholeIcon />
        </ActionIcon>
      </div>
      <p className={styles.hint}>{hint}</p>
    </section>
  );
}

/** The outlines; finer ones once they are needed and have arrived. */
function useOutlines(isFine: boolean): Outlines | undefined {
  const [outlines, setOutlines] = useState<{
    readonly coarse?: Outlines;
    readonly fine?: Outlines;
  }>({});
  const detail = isFine ? 'fine' : 'coarse';
  const isLoaded = outlines[detail] !== undefined;
  useEffect(() => {
    // Without them there is still what is marked.
    if (!isLoaded)
      loadOutlines(detail).then(
        (loaded) => setOutlines((others) => ({ ...others, [detail]: loaded })),
        () => undefined,
      );
  }, [detail, isLoaded]);
  return outlines[detail] ?? outlines.coarse ?? outlines.fine;
}

type PointerHandlers = Record<
  'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel',
  (event: PointerEvent<HTMLElement>) => void
>;

/** Moves by pointer, once it has moved far enough not to be a click. */
function useDrag(
  onMove: (dx: number, dy: number) => void,
): PointerHandlers & { readonly wasMoved: { readonly current: boolean } } {
  const last = useRef<readonly [number, number]>(undefined);
  const wasMoved = useRef(false);
  const end = (): void => {
    last.current = undefined;
  };
  return {
    wasMoved,
    onPointerDown: ({ clientX, clientY, button }) => {
      wasMoved.current = false;
      if (button === 0) last.current = [clientX, clientY];
    },
    onPointerMove: ({ clientX, clientY, currentTarget, pointerId }) => {
      if (!last.current) return;
      const [dx, dy] = [clientX - last.current[0], clientY - last.current[1]];
      if (!currentTarget.hasPointerCapture(pointerId) && Math.hypot(dx, dy) < CLICK_PX) return;
      currentTarget.setPointerCapture(pointerId);
      wasMoved.current = true;
      last.current = [clientX, clientY];
      onMove(dx, dy);
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}

/** Zooms with the wheel, which React's own events cannot keep from moving the page. */
function useWheel(
  frame: { readonly current: HTMLElement | null },
  zoomAt: (factor: number, at: readonly [number, number]) => void,
): void {
  const turn = useEffectEvent((event: WheelEvent) => {
    // Without a key, the wheel is for the page.
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const { left, top } = frame.current!.getBoundingClientRect();
    zoomAt(Math.exp(-event.deltaY / 200), [event.clientX - left, event.clientY - top]);
  });
  useEffect(() => {
    const element = frame.current!;
    const listener = (event: WheelEvent): void => turn(event);
    element.addEventListener('wheel', listener, { passive: false });
    return () => element.removeEventListener('wheel', listener);
  }, [frame]);
}
