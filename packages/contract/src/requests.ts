import { meaning } from './parameters.ts';
import { day, id, integer, list, month, number, pageNo, pageSize, text, year } from './scalars.ts';

// Parameters that several operations share. Keys are our own words, the wire's names stand in the calls.

/** Any list. */
export const paging = {
  pageNo: meaning('number of the page, from 1', pageNo),
  pageSize: meaning('records of a page', pageSize),
  fromId: meaning('only records with this id or a later one: a cursor beside the page number, of which totals and counters know nothing', id('minId')),
};

/** Accepted because existing clients send them; days are those of the plant, amounts are in its currency. */
export const display = {
  currency: meaning('the currency that the caller expects; amounts are in the plant’s own, named beside them', text(16, 'money')),
  timeZoneHours: meaning('checked and otherwise without effect: days are those of the plant', number({ min: -12, max: 14 }, 'timeZone', 'timezone')),
};

export const nmiCode = meaning('meter id of an Australian plant', text(32, 'nmiCode', 'nmicode'));

/** One plant. */
export const plantKey = { id: meaning('id of the plant', id('id', 'stationId')), nmiCode };

/** One device. */
export const deviceKey = {
  id: meaning('id of the device', id('id')),
  sn: meaning('serial number of the device', text(64, 'sn')),
};

/** Devices of one plant. */
export const ofPlant = { plantId: meaning('only devices of this plant', id('stationId')), nmiCode };

export const plantIds = meaning('only these plants', list(1000, 'idList', 'stationIds'));

export const serialNumbers = meaning('only the devices with these serial numbers', list(1000, 'snList'));

/** Guests are people with whom a plant is shared; everybody sees what is shared with them, so nothing is to be chosen. */
export const stationType = meaning('kind of account (3 guest): accepted and without effect', integer({ min: 0, max: 99 }, 'stationType'));

export const dayOfChart = meaning('the plant’s local day; today when it is left out', day('time'));

/** Any operation on one device that is named by its serial number; the id is taken as well. */
export const bySerial = { sn: deviceKey.sn, id: deviceKey.id };

export const monthOfChart = meaning('the plant’s local month; the present one when it is left out', month('month', 'time'));
export const yearOfChart = meaning('the plant’s local year; the present one when it is left out', year('year', 'time'));

/** The energy lists name their period `time` throughout. */
export const energyPeriod = {
  day: dayOfChart,
  month: meaning('the plants’ local month; the present one when it is left out', month('time', 'month')),
  year: meaning('the plants’ local year; the present one when it is left out', year('time', 'year')),
};
