import { tellOfDevices } from '../../platform/events/tell.ts';
import type { Db, Instant, StrategyDeviceTable } from '../../platform/storage/database.ts';

/** The course of a strategy on a device, as it has just become. */
export interface StrategyStateChange {
  readonly strategyId: string;
  readonly deviceId: string;
  /** Where the device was when the strategy was created. */
  readonly plantId: string;
  readonly state: StrategyDeviceTable['state'];
  readonly reason: string | null;
}

/** Records new states of strategies on devices, which are locked. */
export const appendStrategyEvents = (
  trx: Db,
  courses: readonly StrategyStateChange[],
  at: Instant,
): Promise<void> =>
  tellOfDevices(
    trx,
    'strategy.state',
    courses.map(({ strategyId, deviceId, plantId, state, reason }) => ({
      deviceId,
      plantId,
      occurredAt: at,
      data: { strategyId, state, reason },
    })),
    at,
  );
