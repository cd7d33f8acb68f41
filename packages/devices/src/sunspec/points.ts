import { readFileSync } from 'node:fs';

/** A point of a model, as its standard says it. */
export interface Point {
  readonly name: string;
  /** From the beginning of the model; of a repeated part, from that of its first repetition. */
  readonly offset: number;
  readonly type: PointType;
  readonly words: number;
  /** Name of the point with its power of ten. */
  readonly scaleFactor: string | null;
  readonly unit: string;
  /** The quantity that it stands for; `{n}` is the number of the repetition. */
  readonly quantity: string | null;
}

export type PointType = keyof typeof WIDTHS | 'string';

const WIDTHS = {
  uint16: 1,
  int16: 1,
  enum16: 1,
  bitfield16: 1,
  count: 1,
  type: 1,
  sunssf: 1,
  uint32: 2,
  int32: 2,
  acc32: 2,
  bitfield32: 2,
  float32: 2,
  uint64: 4,
  acc64: 4,
} as const;

let table: Readonly<Record<string, string>> | undefined;

/** The points of a model, or of its repeated part; empty if the model is not used here. */
export function pointsOf(model: number, part: 'fixed' | 'repeated' = 'fixed'): readonly Point[] {
  table ??= JSON.parse(readFileSync(new URL('points.json', import.meta.url), 'utf8')) as Record<
    string,
    string
  >;
  const text = table[part === 'fixed' ? String(model) : `${model}+`];
  return text?.split('; ').map(pointOf) ?? [];
}

function pointOf(text: string): Point {
  const [name = '', offset = '', kind = '', scaleFactor = '-', unit = '-', quantity = '-'] =
    text.split(' ');
  const [, type = '', length = ''] = /^(string)(\d+)$/.exec(kind) ?? [undefined, kind];
  return {
    name,
    offset: Number(offset),
    type: type as PointType,
    words: length === '' ? WIDTHS[type as keyof typeof WIDTHS] : Number(length),
    scaleFactor: scaleFactor === '-' ? null : scaleFactor,
    unit: unit === '-' ? '' : unit.replaceAll('_', ' '),
    quantity: quantity === '-' ? null : quantity,
  };
}
