import { DAY_MS } from '@helioport/contract/durations';
import type { BaselineName, DeliveryRow } from '@helioport/contract';
import { tariffZonesOf } from '../../../fleet/plants/tariffs/begin.ts';
import { findAsked } from './asked-history.ts';
import { stretches } from './asked-spans.ts';
import { LOOK_BACK_DAYS, neededSince } from './baselines.ts';
import { csvLines } from './delivery-csv.ts';
import { deliveryRows } from './delivery-rows.ts';
import { readMeasured, type DeliverySources } from './measured-device.ts';

/** What is to be proved. */
export interface DeliveryRequest {
  readonly strategyId: string;
  readonly baseline: BaselineName;
  readonly lengthMs: number;
  readonly fromAt: number;
  readonly toAt: number;
}

/** Proof for one device: its rows, and these as lines of a file. */
export interface DeviceDelivery {
  readonly rows: readonly DeliveryRow[];
  readonly csv: string;
}

/** What a device of a strategy was asked and did, while it was in a plant. */
export async function readDelivery(
  sources: DeliverySources,
  { sn, plantId }: { readonly sn: string; readonly plantId: string },
  { strategyId, baseline, lengthMs, fromAt, toAt }: DeliveryRequest,
): Promise<DeviceDelivery> {
  const { db } = sources;
  const device = await db
    .selectFrom('strategyDevice as sd')
    .innerJoin('device', 'device.id', 'sd.deviceId')
    .select(['sd.deviceId', 'device.expectedSeconds'])
    .where('sd.strategyId', '=', strategyId)
    .where('device.sn', '=', sn)
    .executeTakeFirstOrThrow();
  const zones = await tariffZonesOf(db, plantId);
  const placed = { ...device, sn, plantId, zones };
  // A day more, for the beginning of the first one.
  const every = await findAsked(db, placed, fromAt - (LOOK_BACK_DAYS + 1) * DAY_MS, toAt);
  const spans = (every.get(strategyId) ?? [])
    .filter((span) => span.toAt > fromAt)
    .map((span) => ({ ...span, fromAt: Math.max(span.fromAt, fromAt) }));
  if (spans.length === 0) return { rows: [], csv: '' };
  const asked = stretches([...every.values()].flat().toSorted((a, b) => a.fromAt - b.fromAt));
  const measured = await readMeasured(
    sources,
    placed,
    neededSince(baseline, { zones, asked }, spans[0]!.fromAt, toAt),
    toAt,
  );
  const rows = deliveryRows(measured, { spans, asked, baseline, lengthMs });
  return { rows, csv: csvLines(rows, zones) };
}
