import { MINUTE_MS } from '@helioport/contract/durations';
import { invalidValue } from '../../../platform/kernel/failure.ts';
import { CSV_HEADER } from '../../../control/strategies/delivery/delivery-csv.ts';
import {
  readDelivery,
  type DeviceDelivery,
} from '../../../control/strategies/delivery/read-delivery.ts';
import { getStrategy, listTargets } from '../../../control/strategies/list.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';

const DEVICES = 10;
const LONGEST_MS = 31 * 24 * 60 * MINUTE_MS;
const LENGTHS = [5, 15, 30, 60];

/** Proof of what strategies did. */
export function createStrategyDelivery({
  db,
  clock,
  telemetry,
}: OperationDependencies): HandlersOf<'strategy/delivery'> {
  return {
    async 'strategy/delivery'(caller, given) {
      const {
        id,
        baseline = 'tenDays',
        intervalMinutes = 15,
        from,
        to,
        sn,
        after = '',
        limit = DEVICES,
        format = 'json',
      } = given;
      const now = clock.now();
      const { startAt, endAt } = await getStrategy(db, caller, id, now);
      if (!LENGTHS.includes(intervalMinutes))
        throw invalidValue('intervalMinutes', `one of ${LENGTHS.join(', ')}`);
      const fromAt = from ?? startAt;
      const toAt = Math.max(fromAt, Math.min(now, to ?? endAt));
      if (to !== undefined && to <= fromAt) throw invalidValue('to', 'a time after the beginning');
      if (toAt - fromAt > LONGEST_MS)
        throw invalidValue('to', 'a time at most 31 days after the beginning');
      const targets = await listTargets(
        db,
        caller,
        id,
        sn === undefined ? { after, limit: limit + 1 } : { only: sn, after: '', limit: 1 },
      );
      const devices = targets.slice(0, limit);
      const request = {
        strategyId: id,
        baseline,
        lengthMs: intervalMinutes * MINUTE_MS,
        fromAt,
        toAt,
      };
      const found: DeviceDelivery[] = [];
      // One after the other: the readings of many devices are more than should be in memory at once.
      for (const device of devices)
        found.push(await readDelivery({ db, telemetry }, device, request));
      const isFile = format === 'csv';
      return {
        baseline,
        intervalMinutes,
        fromAt,
        toAt,
        rows: isFile ? null : found.flatMap(({ rows }) => rows),
        csv: isFile ? CSV_HEADER + found.map(({ csv }) => csv).join('') : null,
        next: targets.length > devices.length ? devices.at(-1)!.sn : null,
      };
    },
  };
}
