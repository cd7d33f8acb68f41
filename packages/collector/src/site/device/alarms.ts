import type { ReportedAlarm } from '../../report.ts';

/** What is wrong with a device at a moment. */
export interface StandingAlarm {
  readonly code: string;
  readonly level: 1 | 2 | 3;
  readonly message: string;
}

/** Reports alarms when they begin and when they end. */
export interface AlarmBook {
  /** Codes that stand, to be kept for the next start. */
  readonly standing: readonly string[];
  /** All alarms of a device's state; returns what has changed. */
  update(sn: string, alarms: readonly StandingAlarm[], at: number): ReportedAlarm[];
}

export function createAlarmBook(known: readonly string[] = []): AlarmBook {
  let standing = [...known];
  return {
    get standing() {
      return standing;
    },
    update(sn, alarms, at) {
      const codes = alarms.map(({ code }) => code);
      const begun = alarms.filter(({ code }) => !standing.includes(code));
      const ended = standing.filter((code) => !codes.includes(code));
      standing = codes;
      return [
        ...begun.map((alarm) => ({ sn, ...alarm, at })),
        ...ended.map((code) => ({ sn, code, at, cleared: true })),
      ];
    },
  };
}
