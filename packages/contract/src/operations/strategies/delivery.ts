import { EXAMPLE_STRATEGY_ID, exampleInverter } from '../../examples.ts';
import { an, ownRecord, ownRecords } from '../../records/own.ts';
import { defineOperation } from '../../operation.ts';
import { meaning, required } from '../../parameters.ts';
import { choice, id, instant, integer, textInput } from '../../scalars.ts';
import { baselineNames, type DeliveryRow, type StrategyDelivery } from '../../strategy-delivery.ts';

const rows = ownRecords<DeliveryRow>(
  'a settlement interval, or the part of it in which the device was asked for one thing',
  {
    sn: an.text('serial number of the device'),
    startAt: an.instant('its beginning'),
    endAt: an.instant('its end, excluded'),
    payload: an.text(
      'what was asked for: charge, discharge, selfUse, hold, exportLimit, off or setPoint',
    ),
    measuredAt: an.text('where the powers count: battery or connection'),
    askedKw: an.number(
      'the power that was asked for, + is export; missing if none was, as with self-use',
    ),
    measuredKw: an.number('the mean power over the time that was measured'),
    connectionKw: an.number(
      'the mean power at the plant’s connection, over the time that it was measured',
    ),
    baselineKw: an.number(
      'the mean power that there would have been without the strategy, by the baseline; missing if it cannot be known',
    ),
    baselineDays: an.number('on how many comparable days the baseline rests'),
    deliveredKwh: an.number('the energy beyond the baseline over the time that was measured'),
    gapSeconds: an.number('time without measurement, for which nothing is added'),
    socPercent: an.number('state of charge as last measured in the interval'),
  },
);

const delivery = ownRecord<StrategyDelivery>('proof of what the devices of a strategy did', {
  baseline: an.text('the baseline'),
  intervalMinutes: an.number('length of a settlement interval'),
  fromAt: an.instant('the beginning of the time that is covered'),
  toAt: an.instant('its end, excluded'),
  rows: rows.schema,
  csv: an.text(
    'the rows as a file: CSV with a header, instants on the plants’ clocks; only if it was asked for',
  ),
  next: an.text('send this as `after` for the devices that follow; missing if there are none'),
});

/** Devices of one answer. */
export const DELIVERY_DEVICES_AT_MOST = 50;

const exampleDelivery: StrategyDelivery = {
  baseline: 'tenDays',
  intervalMinutes: 15,
  fromAt: 1_793_966_400_000,
  toAt: 1_793_967_300_000,
  rows: [
    {
      sn: exampleInverter.sn,
      startAt: 1_793_966_400_000,
      endAt: 1_793_967_300_000,
      payload: 'discharge',
      measuredAt: 'battery',
      askedKw: 3,
      measuredKw: 2.98,
      connectionKw: 2.31,
      baselineKw: 0.41,
      baselineDays: 10,
      deliveredKwh: 0.643,
      gapSeconds: 0,
      socPercent: 71,
    },
  ],
  csv: null,
  next: null,
};

export const strategyDelivery = defineOperation({
  family: 'strategies',
  own: true,
  permission: 'read',
  doors: ['oauth', 'signed', 'portal', 'operator'],
  scope: 'control_device',
  write: false,
  id: 'strategy/delivery',
  summary:
    'Proves what the devices of a strategy did: asked and measured power, against a baseline.',
  description:
    'Charging, discharging, holding and shares of a set point are measured at the battery, everything else at the plant’s connection. `tenDays` is the mean of the same hours on the last ten days of the same kind (Monday to Friday, or weekend) within 60 days, on which no strategy asked the device for anything; with fewer than five, it is unknown. `meterBeforeAfter` is the mean of the quarter of an hour before the device was asked for anything.',
  request: {
    id: required(meaning('id of the strategy', id('id'))),
    baseline: meaning('the baseline; by default, tenDays', choice(baselineNames, 'baseline')),
    intervalMinutes: meaning(
      'length of a settlement interval: 5, 15, 30 or 60 minutes; by default, 15',
      integer({ min: 5, max: 60 }, 'intervalMinutes'),
    ),
    from: meaning(
      'the beginning of the time that is covered; by default, that of the strategy',
      instant('from'),
    ),
    to: meaning(
      'its end, at most 31 days later; by default, the end of the strategy, or now',
      instant('to'),
    ),
    sn: meaning('only this device', textInput(64, 'sn')),
    after: meaning(
      'only devices that follow the one with this serial number',
      textInput(64, 'after'),
    ),
    limit: meaning(
      'maximum number of devices; 10 by default',
      integer({ min: 1, max: DELIVERY_DEVICES_AT_MOST }, 'limit'),
    ),
    format: meaning(
      'csv: the rows as a file, in `csv`; by default, json',
      choice(['json', 'csv'], 'format'),
    ),
  },
  response: {
    ...delivery,
    project: (output: StrategyDelivery) => ({
      ...delivery.project(output),
      ...(output.rows && { rows: rows.project(output.rows) }),
    }),
  },
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: {
    request: { id: EXAMPLE_STRATEGY_ID },
    data: { ...delivery.project(exampleDelivery), rows: rows.project(exampleDelivery.rows!) },
  },
});
