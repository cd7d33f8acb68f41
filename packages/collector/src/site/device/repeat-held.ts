import type { Profile } from '@helioport/devices';
import type { Clock } from '../../clock.ts';
import type { StandingAlarm } from './alarms.ts';
import type { Control } from './control.ts';
import type { HeldValue, HeldValues } from './held-values.ts';

export interface RepeatOptions {
  readonly profile: Profile;
  readonly sn: string;
  readonly control: Control;
  readonly held: HeldValues;
  readonly clock: Clock;
  /** Whether the server has been heard of lately: without it, nobody could end what is held. */
  readonly isServerThere: () => boolean;
}

/** Writes what a device would forget again and again, until it is over. */
export interface Repeating {
  readonly alarms: readonly StandingAlarm[];
  /** Repeats what is due. */
  repeat(): Promise<void>;
}

export function createRepeating(options: RepeatOptions): Repeating {
  const { profile, sn, control, held, clock, isServerThere } = options;
  /** When which value was last written from here. */
  const written = new Map<string, { readonly held: HeldValue; readonly at: number }>();
  const alarms = new Map<string, StandingAlarm>();

  async function again(one: HeldValue): Promise<void> {
    const { parameter, value } = one;
    const name = profile.parameters.get(parameter)?.name ?? parameter;
    const fail = (why: string): void =>
      void alarms.set(parameter, {
        code: `not-held-${parameter}`,
        level: 2,
        message: `${name}: ${value} does not hold: ${why}`,
      });
    const isFirst = written.get(parameter)?.held !== one;
    try {
      const wasThere = await control.repeat(one);
      written.set(parameter, { held: one, at: clock.now() });
      if (wasThere || isFirst) alarms.delete(parameter);
      else fail('the device had let go of it');
    } catch (error) {
      fail((error as Error).message);
    }
  }

  return {
    get alarms() {
      return [...alarms.values()];
    },
    async repeat() {
      const all = held.of(sn);
      for (const parameter of alarms.keys())
        if (!all.some((one) => one.parameter === parameter)) alarms.delete(parameter);
      if (!isServerThere()) return;
      for (const one of all) {
        const everyMs = profile.registers?.places.get(one.parameter)?.repeatMs ?? Infinity;
        const last = written.get(one.parameter);
        if (last?.held !== one || clock.now() - last.at >= everyMs) await again(one);
      }
    },
  };
}
