import {
  alarmsIn,
  createReadings,
  decodeBlock,
  type Alarm,
  type Block,
  type DecodedBlock,
  type DecodingContext,
  type RegisterMap,
} from '@helioport/devices';
import type { QuantityName, Values } from '@helioport/contract';
import { DAY_MS } from '@helioport/contract/durations';
import { createHoles, readBlock, type Holes } from '../../bus/blocks.ts';
import type { Master } from '../../bus/master.ts';
import type { Clock } from '../../clock.ts';
import type { ReachedDevice } from './reach.ts';
import { groupsOf, READ_FUNCTIONS } from './registers.ts';

/** The values of one round, as far as it went. */
export interface Round {
  readonly values: Values;
  /** How often which value cannot be right, by the id of its register. */
  readonly dropped: ReadonlyMap<string, number>;
  /** Why the round ended early. */
  readonly fault?: Error;
}

/** Reads a device, block by block. */
export interface Poller {
  /** What the device says is wrong with it, as its blocks were when they were last read. */
  readonly alarms: readonly Alarm[];
  round(): Promise<Round>;
}

/** Blocks that are read less often than each round. */
const EVERY_MS = { fast: 0, slow: 55_000, daily: DAY_MS } as const;

export const contextOf = (
  { identity }: ReachedDevice,
  confirmed: ReadonlySet<string>,
): DecodingContext => ({
  ratedPowerW: identity.ratedPowerW,
  phases: identity.phases,
  confirmed,
});

export function createPoller(
  device: ReachedDevice,
  confirmed: ReadonlySet<string>,
  clock: Clock,
): Poller {
  const map = device.identity.profile.registers!;
  const context = contextOf(device, confirmed);
  const readings = createReadings(map);
  const holes = createHoles(clock);
  const readAt = new Map<Block, number>();
  const alarms = new Map<Block, readonly Alarm[]>();
  const isDue = (block: Block, now: number): boolean =>
    now - (readAt.get(block) ?? -Infinity) >= EVERY_MS[block.every];
  return {
    get alarms() {
      return [...alarms.values()].flat();
    },
    async round() {
      const values: { [Name in QuantityName]?: number } = {};
      const dropped = new Map<string, number>();
      for (const block of map.blocks) {
        if (!isDue(block, clock.now())) continue;
        let decoded: DecodedBlock;
        try {
          decoded = await readDecoded(device, map, block, holes, context);
        } catch (fault) {
          return { values, dropped, fault: fault as Error };
        }
        readAt.set(block, clock.now());
        alarms.set(block, alarmsIn(decoded));
        Object.assign(values, readings.take(decoded));
        for (const { register } of decoded.dropped)
          dropped.set(register.id, (dropped.get(register.id) ?? 0) + 1);
      }
      return { values, dropped };
    },
  };
}

/** One block, as the device has it now. */
export async function readDecoded(
  { bus, unit }: { readonly bus: Master; readonly unit: number },
  map: RegisterMap,
  block: Block,
  holes: Holes,
  context: DecodingContext,
): Promise<DecodedBlock> {
  const request = {
    unit,
    fn: READ_FUNCTIONS[block.table],
    groups: groupsOf(block),
    wordsAtMost: map.wordsAtMost,
  };
  const words = await bus.hold((line) => readBlock(line, request, holes), 'poll');
  const list = Array.from({ length: block.count }, (_, i) => words.get(block.address + i));
  return decodeBlock(map, block, list, context);
}
