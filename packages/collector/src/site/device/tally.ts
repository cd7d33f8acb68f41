import type { Values } from '@helioport/contract';
import type { DeviceDescription, Report } from '../../report.ts';
import type { DeviceStatus } from '../status.ts';
import { createAlarmBook, type StandingAlarm } from './alarms.ts';
import { createMinute } from './minute.ts';
import { createWakeGuard } from './wake-guard.ts';

/** What a device has shown: what of it is to be reported, and what is kept of it. */
export interface Tally {
  /** How many values could not be right. */
  readonly droppedValues: number;
  /** What `collect status` shows of it. */
  readonly shown: Pick<DeviceStatus, 'values' | 'dropped' | 'counters' | 'alarms'>;
  /** Goes on with what is known of another device. */
  become(known: DeviceStatus | undefined): void;
  /** Takes the values of a round, and how often which others could not be right. Returns the values that are believed. */
  take(values: Values, dropped: Iterable<readonly [string, number]>, at: number): Values;
  /** What is to be reported since the last time; nothing if nothing is. @param alarms all that stand; undefined: as before */
  report(
    sn: string,
    alarms: readonly StandingAlarm[] | undefined,
    now: number,
    description?: DeviceDescription,
  ): Report[];
}

export function createTally(known?: DeviceStatus): Tally {
  const minute = createMinute();
  const dropped = new Map<string, number>();
  let guard = createWakeGuard(known?.counters);
  let book = createAlarmBook(known?.alarms);
  let latest: Values = {};
  const drop = (id: string, count: number): void =>
    void dropped.set(id, (dropped.get(id) ?? 0) + count);
  return {
    get droppedValues() {
      return [...dropped.values()].reduce((sum, count) => sum + count, 0);
    },
    get shown() {
      return {
        values: latest as Record<string, number>,
        dropped: Object.fromEntries(dropped),
        counters: guard.counters,
        alarms: book.standing,
      };
    },
    become(other) {
      guard = createWakeGuard(other?.counters);
      book = createAlarmBook(other?.alarms);
    },
    take(values, bad, at) {
      for (const [id, count] of bad) drop(id, count);
      const { values: kept, dropped: waking } = guard.filter(values, at);
      if (waking > 0) drop('below the last counter', waking);
      minute.add(kept, at);
      latest = { ...latest, ...kept };
      return kept;
    },
    report(sn, standing, now, description) {
      const measured = minute.take();
      const changed = standing ? book.update(sn, standing, measured?.at ?? now) : [];
      if (!measured && changed.length === 0 && !description) return [];
      return [
        {
          readings: measured ? [{ sn, ...measured }] : [],
          ...(changed.length > 0 && { alarms: changed }),
          ...(description && { devices: [description] }),
        },
      ];
    },
  };
}
