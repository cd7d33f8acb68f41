import { meaning } from './parameters.ts';
import {
  day,
  id,
  integer,
  listInput,
  month,
  number,
  pageNo,
  pageSize,
  textInput,
  year,
} from './scalars.ts';

// Parameters that several operations share. Keys are our own names; the wire names are the arguments.

/** Parameters of every list. */
export const paging = {
  pageNo: meaning('number of the page, starting at 1', pageNo),
  pageSize: meaning('records per page', pageSize),
  fromId: meaning(
    'only records with this id or a higher one, as a cursor instead of the page number; totals and counters are not affected',
    id('minId'),
  ),
};

/** Parameters accepted because existing clients send them; days are those of the plant, amounts are in its currency. */
export const display = {
  currency: meaning(
    'ignored: amounts are in the plant’s own currency, which the answer names',
    textInput(16, 'money'),
  ),
  timeZoneHours: meaning(
    'validated but ignored: days are those of the plant',
    number({ min: -12, max: 14 }, 'timeZone', 'timezone'),
  ),
};

export const nmiCode = meaning(
  'meter id of an Australian plant',
  textInput(32, 'nmiCode', 'nmicode'),
);

/** Parameters that name one plant. */
export const plantKey = { id: meaning('id of the plant', id('id', 'stationId')), nmiCode };

/** Parameters that name one device. */
export const deviceKey = {
  id: meaning('id of the device', id('id')),
  sn: meaning('serial number of the device', textInput(64, 'sn')),
};

/** Parameters that select the devices of one plant. */
export const ofPlant = { plantId: meaning('only devices of this plant', id('stationId')), nmiCode };

export const plantIds = meaning('only these plants', listInput(1000, 'idList', 'stationIds'));

export const serialNumbers = meaning(
  'only the devices with these serial numbers',
  listInput(1000, 'snList'),
);

/** Guests are people with whom a plant is shared. Callers always see what is shared with them, so this parameter has no effect. */
export const stationType = meaning(
  'kind of account (3 guest): accepted but ignored',
  integer({ min: 0, max: 99 }, 'stationType'),
);

export const dayOfChart = meaning('the plant’s local day; today by default', day('time'));

/** Parameters of operations on one device that is named by serial number; its id is accepted as well. */
export const bySerial = { sn: deviceKey.sn, id: deviceKey.id };

export const monthOfChart = meaning(
  'the plant’s local month; the current one by default',
  month('month', 'time'),
);
export const yearOfChart = meaning(
  'the plant’s local year; the current one by default',
  year('year', 'time'),
);

/** In the energy lists, the period is always called `time`. */
export const energyPeriod = {
  day: dayOfChart,
  month: meaning('the plants’ local month; the current one by default', month('time', 'month')),
  year: meaning('the plants’ local year; the current one by default', year('time', 'year')),
};
