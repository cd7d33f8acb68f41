import {
  findSilence,
  OFFLINE_ALARM_AFTER_MS,
  type SilenceFinding,
} from '../../fleet/devices/silence.ts';
import { presence } from '../../fleet/plants/presence.ts';
import type { Flag, Instant } from '../../platform/storage/database.ts';
import type { AlarmChange, OpenAlarm } from './alarm-rows.ts';
import type { DueDevice } from './due-devices.ts';
import { followRule } from './hysteresis.ts';
import type { Learned } from './observations/learned.ts';
import { NEWS_MS, type ObservedDevice } from './observations/observations.ts';
import { offline, rules } from './rules.ts';
import type { Observation } from './rule.ts';

/** The result of checking a device. */
export interface FindingOutcome {
  readonly reports: boolean;
  readonly offlineAbnormal: Flag;
  readonly checkAt: Instant | null;
  readonly evaluatedAt: Instant;
  readonly expectedSeconds: number;
  readonly learned: Learned | null;
  readonly alarms: readonly AlarmChange[];
}

/** Judges a device by its last report and, if there are new samples, by these. */
export function judgeDevice(
  device: DueDevice,
  lastAt: Instant | null,
  observed: ObservedDevice | null,
  open: readonly OpenAlarm[],
  now: Instant,
): FindingOutcome {
  const observation = observed?.observation;
  const sampleSeconds = observation
    ? steady(device.sampleSeconds, observation.expectedSeconds)
    : device.sampleSeconds;
  const watched = {
    ...device,
    expectedSeconds: Math.max(sampleSeconds, device.collectorSeconds ?? 0),
    site: isExpected(device, lastAt) ? device.site : null,
  };
  const finding = findSilence(
    watched,
    { at: heardAt(device, lastAt), isNew: lastAt !== null && lastAt > device.evaluatedAt },
    now,
  );
  const here = open.filter(({ plantId }) => plantId === device.plantId);
  const gone = open.filter(({ plantId }) => plantId !== device.plantId);
  return {
    reports: finding.reports,
    offlineAbnormal: finding.reports ? 0 : finding.offlineAbnormal,
    // While its collector is silent, nobody can say whether the device is at fault, so it is checked again later.
    checkAt:
      !finding.reports && finding.lasting && device.collectorSilent
        ? now + OFFLINE_ALARM_AFTER_MS
        : finding.checkAt,
    evaluatedAt: lastAt ?? device.evaluatedAt,
    expectedSeconds: sampleSeconds,
    learned: observed ? observed.learned : device.learned,
    alarms: [
      ...gone.map(({ code }) => ({ clear: { code, endAt: now } })),
      ...silenceAlarms(device, finding, here, now),
      ...(observation ? sampleAlarms(device, observation, here, now) : []),
    ],
  };
}

/** When a device was last heard: by its own clock or, if that is behind, by ours. */
function heardAt({ kind, reportedAt, binding }: DueDevice, lastAt: Instant | null): Instant | null {
  const arrivedAt =
    kind === 'collector' || reportedAt === null || reportedAt < (binding?.fromAt ?? Infinity)
      ? null
      : reportedAt;
  return lastAt === null || arrivedAt === null
    ? (lastAt ?? arrivedAt)
    : Math.max(lastAt, arrivedAt);
}

/** Whether a device is expected to report. One that was silent when it came to its plant is not, until it has reported there. */
const isExpected = ({ binding }: DueDevice, lastAt: Instant | null): boolean =>
  lastAt !== null || !binding || binding.fromAt === 0;

const PACE_TOLERANCE = 0.2;

// Small variations of the pace are not recorded.
const steady = (known: number, measured: number): number =>
  Math.abs(measured - known) > PACE_TOLERANCE * known ? measured : known;

function silenceAlarms(
  device: DueDevice,
  finding: SilenceFinding,
  open: readonly OpenAlarm[],
  now: Instant,
): AlarmChange[] {
  const { plantId, state, stateSince, checkAt, collectorSilent } = device;
  const alarm = open.find(({ code }) => code === offline.code);
  if (!finding.reports) {
    if (!finding.lasting || alarm || plantId === null || collectorSilent) return [];
    const { code, level, message } = offline;
    // This check was scheduled OFFLINE_ALARM_AFTER_MS after the device was found abnormally offline.
    return [
      {
        raise: {
          code,
          level,
          message,
          beginAt: Math.max(stateSince, checkAt - OFFLINE_ALARM_AFTER_MS),
        },
      },
    ];
  }
  const isBack = state !== presence.offline && now - stateSince >= offline.clearAfterSeconds * 1000;
  return alarm && isBack
    ? [{ clear: { code: offline.code, endAt: Math.max(stateSince, alarm.beginAt) } }]
    : [];
}

function sampleAlarms(
  { kind, evaluatedAt }: DueDevice,
  observation: Observation,
  open: readonly OpenAlarm[],
  now: Instant,
): AlarmChange[] {
  const changes: AlarmChange[] = [];
  for (const rule of rules) {
    if (!rule.kinds.includes(kind)) continue;
    const { code, level } = rule;
    // Samples that were judged bad may now count as good, for example because the pace
    // has turned out to be slower. Even so, an alarm must not end before it began.
    let beginAt = open.find((alarm) => alarm.code === code)?.beginAt;
    for (const turn of followRule(
      rule,
      observation,
      beginAt !== undefined,
      Math.max(evaluatedAt, now - NEWS_MS),
    )) {
      if ('raise' in turn) {
        ({ beginAt } = turn.raise);
        changes.push({ raise: { code, level, ...turn.raise } });
      } else changes.push({ clear: { code, endAt: Math.max(turn.clear.endAt, beginAt!) } });
    }
  }
  return changes;
}
