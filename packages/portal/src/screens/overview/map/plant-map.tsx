import { ActionIcon } from '@mantine/core';
import type { PlantState } from '@helioport/contract';
import { useEffect, useEffectEvent, useMemo, useRef, useState, type PointerEvent, type ReactNode } from 'react';
import { PlusIcon, WholeIcon, ZoomOutIcon } from '../../../parts/icons.tsx';
import { Failed } from '../../../parts/states.tsx';
import { useSession } from '../../../session/session-context.ts';
import { useOperation } from '../../../wire/queries.ts';
import { texts } from '../texts/index.ts';
import { Marks } from './marks.tsx';
import { loadOutlines, type Outlines } from './outlines.ts';
import styles from './plant-map.module.css';
import { Tiles } from './tiles.tsx';
import { fitting, NEAREST, NEAREST_WITH_TILES, sectionOf, within, zoomed, type Size, type View } from './view.ts';

/** From this scale on, the coarse outlines look like a drawing by a child. */
const FINE_FROM = 4;

/** Marks are asked for when the map has come to rest. */
const REST_MS = 200;

interface PlantMapProps {
  readonly search?: string;
  readonly state?: PlantState;
}

/**
 * Where the plants are. The map is drawn from outlines that come with the portal, so that nobody else is told where anybody's plants are;
 * only where the operator names a source of tiles, that is asked for the sections that are looked at.
 */
export function PlantMap({ search, state }: PlantMapProps): ReactNode {
  const t = texts.useTexts();
  const source = useSession().session?.map ?? undefined;
  const nearest = source ? NEAREST_WITH_TILES : NEAREST;
  const frame = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size>();
  const [moved, setMoved] = useState<View>();
  const [rest, setRest] = useState<View>();
  const filter = { ...(search !== undefined && { search }), ...(state && { states: state }) };
  const all = useOperation('plant/positions', filter);
  const isNear = Boolean(size && rest && rest.scale > (size.width / 1000) * 1.5);
  const section = size && rest && isNear ? sectionOf(rest, size) : undefined;
  const near = useOperation('plant/positions', { ...filter, ...section }, { enabled: isNear, keepPrevious: true });

  useEffect(() => {
    const sizes = new ResizeObserver(([entry]) => setSize({ width: entry!.contentRect.width, height: entry!.contentRect.height }));
    sizes.observe(frame.current!);
    return () => sizes.disconnect();
  }, []);

  const everything = useMemo(() => size && all.data && viewOf(all.data, size), [all.data, size]);
  // Until somebody moves it, the map shows all plants.
  const view = moved ?? everything;
  const outlines = useOutlines(view !== undefined && view.scale > FINE_FROM);
  useEffect(() => {
    const pause = setTimeout(() => setRest(view), REST_MS);
    return () => clearTimeout(pause);
  }, [view]);

  const zoomAt = (factor: number, at?: readonly [number, number]): void => {
    if (size && view) setMoved(zoomed(view, factor, at ?? [size.width / 2, size.height / 2], size, nearest));
  };
  useWheel(frame, zoomAt);
  const drag = useDrag((dx, dy) => {
    if (size && view) setMoved(within({ ...view, x: view.x + dx, y: view.y + dy }, size, nearest));
  });

  if (all.error && !all.data) return <Failed error={all.error} again={() => void all.refetch()} />;
  const marks = (isNear && near.data) || all.data || [];
  return (
    <section className={styles.map} aria-label={t.mapLabel}>
      <div ref={frame} className={styles.frame} {...drag}>
        {view && size && (
          <>
            {view.scale <= NEAREST && (
              <svg className={styles.earth} width={size.width} height={size.height} aria-hidden="true">
                <g transform={`translate(${view.x} ${view.y}) scale(${view.scale})`}>
                  <path className={styles.land} d={outlines?.land} />
                  <path className={styles.borders} d={outlines?.borders} />
                </g>
              </svg>
            )}
            {source && <Tiles template={source.tiles} view={view} size={size} />}
            <Marks marks={marks} view={view} size={size} onOpen={(at) => zoomAt(4, at)} />
          </>
        )}
        {source && <p className={styles.source}>{source.attribution}</p>}
      </div>
      <div className={styles.buttons}>
        <ActionIcon variant="default" size="lg" aria-label={t.zoomIn} onClick={() => zoomAt(2)}>
          <PlusIcon />
        </ActionIcon>
        <ActionIcon variant="default" size="lg" aria-label={t.zoomOut} onClick={() => zoomAt(0.5)}>
          <ZoomOutIcon />
        </ActionIcon>
        <ActionIcon variant="default" size="lg" aria-label={t.fit} onClick={() => setMoved(undefined)}>
          <WholeIcon />
        </ActionIcon>
      </div>
      <p className={styles.hint}>{all.data?.length === 0 ? t.withoutPosition : t.mapHint}</p>
    </section>
  );
}

/** The view of all marks, or of the whole world if there are none. */
const viewOf = (marks: readonly { readonly latitude?: number; readonly longitude?: number }[], size: Size): View =>
  marks.length > 0
    ? fitting(
        marks.map(({ latitude, longitude }) => ({ latitude: latitude!, longitude: longitude! })),
        size,
      )
    : within({ scale: 0, x: 0, y: 0 }, size);

/** The outlines; finer ones once they are needed and have arrived. */
function useOutlines(isFine: boolean): Outlines | undefined {
  const [outlines, setOutlines] = useState<{ readonly coarse?: Outlines; readonly fine?: Outlines }>({});
  const detail = isFine ? 'fine' : 'coarse';
  const isLoaded = outlines[detail] !== undefined;
  useEffect(() => {
    // Without them there are still the marks.
    if (!isLoaded)
      loadOutlines(detail).then(
        (loaded) => setOutlines((others) => ({ ...others, [detail]: loaded })),
        () => undefined,
      );
  }, [detail, isLoaded]);
  return outlines[detail] ?? outlines.coarse ?? outlines.fine;
}

/** Moves by pointer, once it has moved far enough not to be a click on a mark. */
function useDrag(
  onMove: (dx: number, dy: number) => void,
): Record<'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel', (event: PointerEvent<HTMLElement>) => void> {
  const last = useRef<readonly [number, number]>(undefined);
  const end = (): void => {
    last.current = undefined;
  };
  return {
    onPointerDown: ({ clientX, clientY, button }) => {
      if (button === 0) last.current = [clientX, clientY];
    },
    onPointerMove: ({ clientX, clientY, currentTarget, pointerId }) => {
      if (!last.current) return;
      const [dx, dy] = [clientX - last.current[0], clientY - last.current[1]];
      if (!currentTarget.hasPointerCapture(pointerId) && Math.hypot(dx, dy) < 4) return;
      currentTarget.setPointerCapture(pointerId);
      last.current = [clientX, clientY];
      onMove(dx, dy);
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}

/** Zooms with the wheel, which React's own events cannot keep from moving the page. */
function useWheel(frame: { readonly current: HTMLElement | null }, zoomAt: (factor: number, at: readonly [number, number]) => void): void {
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
