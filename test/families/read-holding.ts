import { parseAddress } from '../../packages/collector/src/bus/address.ts';
import { openBus, type KnownAddress } from '../../packages/collector/src/bus/open-bus.ts';
import { systemClock, timerPause } from '../../packages/collector/src/clock.ts';

const open = (address: string) =>
  openBus(parseAddress(address) as KnownAddress, {
    clock: systemClock,
    pause: timerPause,
    random: Math.random,
  });

/** Reads holding registers of a simulated device. */
export async function readHolding(
  at: string,
  unit: number,
  address: number,
  count: number,
): Promise<readonly number[]> {
  const bus = open(at);
  try {
    return await bus.hold((line) => line.request({ unit, fn: 3, address, count }), 'poll');
  } finally {
    bus.close();
  }
}

/** Writes holding registers of a simulated device. */
export async function writeHolding(
  at: string,
  unit: number,
  address: number,
  words: readonly number[],
): Promise<void> {
  const bus = open(at);
  try {
    await bus.hold((line) => line.request({ unit, fn: 16, address, words }), 'instruction');
  } finally {
    bus.close();
  }
}
