import { DAY_MS, MINUTE_MS } from '@helioport/contract/durations';
import {
  createCollector,
  systemClock,
  timerPause,
  type Backlog,
  type Clock,
  type Collector,
  type Link,
  type Pause,
  type Report,
  type Setback,
} from '@helioport/collector';
import { controlsOf } from './devices/controls.ts';
import { createDeviceAccess, type Setting } from './devices/device-access.ts';
import { factorySettings } from './devices/factory-settings.ts';
import { createMemory, RegisterFault, type Memory } from './devices/memory.ts';
import type { ParametersOf } from './devices/parameter.ts';
import { displayVersionOf, hasSixSlots, inventoryOf, modelOf } from './inventory.ts';
import { createLocalClock } from './local-time.ts';
import { createPlant, STEP_MS } from './plant.ts';
import { readingsOf } from './readings.ts';
import { conditionsAt } from './scenarios/conditions.ts';
import { createFaultyLink } from './scenarios/faulty-link.ts';
import { reportedAlarms } from './scenarios/reported-alarms.ts';
import { underWay, type Scenario } from './scenarios/scenario.ts';
import type { PlantSpecification } from './specification.ts';

export interface SiteOptions {
  readonly specification: PlantSpecification;
  /** Time of the first state, epoch milliseconds; the same start always yields the same states. */
  readonly startAt: number;
  readonly stepMs?: number;
  readonly link: Link;
  readonly backlog?: Backlog;
  readonly scenarios?: readonly Scenario[];
  /** The parameters that inverters of a model have; without it, they have none, and the site takes no commands. */
  readonly parametersOf?: ParametersOf;
  /** Settings made in earlier runs, oldest first. */
  readonly settings?: readonly Setting[];
  /** Called when a device has taken a setting, which can be kept for later runs. */
  readonly onSetting?: (setting: Setting) => void;
  readonly onSetback?: (setback: Setback) => void;
  readonly clock?: Clock;
  readonly pause?: Pause;
}

/** A simulated plant with its devices and their collector. */
export interface Site {
  readonly specification: PlantSpecification;
  readonly collector: Collector;
  /**
   * Yields a report for each state after the last one, up to and including `untilAt`; the first report also describes the devices.
   * States before `fromAt` are left out.
   */
  reports(untilAt: number, fromAt?: number): Generator<SiteReport, void, undefined>;
}

export interface SiteReport extends Omit<Report, 'readings'>, Required<Pick<Report, 'readings'>> {
  /** Time of the state, epoch milliseconds. */
  readonly at: number;
}

/** Creates a site, whose collector connects at once. */
export function createSite(options: SiteOptions): Site {
  const {
    specification,
    startAt,
    stepMs = STEP_MS,
    scenarios = [],
    parametersOf,
    settings = [],
    clock = systemClock,
    pause = timerPause,
  } = options;
  const { onSetting = () => {}, onSetback = () => {} } = options;
  const localClock = createLocalClock(specification.timeZone);
  const localMs = (at: number): number => {
    const { day, minute } = localClock(at);
    return day * DAY_MS + minute * MINUTE_MS;
  };
  const set = (
    devices: ReadonlyMap<string, Memory>,
    { sn, parameter, value, at }: Setting,
  ): void => {
    try {
      devices.get(sn)?.write(parameter, value, localMs(at));
    } catch (error) {
      // The device no longer has this parameter.
      if (!(error instanceof RegisterFault)) throw error;
    }
  };

  // The devices have all their settings at once. The plant model, which may still be in the past, gets each setting at its time.
  const memories = createMemories(specification, parametersOf);
  const pastMemories = createMemories(specification, parametersOf);
  for (const setting of settings) set(memories, setting);
  const coming = [...settings];

  const plant = createPlant(specification, startAt, stepMs, (at, minute, socPercent) => {
    while (coming[0] && coming[0].at <= at) set(pastMemories, coming.shift()!);
    const controls = specification.inverters.map(({ sn, battery }) =>
      controlsOf(pastMemories.get(sn)!, battery, minute, socPercent),
    );
    return { conditions: conditionsAt(scenarios, at), controls };
  });

  const devices = createDeviceAccess({
    memories,
    scenarios,
    clock,
    pause,
    localMs,
    onSetting(setting) {
      coming.push(setting);
      onSetting(setting);
    },
  });
  const collector = createCollector({
    link: createFaultyLink(options.link, scenarios, clock),
    ...(options.backlog && { backlog: options.backlog }),
    ...(parametersOf && { devices }),
    onSetback,
    clock,
    pause,
  });

  let reportedAt = startAt - 1;
  let areDescribed = false;
  return {
    specification,
    collector,
    *reports(untilAt, fromAt = -Infinity) {
      for (const state of plant.advance(untilAt)) {
        const { at } = state;
        const afterAt = reportedAt;
        reportedAt = at;
        if (at < fromAt) continue;
        const [drift] = underWay(scenarios, 'clock-drift', at);
        const offMs = (drift?.seconds ?? 0) * 1000;
        const readings = readingsOf(specification, state).map((reading) => ({
          ...reading,
          at: reading.at + offMs,
        }));
        const alarms = reportedAlarms(specification, scenarios, afterAt, at).map((alarm) => ({
          ...alarm,
          at: alarm.at + offMs,
        }));
        yield {
          at,
          readings,
          ...(alarms.length > 0 && { alarms }),
          ...(!areDescribed && { devices: inventoryOf(specification) }),
        };
        areDescribed = true;
      }
    },
  };
}

function createMemories(
  { inverters }: PlantSpecification,
  parametersOf: ParametersOf = () => new Map(),
): ReadonlyMap<string, Memory> {
  return new Map(
    inverters.map((inverter) => {
      const version = displayVersionOf(inverter);
      const displayVersion = version === undefined ? null : Number.parseInt(version, 16);
      const initial = factorySettings(inverter, hasSixSlots(displayVersion));
      return [
        inverter.sn,
        createMemory({ parameters: parametersOf(modelOf(inverter)), displayVersion, initial }),
      ];
    }),
  );
}
