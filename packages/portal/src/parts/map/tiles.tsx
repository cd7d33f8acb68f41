import type { ReactNode } from 'react';
import { WORLD } from './projection.ts';
import styles from './tiles.module.css';
import type { Size, View } from './view.ts';

/** Side of a tile at the zoom that it was drawn for. */
const TILE_PX = 256;

/** Beyond this zoom most sources have nothing. */
const FINEST = 18;

/** A tile and where it is on the screen. */
export interface Tile {
  readonly key: string;
  readonly url: string;
  readonly left: number;
  readonly top: number;
  readonly side: number;
}

/** The tiles that cover a view; at its zoom, or the nearest that there is. */
export function tilesOf(template: string, { scale, x, y }: View, { width, height }: Size): Tile[] {
  const zoom = Math.max(0, Math.min(FINEST, Math.round(Math.log2((WORLD * scale) / TILE_PX))));
  const across = 2 ** zoom;
  const side = (WORLD * scale) / across;
  const range = (offset: number, length: number): readonly [number, number] => [
    Math.max(0, Math.floor(-offset / side)),
    Math.min(across - 1, Math.ceil((length - offset) / side) - 1),
  ];
  const [left, right] = range(x, width);
  const [top, bottom] = range(y, height);
  const tiles: Tile[] = [];
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      const url = template
        .replaceAll('{z}', String(zoom))
        .replaceAll('{x}', String(column))
        .replaceAll('{y}', String(row));
      tiles.push({
        key: `${zoom}/${column}/${row}`,
        url,
        left: x + column * side,
        top: y + row * side,
        side,
      });
    }
  }
  return tiles;
}

interface TilesProps {
  readonly template: string;
  readonly view: View;
  readonly size: Size;
}

/** Pictures of the map, over the outlines: where one does not come, those are seen. */
export function Tiles({ template, view, size }: TilesProps): ReactNode {
  return tilesOf(template, view, size).map(({ key, url, left, top, side }) => (
    <img
      key={key}
      className={styles.tile}
      src={url}
      alt=""
      draggable={false}
      referrerPolicy="no-referrer"
      style={{
        left: `${left}px`,
        top: `${top}px`,
        width: `${side + 0.5}px`,
        height: `${side + 0.5}px`,
      }}
    />
  ));
}
