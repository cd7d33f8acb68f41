import type { DeliveryRow } from '@helioport/contract';
import { instantText } from '../../../platform/calendar/instant-text.ts';
import type { Zones } from '../../../platform/calendar/plant-calendar.ts';
import { csvField } from '../../../platform/kernel/csv-field.ts';

const COLUMNS = [
  'sn',
  'start',
  'end',
  'payload',
  'measured_at',
  'asked_kw',
  'measured_kw',
  'connection_kw',
  'baseline_kw',
  'baseline_days',
  'delivered_kwh',
  'gap_seconds',
  'soc_percent',
] as const;

/** The header of the file, RFC 4180. */
export const CSV_HEADER = `${COLUMNS.join(',')}\r\n`;

/** Rows of one plant as lines of the file; what is not known is empty, and instants are on the plant's clock with their offset. */
export const csvLines = (rows: readonly DeliveryRow[], zones: Zones): string =>
  rows
    .map((row) => {
      const {
        sn,
        startAt,
        endAt,
        payload,
        measuredAt,
        askedKw,
        measuredKw,
        connectionKw,
        baselineKw,
        baselineDays,
        deliveredKwh,
        gapSeconds,
        socPercent,
      } = row;
      const times = [startAt, endAt].map((at) => instantText(zones, at));
      const numbers = [
        askedKw,
        measuredKw,
        connectionKw,
        baselineKw,
        baselineDays,
        deliveredKwh,
        gapSeconds,
        socPercent,
      ].map((value) => value ?? '');
      return `${[csvField(sn), ...times, payload, measuredAt, ...numbers].join(',')}\r\n`;
    })
    .join('');
