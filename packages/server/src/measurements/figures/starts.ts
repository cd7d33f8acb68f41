import {
  LAST_MONTH,
  daysOfMonth,
  dayWindow,
  type Zones,
} from '../../platform/calendar/plant-calendar.ts';
import { keepBindingStarts, type BindingStart } from '../../fleet/plants/binding-starts.ts';
import type { Binding } from '../../fleet/plants/bindings.ts';
import type { ChannelEnergies, Ends } from '../telemetry/telemetry.ts';
import { boundDay, partsOfDay, type DayPart } from './day-windows.ts';
import { earliest, type MeasuredBinding } from './measured-bindings.ts';
import type { FigureSources } from './sources.ts';

/** When bindings first reported and first produced, by binding number; bindings that never reported are omitted. */
export type Starts = ReadonlyMap<number, Start>;

type Start = Pick<BindingStart, 'reportedAt' | 'producedAt'>;

/** The earliest first reading and first production among bindings; undefined if none is known. */
export const firstTimes = (bindings: readonly MeasuredBinding[], starts: Starts) => ({
  firstReportAt: earliest(bindings.map(({ binding }) => starts.get(binding.no)?.reportedAt)),
  firstProductionAt: earliest(
    bindings.map(({ binding }) => starts.get(binding.no)?.producedAt ?? undefined),
  ),
});

const hasProduced = ({ energies }: { readonly energies: ChannelEnergies }): boolean =>
  (energies.production?.energyKwh ?? 0) > 0;

/**
 * The starts of bindings. They are searched for once and then stored: if all are known, no statement is needed. `zonesOf` returns the zones
 * of a binding's plant.
 */
export async function findStarts(
  sources: FigureSources,
  bindings: readonly MeasuredBinding[],
  zonesOf: (binding: Binding) => Zones,
  ends?: Ends,
): Promise<Starts> {
  const { db } = sources;
  const telemetry = ends?.beginnings ?? sources.telemetry;
  const starts = new Map<number, Start>();
  const [silent, unproductive]: [Binding[], MeasuredBinding[]] = [[], []];
  for (const measured of bindings) {
    const { binding, latest } = measured;
    if (!latest) continue;
    if (isStart(binding)) starts.set(binding.no, binding);
    else silent.push(binding);
    if (mayHaveProduced(measured)) unproductive.push(measured);
  }
  if (silent.length === 0 && unproductive.length === 0) return starts;
  const found =
    silent.length === 0
      ? new Map<number, number>()
      : await telemetry.firstReportsOf(
          db,
          silent.map(({ no }) => no),
        );
  const produced = await findProduced({ ...sources, telemetry }, unproductive, zonesOf);
  const later = unproductive.filter(({ binding: { no } }) => {
    const first = ends?.first.get(no);
    return first && !first.isAll && !first.days.some(hasProduced);
  });
  for (const [no, at] of await findProduced(sources, later, zonesOf)) produced.set(no, at);
  const news = [...new Set([...silent, ...unproductive.map(({ binding }) => binding)])].flatMap(
    (binding): BindingStart[] => {
      const reportedAt = binding.reportedAt ?? found.get(binding.no);
      if (reportedAt === undefined || !(found.has(binding.no) || produced.has(binding.no)))
        return [];
      return [
        { binding, reportedAt, producedAt: binding.producedAt ?? produced.get(binding.no) ?? null },
      ];
    },
  );
  for (const { binding, reportedAt, producedAt } of news)
    starts.set(binding.no, { reportedAt, producedAt });
  // If they cannot be stored now, they are searched for again next time.
  await keepBindingStarts(db, news).catch(() => undefined);
  return starts;
}

const isStart = (binding: Binding): binding is Binding & Start => binding.reportedAt !== null;

/** Whether there is something to look for among a binding's first days. */
export const mayHaveStart = ({ kind, reportedAt, producedAt }: Binding): boolean =>
  kind === 'inverter' && (reportedAt === null || producedAt === null);

const mayHaveProduced = ({ binding: { kind, producedAt }, energies }: MeasuredBinding): boolean =>
  kind === 'inverter' && producedAt === null && (energies.production?.totalKwh ?? 0) > 0;

/**
 * For each inverter, the time of the first reading that shows energy. It is searched for in the first month with energy, and then in its first day
 * with energy. If no reading of that day shows it (it was spread over a day without readings, or the readings no longer exist), production
 * began at an unknown time of that day: its beginning is taken.
 */
async function findProduced(
  { db, telemetry }: FigureSources,
  inverters: readonly MeasuredBinding[],
  zonesOf: (binding: Binding) => Zones,
): Promise<Map<number, number>> {
  const produced = new Map<number, number>();
  if (inverters.length === 0) return produced;
  const byNo = new Map(inverters.map(({ binding }) => [binding.no, binding]));
  const months = (await telemetry.monthsOf(db, [...byNo.keys()], 0, LAST_MONTH)).filter(
    hasProduced,
  );
  const parts = new Map<number, DayPart[]>();
  for (const [month, nos] of groupFirst(
    months.map(({ bindingNo, month: period }) => ({ bindingNo, period })),
  )) {
    const { fromDay, toDay } = daysOfMonth(month);
    const days = (await telemetry.daysOf(db, nos, fromDay, toDay)).filter(hasProduced);
    for (const [day, ofDay] of groupFirst(
      days.map(({ bindingNo, day: period }) => ({ bindingNo, period })),
    )) {
      const onDay = ofDay.flatMap((no) =>
        partsOfDay([byNo.get(no)!], dayWindow(zonesOf(byNo.get(no)!), day)),
      );
      parts.set(day, [...(parts.get(day) ?? []), ...onDay]);
    }
  }
  for (const [day, onDay] of parts) {
    const curves = await telemetry.dayCurves(db, day, onDay.map(boundDay), true);
    for (const [i, curve] of curves.entries()) {
      const first = curve.find(({ energies }) => (energies.production?.dayKwh ?? 0) > 0);
      const { binding, fromAt, toAt } = onDay[i]!;
      if (!first) {
        produced.set(binding.no, fromAt);
        continue;
      }
      // The energy of the day's last point includes what was yielded after that point. If the total has not grown since the point before, production
      // began only after the last one.
      const isAfterwards =
        first === curve.at(-1) &&
        first.energies.production?.totalKwh === curve.at(-2)?.energies.production?.totalKwh;
      produced.set(binding.no, isAfterwards ? toAt : first.at);
    }
  }
  return produced;
}

/** Binding numbers, grouped by each binding's first period. */
function groupFirst(
  periods: readonly { readonly bindingNo: number; readonly period: number }[],
): Map<number, number[]> {
  const first = new Map<number, number>();
  for (const { bindingNo, period } of periods)
    if (period < (first.get(bindingNo) ?? Infinity)) first.set(bindingNo, period);
  const groups = new Map<number, number[]>();
  for (const [bindingNo, period] of first)
    groups.set(period, [...(groups.get(period) ?? []), bindingNo]);
  return groups;
}
