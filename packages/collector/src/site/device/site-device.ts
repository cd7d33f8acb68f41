import type { Values } from '@helioport/contract';
import { isWritable } from '@helioport/devices';
import { DAY_MS } from '@helioport/contract/durations';
import { addressText, busKey } from '../../bus/address.ts';
import type { Clock } from '../../clock.ts';
import type { DeviceDescription, Report } from '../../report.ts';
import type { BusEntry } from '../config/site-config.ts';
import type { DeviceStatus } from '../status.ts';
import type { StandingAlarm } from './alarms.ts';
import { createControl, isStillThere, type Control } from './control.ts';
import { createBalance } from './balance.ts';
import { clockAlarm } from './device-clock.ts';
import type { HeldValues } from './held-values.ts';
import { createPace } from './pace.ts';
import { createPoller, type Poller } from './poll.ts';
import { NotReached, reach, type ReachedDevice, type ReachOptions } from './reach.ts';
import { createRepeating, type Repeating } from './repeat-held.ts';
import { createTally } from './tally.ts';
import type { WriteLog, WrittenValue } from './write-log.ts';

export interface SiteDeviceOptions extends ReachOptions {
  readonly entry: BusEntry;
  readonly log: WriteLog;
  readonly held: HeldValues;
  /** Whether the server has been heard of lately. */
  readonly isServerThere: () => boolean;
  readonly clock: Clock;
  readonly random: () => number;
  /** What is known of a device from before the start. */
  readonly before: (sn: string) => DeviceStatus | undefined;
  /** Keeps what a round has measured until it is reported. */
  readonly keep: (sn: string, values: Values, at: number) => void;
  /** Whether the clock is right, by which a device's clock is judged. */
  readonly isTimeKnown: () => boolean;
  /** Called after the first answer, so that the first report need not wait. */
  readonly onFirstAnswer: () => void;
}

/** One device of the site: it is found, polled and written to, and what is wrong with it stays with it. */
export interface SiteDevice {
  readonly sn: string | undefined;
  /** Throws an Error with the reason if the device has not been reached yet. */
  control(): Control;
  /** Polls until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** What is to be reported since the last time. `isDescribed`: also what the device is. */
  takeReports(isDescribed: boolean): readonly Report[];
  lookAgain(written: WrittenValue): Promise<void>;
  status(): DeviceStatus;
  /** The states of further devices at the same address. */
  others(): readonly DeviceStatus[];
}

/** A device that was silent for so long may be another one when it answers again. */
const STRANGE_AFTER_MS = 300_000;

/** How often to look whether something that is held is due. */
const LOOK_AT_HELD_MS = 2_000;

interface Found {
  readonly device: ReachedDevice;
  readonly sn: string;
  readonly poller: Poller;
  readonly control: Control;
  readonly repeating: Repeating;
}

export function createSiteDevice(options: SiteDeviceOptions): SiteDevice {
  const { entry, log, held, clock, pause, random, before, onFirstAnswer, isTimeKnown } = options;
  const pace = createPace(entry.address.kind, clock.now(), entry.pollMs);
  const tally = createTally();
  const balance = createBalance();
  const reverted = new Map<string, StandingAlarm>();
  let found: Found | undefined;
  let fault: string | undefined;
  let clockFault: StandingAlarm | undefined;
  let [lastAnswerAt, clockReadAt] = [undefined as number | undefined, -Infinity];

  async function find(): Promise<Found> {
    const device = await reach(entry.address, entry.unit, options);
    const { identity, stick, unit } = device;
    const sn = entry.sn ?? identity.sn ?? (stick > 0 ? `${stick}-${unit}` : undefined);
    if (sn === undefined) {
      options.pool.drop(device.address);
      throw new NotReached(
        `${addressText(entry.address)}: the device tells no serial number; write one as sn: at it`,
      );
    }
    if (found?.sn !== sn) tally.become(before(sn));
    const { control: isAllowed, confirmed } = entry;
    const control = createControl({ device, sn, isAllowed, confirmed, log, held, clock });
    const { profile } = identity;
    const { isServerThere } = options;
    return {
      device,
      sn,
      poller: createPoller(device, confirmed, clock),
      control,
      repeating: createRepeating({ profile, sn, control, held, clock, isServerThere }),
    };
  }

  async function round(): Promise<void> {
    if (
      found &&
      clock.now() - (lastAnswerAt ?? clock.now()) > STRANGE_AFTER_MS &&
      pace.state !== 'answering'
    ) {
      options.pool.drop(found.device.address);
      found = await find();
      // Some lose their clock in the dark.
      clockReadAt = -Infinity;
    }
    found ??= await find();
    const { values, dropped: bad, fault: broken } = await found.poller.round();
    const now = clock.now();
    const kept = tally.take(values, bad, now);
    options.keep(found.sn, kept, now);
    balance.add(kept, now);
    if (broken) throw broken;
    const isFirst = lastAnswerAt === undefined;
    lastAnswerAt = now;
    fault = undefined;
    pace.answered(kept, now);
    if (entry.share) await found.device.bus.release();
    if (isFirst) onFirstAnswer();
    if (now - clockReadAt > DAY_MS && isTimeKnown()) {
      clockReadAt = now;
      clockFault = await clockAlarm(found.device, found.control, {
        now,
        ...(entry.control && { beforeSetting: () => log.countClock(found!.sn) }),
      }).catch(() => undefined);
    }
  }

  async function repeatHeld(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await found?.repeating.repeat();
      await pause(LOOK_AT_HELD_MS, signal).catch(() => {});
    }
  }

  function standing(): StandingAlarm[] {
    const states = found?.device.identity.profile.registers?.states;
    const code = tally.shown.values['statusCode'];
    const state = code === undefined ? undefined : states?.get(code);
    // Its state, its bits and several of its parts may say the same.
    const own = new Map(
      [...(state?.alarm ? [state.alarm] : []), ...(found?.poller.alarms ?? [])].map((alarm) => [
        alarm.code,
        alarm,
      ]),
    );
    return [
      ...[...own.values()].map(({ name, ...alarm }) => ({ ...alarm, message: name })),
      ...(clockFault ? [clockFault] : []),
      ...(balance.alarm ? [balance.alarm] : []),
      ...reverted.values(),
      ...(found?.repeating.alarms ?? []),
    ];
  }

  function description({ device, sn }: Found): DeviceDescription {
    const { address, unit, stick, bus, identity } = device;
    const { kind, model, modelCode, firmware, displayVersion, ratedPowerW, strings } = identity;
    const { timeouts, strays, reconnects } = bus.counters;
    const holds = entry.control
      ? [...identity.profile.parameters.values()]
          .filter((one) => one.hold && isWritable(identity.profile, one.id, entry.confirmed))
          .map(({ id }) => id)
          .join()
      : '';
    return {
      sn,
      kind,
      model,
      profile: identity.profile.id,
      ...(modelCode !== null && { modelCode }),
      ...(firmware !== null && { firmware }),
      ...(displayVersion !== null && { displayVersion }),
      ...(ratedPowerW !== null && { ratedPowerW }),
      ...(strings !== null && { strings }),
      ...(holds !== '' && { holds }),
      link: {
        via: address.kind,
        address: busKey(address),
        unit,
        ...(stick > 0 && { stick: String(stick) }),
        readOnly: !entry.control,
        state: pace.state === 'starting' ? 'answering' : pace.state,
        timeouts,
        strays,
        reconnects,
        droppedValues: tally.droppedValues,
      },
    };
  }

  return {
    get sn() {
      return found?.sn;
    },
    control() {
      if (found) return found.control;
      throw new Error(fault ?? `${addressText(entry.address)} has not answered yet`);
    },
    async run(signal) {
      const repeated = entry.control ? repeatHeld(signal) : undefined;
      while (!signal.aborted) {
        try {
          await round();
        } catch (error) {
          fault = (error as Error).message;
          pace.failed(clock.now());
        }
        await pause(pace.next(random()), signal).catch(() => {});
      }
      await repeated;
    },
    takeReports(isDescribed) {
      if (!found) return [];
      const described = isDescribed ? description(found) : undefined;
      // Before the first whole round, nobody knows which of the former alarms stand.
      const alarms = lastAnswerAt === undefined ? undefined : standing();
      return tally.report(found.sn, alarms, clock.now(), described);
    },
    others: () => [],
    async lookAgain({ parameter, value }) {
      const { control, device } = found!;
      const { profile } = device.identity;
      const { value: now } = await control.read({ parameter });
      if (isStillThere(profile, parameter, value, String(now)))
        return void reverted.delete(parameter);
      const name = profile.parameters.get(parameter)?.name ?? parameter;
      reverted.set(parameter, {
        code: `reverted-${parameter}`,
        level: 2,
        message: `${name} has gone back: ${value} was written, and the device has ${now}`,
      });
    },
    status() {
      const { timeouts = 0, strays = 0, reconnects = 0 } = found?.device.bus.counters ?? {};
      return {
        address: addressText(entry.address),
        sn: found?.sn ?? null,
        model: found?.device.identity.model ?? null,
        unit: found?.device.unit ?? entry.unit ?? null,
        state: pace.state,
        since: pace.since,
        control: entry.control,
        lastAnswerAt: lastAnswerAt ?? null,
        fault: fault ?? null,
        held: found ? held.of(found.sn).map(({ sn: _, ...one }) => one) : [],
        timeouts,
        strays,
        reconnects,
        ...tally.shown,
      };
    },
  };
}
