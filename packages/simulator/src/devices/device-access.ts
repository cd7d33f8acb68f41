import type { Clock, DeviceAccess, Instruction, Pause } from '@helioport/collector';
import { underWay, type Scenario } from '../scenarios/scenario.ts';
import { RegisterFault, type Memory } from './memory.ts';

/** A setting that a device has taken. */
export interface Setting {
  readonly sn: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly parameter: string;
  readonly value: string;
}

export interface DeviceAccessDeps {
  /** Registers by serial number. */
  readonly memories: ReadonlyMap<string, Memory>;
  readonly scenarios: readonly Scenario[];
  readonly clock: Clock;
  readonly pause: Pause;
  /** The devices' local time, milliseconds since 1970. */
  localMs(at: number): number;
  onSetting(setting: Setting): void;
}

const CLEARED_PARAMETER = '636';
const CLEARED_BIT = 1;

/** Creates a collector's access to simulated devices, with the faults of the scenarios. */
export function createDeviceAccess({
  memories,
  scenarios,
  clock,
  pause,
  localMs,
  onSetting,
}: DeviceAccessDeps): DeviceAccess {
  async function reach({ sn }: Instruction): Promise<Memory> {
    const memory = memories.get(sn);
    if (!memory) throw new RegisterFault('no device answers at this address');
    const [slow] = underWay(scenarios, 'slow-collector', clock.now(), sn);
    if (slow) await pause(slow.seconds! * 1000);
    return memory;
  }

  const happens = (
    kind: Scenario['kind'],
    { sn, parameter }: Instruction,
    usual?: string,
  ): Scenario | undefined =>
    underWay(scenarios, kind, clock.now(), sn).find(
      (scenario) => (scenario.parameter ?? usual ?? parameter) === parameter,
    );

  return {
    read: async (instruction) =>
      (await reach(instruction)).read(instruction.parameter, localMs(clock.now())),
    async write(instruction) {
      const { sn, parameter, value = '' } = instruction;
      const memory = await reach(instruction);
      if (happens('lost-write', instruction)) return;
      const at = clock.now();
      memory.write(parameter, value, localMs(at));
      onSetting({ sn, at, parameter, value });
      const cleared = happens('cleared-bit', instruction, CLEARED_PARAMETER);
      if (!cleared) return;
      const left = String(Number(value) & ~(1 << (cleared.bit ?? CLEARED_BIT)));
      memory.write(parameter, left, localMs(at));
      onSetting({ sn, at, parameter, value: left });
    },
  };
}
