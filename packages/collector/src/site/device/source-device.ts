import type { Values } from '@helioport/contract';
import { HOUR_MS } from '@helioport/contract/durations';
import { reportable, sourcedValues } from '@helioport/devices/sources';
import type { Clock, Pause } from '../../clock.ts';
import type { DeviceDescription } from '../../report.ts';
import { openSource } from '../../sources/open-source.ts';
import { connectionKey, deviceAddressText } from '../../sources/source-address.ts';
import type { Source, SourceDevice } from '../../sources/source.ts';
import { credentialsOf } from '../config/credentials.ts';
import type { SourceEntry } from '../config/site-config.ts';
import type { DeviceStatus } from '../status.ts';
import type { StandingAlarm } from './alarms.ts';
import { clockOffAlarm } from './device-clock.ts';
import { createPace } from './pace.ts';
import { NotReached } from './reach.ts';
import type { SiteDevice } from './site-device.ts';
import { createTally, type Tally } from './tally.ts';

export interface SourceDeviceOptions {
  readonly entry: SourceEntry;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly random: () => number;
  /** What is known of a device from before the start. */
  readonly before: (sn: string) => DeviceStatus | undefined;
  /** Keeps what a round has measured until it is reported. */
  readonly keep: (sn: string, values: Values, at: number) => void;
  /** Whether the clock shows the time: before, nothing is said about the device's. */
  readonly isTimeKnown: () => boolean;
  readonly onFirstAnswer: () => void;
}

/** More than there can be behind one address. */
const MEMBERS_AT_MOST = 50;

/** One of the devices behind the address of a source. */
interface Member {
  readonly sn: string;
  shown: SourceDevice;
  readonly tally: Tally;
}

/** The devices behind the address of a source: they are only read. */
export function createSourceDevice(options: SourceDeviceOptions): SiteDevice {
  const { entry, clock, pause, random, before, isTimeKnown, onFirstAnswer } = options;
  const { address } = entry;
  const name = deviceAddressText(address);
  // A stick is slow, whatever it speaks.
  const pace = createPace(address.kind === 'v4' ? 'v5' : 'tcp', clock.now(), entry.pollMs);
  const members = new Map<string, Member>();
  let [source, fault] = [undefined as Source | undefined, undefined as string | undefined];
  let lastAnswerAt: number | undefined;

  function memberOf(shown: SourceDevice, index: number): Member {
    const [first] = members.keys();
    const sn =
      (index === 0 ? entry.sn : undefined) ?? shown.sn ?? (first && `${first}-${index + 1}`);
    if (sn === undefined)
      throw new NotReached(`${name}: the device tells no serial number; write one as sn: at it`);
    const known = members.get(sn);
    if (known) {
      known.shown = shown;
      return known;
    }
    if (members.size >= MEMBERS_AT_MOST)
      throw new NotReached(`${name} tells ever new serial numbers; write one as sn: at it`);
    const member = { sn, shown, tally: createTally(before(sn)) };
    members.set(sn, member);
    return member;
  }

  function take({ sn, shown, tally }: Member, at: number): Values {
    const all = sourcedValues(shown.part, shown.fields, entry.confirmed);
    const bad = all.filter(({ dropped }) => dropped === 'outOfBounds');
    const kept = tally.take(
      reportable(all),
      bad.map(({ source: { id } }) => [id, 1]),
      at,
    );
    options.keep(sn, kept, at);
    return kept;
  }

  async function round(signal: AbortSignal): Promise<void> {
    source ??= await openSource(address, {
      clock,
      pause,
      measures: entry.measures,
      credentials: credentialsOf(entry),
    });
    const { at = clock.now(), devices } = await source.read(signal);
    const values = devices.map((shown, i) => take(memberOf(shown, i), at));
    const isFirst = lastAnswerAt === undefined;
    lastAnswerAt = at;
    fault = undefined;
    pace.answered(values[0] ?? {}, at);
    if (entry.share) source.release();
    if (isFirst) onFirstAnswer();
  }

  const clockFaults = ({ shown: { clockAt } }: Member): StandingAlarm[] => {
    if (clockAt === undefined || lastAnswerAt === undefined || !isTimeKnown()) return [];
    const off = clockAt - lastAnswerAt;
    // Some countries are an hour east of Central Europe.
    const fitting = Math.abs(off) < Math.abs(off - HOUR_MS) ? off : off - HOUR_MS;
    const alarm = clockOffAlarm(fitting);
    return alarm ? [alarm] : [];
  };

  function description({ sn, shown, tally }: Member): DeviceDescription {
    const { part, model, firmware, ratedPowerW } = shown;
    return {
      sn,
      kind: part.kind,
      model,
      ...(firmware !== undefined && { firmware }),
      ...(ratedPowerW !== undefined && { ratedPowerW }),
      link: {
        via: address.kind,
        address: connectionKey(address),
        unit: 0,
        readOnly: true,
        state: pace.state === 'starting' ? 'answering' : pace.state,
        ...source!.counters,
        droppedValues: tally.droppedValues,
      },
    };
  }

  function statusOf(member: Member | undefined): DeviceStatus {
    const { timeouts = 0, strays = 0, reconnects = 0 } = source?.counters ?? {};
    return {
      address: name,
      sn: member?.sn ?? null,
      model: member?.shown.model ?? null,
      unit: null,
      state: pace.state,
      since: pace.since,
      control: false,
      lastAnswerAt: lastAnswerAt ?? null,
      fault: fault ?? null,
      held: [],
      timeouts,
      strays,
      reconnects,
      ...(member?.tally ?? createTally()).shown,
    };
  }

  return {
    get sn() {
      return members.keys().next().value;
    },
    control() {
      throw new Error(`the collector only reads ${name}: a meter has no settings here`);
    },
    async run(signal) {
      while (!signal.aborted) {
        try {
          await round(signal);
        } catch (error) {
          fault = (error as Error).message;
          pace.failed(clock.now());
        }
        await pause(pace.next(random()), signal).catch(() => {});
      }
      source?.release();
    },
    takeReports: (isDescribed) =>
      [...members.values()].flatMap((member) =>
        member.tally.report(
          member.sn,
          clockFaults(member),
          clock.now(),
          isDescribed ? description(member) : undefined,
        ),
      ),
    lookAgain: () => Promise.resolve(),
    status: () => statusOf(members.values().next().value),
    others: () => [...members.values()].slice(1).map(statusOf),
  };
}
