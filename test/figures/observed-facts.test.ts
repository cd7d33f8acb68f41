import { describe, expect, test } from 'vitest';
import { observedFacts } from '../../packages/server/src/measurements/figures/device/observed-facts.ts';
import { zoneRecord } from '../../packages/server/src/platform/calendar/zone-record.ts';

describe('what readings show of an inverter', () => {
  test.each([
    [{}, {}],
    [{ acPowerW: 5 }, {}],
    [{ dcVoltage1V: 300, dcCurrent12A: 1, dcPower3W: 2 }, { dcInputs: 12 }],
    [{ acVoltage1V: 230 }, { phases: 1 }],
    [{ acVoltage3V: 230, acVoltage1V: 231 }, { phases: 3 }],
    [{ batterySocPercent: 0 }, { storage: true }],
  ] as const)('%j: %j', (values, facts) => expect(observedFacts(values)).toEqual(facts));
});

describe('a zone at an instant', () => {
  test.each([
    ['Australia/Sydney', '2026-01-01', 600, 60],
    ['Australia/Sydney', '2026-07-01', 600, 0],
    ['Australia/Lord_Howe', '2026-01-01', 630, 30],
    ['Asia/Kathmandu', '2026-01-01', 345, 0],
    ['Pacific/Marquesas', '2026-01-01', -570, 0],
    ['Pacific/Kiritimati', '2026-01-01', 840, 0],
    ['America/Denver', '2026-06-01', -420, 60],
  ])(
    '%s on %s: standard time %i min ahead of UTC, %i of daylight saving',
    (timeZone, day, standardOffsetMinutes, daylightMinutes) => {
      expect(zoneRecord(timeZone, Date.parse(day))).toEqual({
        name: timeZone,
        standardOffsetMinutes,
        daylightMinutes,
      });
    },
  );
});
