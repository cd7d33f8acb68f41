import { HOUR_MS } from '@helioport/contract/durations';
import type { BaselineName, DeliveryRow, MeasuringPoint } from '@helioport/contract';
import type { Zones } from '../../../platform/calendar/plant-calendar.ts';
import { offsetAt } from '../../../platform/calendar/plant-calendar.ts';
import type { AskedSpan } from './asked-spans.ts';
import { createBaseline, type MeasuredPower } from './baselines.ts';
import { meanPower, type PowerPoint } from './mean-power.ts';

/** One device of a strategy, as measured; both powers + export. */
export interface DeviceMeasured {
  readonly sn: string;
  readonly zones: Zones;
  /** Ascending. */
  readonly battery: readonly PowerPoint[];
  readonly connection: readonly PowerPoint[];
  readonly socs: readonly { readonly at: number; readonly percent: number }[];
  /** Readings further apart leave a gap, ms. */
  readonly bridgeMs: number;
}

export interface DeliveryQuestion {
  /** What the strategy asked of the device, ascending. */
  readonly spans: readonly AskedSpan[];
  /** All times in which any strategy asked it for something, ascending and apart. */
  readonly asked: MeasuredPower['asked'];
  readonly baseline: BaselineName;
  /** Length of a settlement interval, ms; it divides an hour. */
  readonly lengthMs: number;
}

export function deliveryRows(
  device: DeviceMeasured,
  { spans, asked, baseline, lengthMs }: DeliveryQuestion,
): DeliveryRow[] {
  const { sn, zones, socs, bridgeMs } = device;
  const points = { battery: device.battery, connection: device.connection };
  const estimate = {
    battery: createBaseline(baseline, { zones, points: points.battery, bridgeMs, asked }),
    connection: createBaseline(baseline, { zones, points: points.connection, bridgeMs, asked }),
  };
  let soc = 0;
  return spans.flatMap((span) =>
    settlementIntervals(zones, span, lengthMs).map(({ fromAt, toAt }): DeliveryRow => {
      const measuredAt = measuringPoint(span.payload);
      const { powerW, gapMs } = meanPower(points[measuredAt], fromAt, toAt, bridgeMs);
      const without = estimate[measuredAt](fromAt, toAt);
      const hours = (toAt - fromAt - gapMs) / HOUR_MS;
      while (soc < socs.length && socs[soc]!.at <= toAt) soc += 1;
      const last = socs[soc - 1];
      return {
        sn,
        startAt: fromAt,
        endAt: toAt,
        payload: span.payload,
        measuredAt,
        askedKw: kilo(span.powerW),
        measuredKw: kilo(powerW),
        connectionKw: kilo(meanPower(points.connection, fromAt, toAt, bridgeMs).powerW),
        baselineKw: kilo(without.powerW),
        baselineDays: without.days,
        deliveredKwh:
          powerW === null || without.powerW === null
            ? null
            : kilo((powerW - without.powerW) * hours),
        gapSeconds: Math.round(gapMs / 1000),
        socPercent: last && last.at > fromAt ? last.percent : null,
      };
    }),
  );
}

/** A share of a set point is what a battery adds to the idle power of its plant. What is not asked of batteries shows at the connection. */
const measuringPoint = (payload: AskedSpan['payload']): MeasuringPoint =>
  payload === 'charge' || payload === 'discharge' || payload === 'hold' || payload === 'setPoint'
    ? 'battery'
    : 'connection';

/** From W to kW, to a thousandth. */
const kilo = (watts: number | null): number | null =>
  watts === null ? null : Math.round(watts) / 1000 || 0;

/** Cuts a span where the plant's clock shows a multiple of the length. */
function settlementIntervals(
  zones: Zones,
  span: Pick<AskedSpan, 'fromAt' | 'toAt'>,
  lengthMs: number,
): { readonly fromAt: number; readonly toAt: number }[] {
  const intervals: { fromAt: number; toAt: number }[] = [];
  for (let fromAt = span.fromAt; fromAt < span.toAt;) {
    const toAt = Math.min(
      span.toAt,
      fromAt + lengthMs - ((fromAt + offsetAt(zones, fromAt)) % lengthMs),
    );
    intervals.push({ fromAt, toAt });
    fromAt = toAt;
  }
  return intervals;
}
