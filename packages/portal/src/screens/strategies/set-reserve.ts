import type { Command } from '../../parts/settings/command.ts';
import { call, change } from '../../wire/call.ts';

/** Number of the setting that holds what a battery keeps for power cuts. */
export const RESERVE = '157';

/** Sets what is kept for power cuts: the limit of strategies, then the setting of each battery that has another value. Returns the writes by serial number. */
export async function setReserve(
  plantId: string,
  serials: readonly string[],
  percent: string,
): Promise<ReadonlyMap<string, Command>> {
  const { cyclesPerDay, quietHours = [] } = await call('strategy/limits', { plantId });
  await change('strategy/setLimits', {
    plantId,
    reserveSocPercent: percent,
    ...(cyclesPerDay !== undefined && { cyclesPerDay }),
    quietHours,
  });
  const sent = new Map<string, Command>();
  for (const sn of serials) {
    const reserve = (await call('command/parameters', { sn })).find(
      ({ parameter }) => parameter === RESERVE,
    );
    if (!reserve?.writable || reserve.value === percent) continue;
    const { raw } = reserve;
    sent.set(
      sn,
      await change('command/send', {
        sn,
        cid: RESERVE,
        value: percent,
        ...(raw !== undefined && { oldValue: raw }),
      }),
    );
  }
  return sent;
}
