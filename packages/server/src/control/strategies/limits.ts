import { weekDays, type StrategyLimits, type WeekDay } from '@helioport/contract';
import { changedFacts, recordAudit, type Act } from '../../identity/accounts/audit.ts';
import { STRATEGY_DEVICE } from '../commands/open-commands.ts';
import { invalidValue } from '../../platform/kernel/failure.ts';
import { lockPlant } from '../../fleet/plants/lock.ts';
import type { Db } from '../../platform/storage/database.ts';
import { armTasks } from '../../platform/work/arm.ts';
import { noteLimits } from './delivery/note-asked.ts';

type Hours = StrategyLimits['quietHours'][number];

const NOTHING: StrategyLimits = { reserveSocPercent: null, cyclesPerDay: null, quietHours: [] };

/** What the owner of a plant lets strategies do there. */
export const limitsOf = ({
  strategyLimits,
}: {
  readonly strategyLimits: string | null;
}): StrategyLimits =>
  strategyLimits === null ? NOTHING : (JSON.parse(strategyLimits) as StrategyLimits);

/** The state of charge to which a set point may discharge a battery: from full to there are as many cycles as its owner allows. */
export const reserveOf = ({ reserveSocPercent, cyclesPerDay }: StrategyLimits): number =>
  Math.max(reserveSocPercent ?? 0, cyclesPerDay === null ? 0 : Math.ceil(100 - 100 * cyclesPerDay));

const TIME = /^([01]\d|2[0-4]):[0-5]\d$/;

/** Reads hours as somebody sent them. Throws invalidValue, naming the field. */
export function readQuietHours(given: readonly object[]): readonly Hours[] {
  return given.map((one, i) => {
    const { days, start, end, ...others } = one as Partial<Record<keyof Hours, unknown>>;
    const field = `quietHours[${i}]`;
    if (Object.keys(others).length > 0)
      throw invalidValue(field, 'nothing but start, end and days');
    const hours = {
      start: clockOf(start, `${field}.start`, '23:59'),
      end: clockOf(end, `${field}.end`, '24:00'),
    };
    if (hours.start === hours.end)
      throw invalidValue(
        `${field}.end`,
        'a time other than the start; for the whole day, 00:00 to 24:00',
      );
    return days === undefined ? hours : { days: daysOf(days, `${field}.days`), ...hours };
  });
}

function clockOf(given: unknown, field: string, last: string): string {
  if (typeof given === 'string' && TIME.test(given) && given <= last) return given;
  throw invalidValue(field, `a time of day from 00:00 to ${last}`);
}

function daysOf(given: unknown, field: string): readonly WeekDay[] {
  const list = Array.isArray(given) ? (given as unknown[]) : [];
  const days = weekDays.filter((day) => list.includes(day));
  if (days.length === 0 || days.length !== list.length)
    throw invalidValue(field, `a list of ${weekDays.join(', ')}, each once`);
  return days;
}

/** Sets what strategies may do in a plant; those under way are adjusted. Throws noPermission. */
export async function setLimits(
  trx: Db,
  act: Act,
  plantId: string,
  limits: StrategyLimits,
): Promise<void> {
  const plant = await lockPlant(trx, plantId);
  await trx
    .updateTable('plant')
    .set({ strategyLimits: JSON.stringify(limits) })
    .where('id', '=', plantId)
    .execute();
  await noteLimits(trx, plantId, JSON.stringify(limits), act.at);
  const devices = await trx
    .selectFrom('strategyDevice')
    .select('deviceId')
    .distinct()
    .where('plantId', '=', plantId)
    .where('endedAt', 'is', null)
    .where('state', '!=', 'draft')
    .orderBy('deviceId')
    .execute();
  await armTasks(
    trx,
    STRATEGY_DEVICE,
    devices.map(({ deviceId }) => deviceId),
    act.at,
  );
  const changed = changedFacts(factsOf(limitsOf(plant)), factsOf(limits));
  if (changed)
    await recordAudit(trx, act, {
      kind: 'strategy.limitsSet',
      accountId: plant.ownerId,
      data: { plantId, ...changed },
    });
}

const factsOf = ({ quietHours, ...numbers }: StrategyLimits) => ({
  ...numbers,
  quietHours: quietHours.length === 0 ? null : JSON.stringify(quietHours),
});
