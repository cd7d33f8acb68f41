import {
  mirroredText,
  mirrorSpansOf,
  parameterText,
  planWrite,
  readsBackAs,
  spansOf,
  type Profile,
} from '@helioport/devices';
import type { Clock } from '../../clock.ts';
import type { Instruction, ReadValue } from '../../instruction.ts';
import type { HeldValue, HeldValues } from './held-values.ts';
import type { ReachedDevice } from './reach.ts';
import { readSpans } from './registers.ts';
import type { WriteLog } from './write-log.ts';

export interface ControlOptions {
  readonly device: ReachedDevice;
  readonly sn: string;
  /** Whether the file allows writes. */
  readonly isAllowed: boolean;
  readonly confirmed: ReadonlySet<string>;
  readonly log: WriteLog;
  readonly held: HeldValues;
  readonly clock: Clock;
}

/** Access to the parameters of one device, through the places of its profile. */
export interface Control {
  read(instruction: Pick<Instruction, 'parameter'>): Promise<ReadValue>;
  write(
    instruction: Pick<Instruction, 'parameter' | 'value' | 'oldValue' | 'holdSeconds'>,
  ): Promise<void>;
  /** Writes what is held again. Resolves to whether the device still had it. */
  repeat(held: HeldValue): Promise<boolean>;
}

/** A value that verifies at once may be gone after a quarter of a minute to two. */
const LOOK_AGAIN_MS = 120_000;

export function createControl(options: ControlOptions): Control {
  const { device, sn, isAllowed, confirmed, log, held, clock } = options;
  const { bus, unit, identity } = device;
  const { profile } = identity;

  /** Reads, changes and writes as one use of the bus, so that no other write comes between. Returns whether it had the value, and whether it was written. */
  const send = async (
    { parameter, value = '', oldValue }: Pick<Instruction, 'parameter' | 'value' | 'oldValue'>,
    repeated?: HeldValue,
  ): Promise<{ readonly wasThere: boolean; readonly isWritten: boolean }> => {
    if (!isAllowed)
      throw new Error(
        `this collector only reads ${sn}: set control: true at it in collect.yaml to let it write`,
      );
    const spans = spansOf(profile, parameter) ?? unknown(profile, parameter);
    return bus.hold(async (line) => {
      // It may have been ended while it waited for the bus.
      if (repeated && !held.of(sn).includes(repeated)) return { wasThere: true, isWritten: false };
      const at = await readSpans(line, unit, spans);
      const plan = planWrite(profile, parameter, value, at, {
        confirmed,
        displayVersion: identity.displayVersion,
        oldValue: oldValue ?? null,
      });
      if ('fault' in plan) throw new Error(plan.fault);
      const found = parameterText(profile, parameter, at);
      const wasThere = found !== undefined && isStillThere(profile, parameter, value, found);
      const isKept = profile.parameters.get(parameter)?.hold === null;
      if (isKept && plan.writes.length > 0) log.count(sn, plan.writes.length);
      for (const { function: fn, address, words } of plan.writes)
        await line.request({ unit, fn, address, words });
      return { wasThere, isWritten: plan.writes.length > 0 };
    }, 'instruction');
  };

  return {
    async read({ parameter }) {
      const spans = mirrorSpansOf(profile, parameter) ?? unknown(profile, parameter);
      const at = await bus.hold((line) => readSpans(line, unit, spans), 'instruction');
      const raw = spans
        .flatMap(({ address, count }) => Array.from({ length: count }, (_, i) => at(address + i)))
        .join(' ');
      // A clock that was lost, or a time of 24:00, must not keep the parameter from being written.
      return { value: mirroredText(profile, parameter, at) ?? `unknown: ${raw}`, raw };
    },
    async write(instruction) {
      const { parameter, value = '', holdSeconds } = instruction;
      const { form, hold = null } = profile.parameters.get(parameter) ?? {};
      if (hold) held.release(sn, parameter);
      const { isWritten } = await send(instruction);
      if (hold === null && isWritten && form?.type !== 'clock')
        log.expect({ sn, parameter, value, lookAt: clock.now() + LOOK_AGAIN_MS });
      if (hold && !isStillThere(profile, parameter, value, hold.none)) {
        const until = clock.now() + (holdSeconds ?? hold.seconds) * 1000;
        held.hold({ sn, parameter, value, until });
      }
    },
    repeat: async (one) => (await send(one, one)).wasThere,
  };
}

function unknown(profile: Profile, parameter: string): never {
  throw new Error(`${parameter} is no parameter of ${profile.name} that this collector knows`);
}

/** Whether a device still has a value that was written. */
export const isStillThere = (
  profile: Profile,
  parameter: string,
  wanted: string,
  found: string,
): boolean => {
  const declared = profile.parameters.get(parameter);
  return declared === undefined || readsBackAs(declared, wanted, found);
};
