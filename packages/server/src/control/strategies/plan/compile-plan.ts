import { DAY_MS } from '@helioport/contract/durations';
import type { PayloadType, PlanInterval, StrategyPayload } from '@helioport/contract';
import { calendarOf, type Zones } from '../../../platform/calendar/plant-calendar.ts';
import { offSwitch } from './device-faults.ts';
import { forcedPower, isForcedBy, type BatteryNow } from './forced-power.ts';
import { occurrences, weekMinuteAt } from './occurrences.ts';
import type { OwnerLimits } from './owner-limits.ts';
import {
  canSet,
  FORCED,
  MODE,
  NO_SLOTS,
  PARAMETERS,
  POWER,
  SLOTS,
  slotScheme,
  THREE_SLOTS,
  type PlannedDevice,
  type SlotScheme,
} from './planned-device.ts';
import {
  allowedSpans,
  dueUses,
  slotUses,
  type FormerSettings,
  type SlotKind,
  type SlotUse,
} from './slot-uses.ts';
import { wallClockOf, DAY_MINUTES, modulo, WEEK_MINUTES } from './week-spans.ts';

/**
 * Who sees to an interval. `device`: the device keeps it and needs no further word. `inTurn`: the device keeps it, but the service puts it in a day before
 * at the earliest and takes it out again, because there are more intervals than slots, or because it is not for every day. `hours`: the device keeps hours
 * and power, the service sets the state of charge. `service`: devices have no slots for it, or need none, so the service writes when it begins and when it ends.
 */
export type Keeper = 'device' | 'inTurn' | 'hours' | 'service';

/** A plan in the terms of one device. */
export interface DevicePlan {
  /** The values that its parameters must have now, in the order in which to write them; all others are as they were. Restoring goes the other way round. */
  readonly settings: ReadonlyMap<string, string>;
  /** Who sees to each interval. */
  readonly keepers: readonly Keeper[];
}

/** The circumstances in which a plan is put into a device. */
export interface PlanScene {
  readonly device: PlannedDevice;
  readonly zones: Zones;
  readonly limits: OwnerLimits;
  /** What the device had before, of at least `touchedParameters`. */
  readonly former: FormerSettings;
  /** Nothing is known of it if absent. */
  readonly battery?: BatteryNow;
}

/** How a device keeps the hours of a plan; undefined: it does not. */
const schemeOf = (
  intervals: readonly PlanInterval[],
  device: PlannedDevice,
): SlotScheme | undefined => (isForcedBy(intervals, device) ? undefined : slotScheme(device));

const SLOT_COUNT: { readonly [Scheme in SlotScheme]: number } = { six: 6, three: 3 };
const KINDS = ['charge', 'discharge'] as const;

/** A parameter and its value. */
type Setting = [parameter: string, value: string];

/** Turns a plan, which must be without faults on this device, into settings as of an instant. Never raises a limit that the device has. */
export function compilePlan(
  intervals: readonly PlanInterval[],
  { device, zones, limits, former, battery = { socPercent: null, isForced: false } }: PlanScene,
  now: number,
): DevicePlan {
  const isForced = isForcedBy(intervals, device);
  const scheme = schemeOf(intervals, device);
  const changed = scheme && slotUses(intervals, limits, device, scheme, former);
  const uses = changed ?? [];
  const weekMinute = weekMinuteAt(zones, now);
  const current = currentIndex(intervals, limits, weekMinute);
  const payload = current === undefined ? undefined : intervals[current]!.payload;
  const slots = scheme && changed && assignSlots(changed, SLOT_COUNT[scheme], weekMinute);
  const settings = new Map<string, string>([
    ...(slots ? (scheme === 'six' ? sixSlots(slots, former) : threeSlots(slots, current)) : []),
    ...modeSetting(uses, intervals, payload?.type, { former, isForced }),
    ...exportSetting(payload, former),
    ...powerSetting(intervals, payload?.type, device, former),
    ...(isForced
      ? ([[FORCED.parameter, forcedPower(payload, limits, battery)]] satisfies Setting[])
      : []),
  ]);
  const feedsInFirst = (Number(former.get(PARAMETERS.storageMode) ?? 0) & MODE.feedInFirst) !== 0;
  const crowded = new Set(
    KINDS.filter(
      (kind) => scheme && uses.filter((use) => use.kind === kind).length > SLOT_COUNT[scheme],
    ),
  );
  return {
    settings,
    keepers: intervals.map(({ payload: { type } }, i) =>
      keeperOf(
        type,
        uses.filter(({ index }) => index === i),
        { scheme, crowded, feedsInFirst, isForced },
      ),
    ),
  };
}

/** The parameters that a plan changes on a device at some time, and that must be read before it begins. */
export function touchedParameters(
  intervals: readonly PlanInterval[],
  device: PlannedDevice,
): string[] {
  const has = (...types: PayloadType[]): boolean =>
    intervals.some(({ payload }) => types.includes(payload.type));
  // Slots of the owner's would be in the way of self-use, too.
  const changesFlows = intervals.some(({ payload }) => payload.type !== 'off');
  const scheme = changesFlows ? schemeOf(intervals, device) : undefined;
  const off = offSwitch(device);
  return [
    ...(scheme === 'six'
      ? KINDS.flatMap((kind) =>
          SLOTS[kind].flatMap(({ toggle, time, amps, socPercent }) => [
            toggle,
            socPercent,
            amps,
            time,
          ]),
        )
      : []),
    ...(scheme === 'three'
      ? [THREE_SLOTS, PARAMETERS.chargingEnds, PARAMETERS.dischargingEnds]
      : []),
    ...(changesFlows && canSet(device, PARAMETERS.storageMode, String(MODE.selfUse))
      ? [PARAMETERS.storageMode]
      : []),
    ...(has('exportLimit') ? [PARAMETERS.exportLimit] : []),
    ...(has('off') && off !== undefined ? [onSwitch(off)] : []),
  ];
}

/** When the settings may have to change next, if nothing else happens; undefined = not within eight days. */
export function nextChange(
  intervals: readonly PlanInterval[],
  { device, zones, limits, former }: PlanScene,
  now: number,
): number | undefined {
  const { offsetAt } = calendarOf(zones);
  const scheme = schemeOf(intervals, device);
  const own = ((scheme && slotUses(intervals, limits, device, scheme, former)) ?? []).filter(
    ({ index }) => index === null,
  );
  const spans = [...allowedSpans(intervals, limits), ...own.flatMap((use) => use.spans)];
  const changes = occurrences(zones, spans, now, now + 8 * DAY_MS).flatMap(({ fromAt, toAt }) => {
    // A day before the end on the wall clock, hours of some days only are put into slots.
    const dayBefore = toAt - DAY_MS;
    return [fromAt, toAt, dayBefore + offsetAt(toAt) - offsetAt(dayBefore)];
  });
  const next = Math.min(...changes.filter((at) => at > now));
  return next === Infinity ? undefined : next;
}

/** Position of the interval that applies at a minute of the week. */
const currentIndex = (
  intervals: readonly PlanInterval[],
  limits: OwnerLimits,
  weekMinute: number,
): number | undefined =>
  allowedSpans(intervals, limits).find(
    ({ fromMinute, toMinute }) =>
      modulo(weekMinute - fromMinute, WEEK_MINUTES) < toMinute - fromMinute,
  )?.index;

/** The use of each slot; undefined = free. */
type Slots = { readonly [Kind in SlotKind]: readonly (SlotUse | undefined)[] };

/** Gives slots to what ends next. A use always has the same slot, so that nothing is written twice. */
function assignSlots(uses: readonly SlotUse[], count: number, weekMinute: number): Slots {
  const assigned = (kind: SlotKind): (SlotUse | undefined)[] => {
    const own = uses.filter((use) => use.kind === kind);
    const slots = Array.from<SlotUse | undefined>({ length: count });
    for (const { use } of dueUses(own, weekMinute).toSorted(
      (a, b) => a.minutesLeft - b.minutesLeft,
    ))
      slots[own.indexOf(use) % count] ??= use;
    return slots;
  };
  return { charge: assigned('charge'), discharge: assigned('discharge') };
}

const timeText = ({ fromMinute, toMinute }: SlotUse): string =>
  `${wallClockOf(fromMinute)}-${wallClockOf(toMinute)}`;

/** Slots that are not needed are switched off first, and those that are needed switched on last. */
function sixSlots(slots: Slots, former: FormerSettings): Setting[] {
  const off: Setting[] = [];
  const values: Setting[] = [];
  const on: Setting[] = [];
  for (const kind of KINDS) {
    for (const [i, { toggle, socPercent, amps, time }] of SLOTS[kind].entries()) {
      const use = slots[kind][i];
      if (use) {
        values.push(
          [socPercent, String(use.socPercent)],
          [amps, String(use.amps)],
          [time, timeText(use)],
        );
        on.push([toggle, '1']);
      } else if (former.get(toggle) === '1') off.push([toggle, '0']);
    }
  }
  return [...off, ...values, ...on];
}

/** The slots, and the state of charge at which the current interval ends, for which such devices have one parameter alone. */
function threeSlots({ charge, discharge }: Slots, current: number | undefined): Setting[] {
  const [noCurrent, , noTime] = NO_SLOTS.split(',') as [string, string, string];
  const groups = charge.map((charging, i) => {
    const pair = [charging, discharge[i]];
    return [
      ...pair.map((use) => (use ? String(use.amps) : noCurrent)),
      ...pair.map((use) => (use ? timeText(use) : noTime)),
    ].join(',');
  });
  const use = [...charge, ...discharge].find((each) => each && each.index === current);
  const ends: Setting[] = use
    ? [
        [
          use.kind === 'charge' ? PARAMETERS.chargingEnds : PARAMETERS.dischargingEnds,
          String(Math.max(LEAST_SOC, use.socPercent)),
        ],
      ]
    : [];
  return [...ends, [THREE_SLOTS, groups.join(',')]];
}

/** What devices accept as the state of charge at which charging or discharging ends, outside of slots. */
const LEAST_SOC = 5;

function modeSetting(
  uses: readonly SlotUse[],
  intervals: readonly PlanInterval[],
  current: PayloadType | undefined,
  { former, isForced }: { readonly former: FormerSettings; readonly isForced: boolean },
): Setting[] {
  const before = former.get(PARAMETERS.storageMode);
  if (before === undefined) return [];
  let mode = Number(before);
  if (uses.length > 0) mode |= MODE.timeOfUse;
  if ((uses.length > 0 || isForced) && intervals.some(({ payload }) => payload.type === 'charge'))
    mode |= MODE.gridCharging;
  if (current === 'selfUse' || current === 'exportLimit')
    mode = (mode & ~MODE.feedInFirst) | MODE.selfUse;
  return mode === Number(before) ? [] : [[PARAMETERS.storageMode, String(mode)]];
}

function exportSetting(payload: StrategyPayload | undefined, former: FormerSettings): Setting[] {
  if (payload?.type !== 'exportLimit') return [];
  const before = Number(former.get(PARAMETERS.exportLimit) ?? Infinity);
  return [[PARAMETERS.exportLimit, String(Math.min(Math.floor(payload.powerKw * 1000), before))]];
}

function powerSetting(
  intervals: readonly PlanInterval[],
  current: PayloadType | undefined,
  device: PlannedDevice,
  former: FormerSettings,
): Setting[] {
  const off = offSwitch(device);
  if (off === undefined || !intervals.some(({ payload }) => payload.type === 'off')) return [];
  if (current === 'off') return [[off, POWER.off]];
  // Another parameter than the one that switches off. What the owner had switched off stays off.
  const on = onSwitch(off);
  return former.get(on) === POWER.off ? [] : [[on, POWER.on]];
}

const onSwitch = (off: string): string =>
  PARAMETERS.switchOn[PARAMETERS.switchOff.findIndex((parameter) => parameter === off)]!;

interface KeeperScene {
  readonly scheme: SlotScheme | undefined;
  readonly crowded: ReadonlySet<SlotKind>;
  readonly feedsInFirst: boolean;
  readonly isForced: boolean;
}

function keeperOf(
  type: PayloadType,
  uses: readonly SlotUse[],
  { scheme, crowded, feedsInFirst, isForced }: KeeperScene,
): Keeper {
  if (type === 'exportLimit' || type === 'off' || isForced) return 'service';
  if (type === 'selfUse') return feedsInFirst ? 'service' : 'device';
  if (
    uses.some(({ kind, spans }) => crowded.has(kind) || spans.length < WEEK_MINUTES / DAY_MINUTES)
  )
    return 'inTurn';
  return scheme === 'three' && type !== 'hold' ? 'hours' : 'device';
}
