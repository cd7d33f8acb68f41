import { describe, expect, test } from 'vitest';
import {
  findSilence,
  OFFLINE_ALARM_AFTER_MS,
  type Watched,
} from '../../packages/server/src/fleet/devices/silence.ts';
import { presence } from '../../packages/server/src/fleet/plants/presence.ts';

const MINUTE_MS = 60_000;
const NOON = Date.parse('2026-06-15T11:00:00Z');
const NIGHT = Date.parse('2026-06-15T23:00:00Z');
const inverter: Watched = {
  kind: 'inverter',
  state: presence.online,
  offlineAbnormal: 0,
  storage: false,
  missed: false,
  expectedSeconds: 300,
  site: { latitude: 52.52, longitude: 13.4 },
};
const reported = (at: number | null, isNew = true) => ({ at, isNew });

describe('a device', () => {
  test('is looked at again when three of its intervals are over', () => {
    expect(findSilence(inverter, reported(NOON - 4 * MINUTE_MS), NOON)).toEqual({
      reports: true,
      checkAt: NOON + 11 * MINUTE_MS,
    });
    expect(
      findSilence({ ...inverter, expectedSeconds: 900 }, reported(NOON - 40 * MINUTE_MS), NOON)
        .reports,
    ).toBe(true);
  });

  test('is silent when it has not reported for three intervals, not a millisecond before', () => {
    expect(findSilence(inverter, reported(NOON - 15 * MINUTE_MS + 1), NOON).reports).toBe(true);
    expect(findSilence(inverter, reported(NOON - 15 * MINUTE_MS), NOON).reports).toBe(false);
    expect(findSilence(inverter, reported(null), NOON).reports).toBe(false);
  });

  test('is abnormally silent by day, and asked about again when an alarm would be due', () => {
    expect(findSilence(inverter, reported(NOON - 15 * MINUTE_MS), NOON)).toEqual({
      reports: false,
      offlineAbnormal: 1,
      lasting: false,
      checkAt: NOON + OFFLINE_ALARM_AFTER_MS,
    });
  });

  test('may be silent at night, and is asked about again when there is daylight', () => {
    const finding = findSilence(inverter, reported(NIGHT - 60 * MINUTE_MS), NIGHT);
    expect(finding).toMatchObject({ reports: false, offlineAbnormal: 0, lasting: false });
    const morning = new Date(finding.checkAt!).toISOString();
    expect(morning > '2026-06-16T03:00' && morning < '2026-06-16T06:00').toBe(true);
    const offline = { ...inverter, state: presence.offline };
    expect(findSilence(offline, reported(NIGHT - 60 * MINUTE_MS), finding.checkAt!)).toMatchObject({
      offlineAbnormal: 1,
      lasting: false,
    });
  });

  test.each(['epm', 'weather', 'ammeter'] as const)(
    'of the kind %s may not be silent at night',
    (kind) => {
      expect(
        findSilence({ ...inverter, kind }, reported(NIGHT - 60 * MINUTE_MS), NIGHT),
      ).toMatchObject({ offlineAbnormal: 1 });
    },
  );

  test('with a battery may not be silent at night; a collector may, with its inverters', () => {
    expect(findSilence({ ...inverter, storage: true }, reported(null), NIGHT)).toMatchObject({
      offlineAbnormal: 1,
    });
    expect(findSilence({ ...inverter, kind: 'collector' }, reported(null), NIGHT)).toMatchObject({
      offlineAbnormal: 0,
    });
  });

  test('that is a collector is asked about once more in the night, and may not rest when something behind it that may not is silent', () => {
    const collector = { ...inverter, kind: 'collector' } as const;
    expect(findSilence(collector, reported(null), NIGHT)).toMatchObject({
      offlineAbnormal: 0,
      checkAt: NIGHT + OFFLINE_ALARM_AFTER_MS,
    });
    const resting = { ...collector, state: presence.offline };
    expect(findSilence(resting, reported(null), NIGHT).checkAt).toBeGreaterThan(
      NIGHT + 4 * 60 * MINUTE_MS,
    );
    expect(findSilence({ ...resting, missed: true }, reported(null), NIGHT)).toMatchObject({
      offlineAbnormal: 1,
      checkAt: NIGHT + OFFLINE_ALARM_AFTER_MS,
    });
  });

  test('that was abnormally silent stays so in the night, and needs no further look until it reports', () => {
    const silent = { ...inverter, state: presence.offline, offlineAbnormal: 1 } as const;
    expect(findSilence(silent, reported(NOON), NIGHT)).toEqual({
      reports: false,
      offlineAbnormal: 1,
      lasting: true,
      checkAt: null,
    });
  });

  test('in no plant is expected to say nothing', () => {
    expect(findSilence({ ...inverter, site: null }, reported(null), NOON)).toEqual({
      reports: false,
      offlineAbnormal: 0,
      lasting: false,
      checkAt: null,
    });
  });

  test('with a clock that runs ahead reports as long as it says something new', () => {
    const ahead = NOON + 600 * MINUTE_MS;
    expect(findSilence(inverter, reported(ahead, true), NOON)).toEqual({
      reports: true,
      checkAt: NOON + 15 * MINUTE_MS,
    });
    expect(findSilence(inverter, reported(ahead, false), NOON).reports).toBe(false);
  });
});
