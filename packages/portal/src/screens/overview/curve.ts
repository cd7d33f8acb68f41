import { DAY_MS } from '@helioport/contract/durations';

/** Power in steps of a quarter of an hour, W; null where nothing was measured. */
export interface PowerCurve {
  readonly startAt: number;
  readonly powerW: readonly (number | null)[];
}

/** Several plants together; undefined if none was measured. */
export function sumOf(curves: readonly PowerCurve[]): PowerCurve | undefined {
  const [first] = curves;
  if (!first || !curves.some(({ powerW }) => powerW.some((power) => power !== null)))
    return undefined;
  const powerW = first.powerW.map((_, i) => {
    const known = curves.flatMap((curve) => curve.powerW[i] ?? []);
    return known.length === 0 ? null : known.reduce((sum, power) => sum + power, 0);
  });
  return { startAt: first.startAt, powerW };
}

const stepMs = ({ powerW }: PowerCurve): number => DAY_MS / powerW.length;

/** The highest power of a curve, and when its step began. */
export function curvePeakOf(curve: PowerCurve): { readonly powerW: number; readonly at: number } {
  const powerW = Math.max(...curve.powerW.map((power) => power ?? 0));
  return {
    powerW,
    at: curve.startAt + curve.powerW.findIndex((power) => power === powerW) * stepMs(curve),
  };
}
