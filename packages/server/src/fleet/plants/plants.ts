import type { PlantFacts } from '@helioport/contract';
import { changedFacts, recordAudit, type Act } from '../../identity/accounts/audit.ts';
import { takeOutOfKeys } from '../../identity/accounts/key-pairs.ts';
import { takeOutOfGrants } from '../../identity/oauth/narrow-grant.ts';
import { tellOfPlant } from '../../platform/events/tell.ts';
import { refusedNow } from '../../platform/kernel/failure.ts';
import type { Selectable } from 'kysely';
import type { Db, PlantTable } from '../../platform/storage/database.ts';
import { withinBounds } from '../../platform/storage/bounds/within.ts';
import { grantAccess } from './access.ts';
import { withdrawAllAccess } from './ended-access.ts';
import { unbindAll } from './bindings.ts';
import { countIn, countOut } from './fleet/counters.ts';
import { endForeignLinks, lockBoundAndLinked } from './foreign-links.ts';
import { endInvitations } from './invitations/end.ts';
import { lockPlant } from './lock.ts';
import {
  appointRankingFigures,
  describeRankingFigures,
  insertRankingFigures,
  NEVER,
} from './ranking/ranking-figures.ts';
import { changePrice } from './tariffs/prices.ts';
import { requestRecalculation } from './tariffs/recalculation.ts';
import { presence } from './presence.ts';
import { checkDescription, type PlantDescription } from './plant-facts.ts';
import { checkTimeZone } from './zones.ts';

export interface NewPlant extends PlantDescription {
  readonly ownerId: string;
  readonly installerId: string | null;
  readonly timeZone: string;
  readonly facts?: PlantFacts;
}

/** How long readings of a plant are kept at most; null = as long as in the whole installation. */
export type PlantRetention = Pick<
  Selectable<PlantTable>,
  'readingsKeptDays' | 'readingsThinnedDays' | 'readingsThinnedMinutes'
>;

/** The changeable properties of a plant; only those given are changed. */
export interface PlantChanges extends Partial<PlantDescription & PlantRetention> {
  readonly facts?: PlantFacts;
}

/** Creates a plant and returns its id. Throws invalidValue. */
export async function insertPlant(trx: Db, act: Act, input: NewPlant): Promise<string> {
  const { ownerId, facts = {}, ...description } = input;
  const plantId = act.newId();
  const timeZone = checkTimeZone(input.timeZone);
  const row = {
    ...checkDescription(description),
    ownerId,
    name: input.name.trim(),
    timeZone,
    facts: JSON.stringify(facts),
  };
  await withinBounds(trx, 'plants', { ownerId }, act);
  await withinBounds(trx, 'keptPlants', { ownerId }, act);
  await trx
    .insertInto('plant')
    .values({ ...row, id: plantId, createdAt: act.at, updatedAt: act.at })
    .execute();
  await trx.insertInto('plantZone').values({ plantId, fromAt: 0, timeZone }).execute();
  await insertRankingFigures(trx, plantId, { ...row, state: presence.building });
  await grantAccess(trx, { plantId, accountId: ownerId, level: 'owner', at: act.at });
  await countIn(trx, { plantId });
  await recordAudit(trx, act, {
    kind: 'plant.created',
    accountId: ownerId,
    data: { plantId, name: row.name },
  });
  return plantId;
}

/** Changes the given properties of a plant and leaves the rest. Throws invalidValue, noPermission. */
export async function updatePlant(
  trx: Db,
  act: Act,
  plantId: string,
  { facts, pricePerKwh, ...changes }: PlantChanges,
): Promise<void> {
  checkDescription({ ...changes, ...(pricePerKwh !== undefined && { pricePerKwh }) });
  const plant = await lockPlant(trx, plantId);
  if (pricePerKwh !== undefined) await changePrice(trx, act, plant, pricePerKwh);
  const known = JSON.parse(plant.facts) as PlantFacts;
  const merged = facts && { facts: JSON.stringify({ ...known, ...facts }) };
  // The bounds of counters depend on the capacity, and gaps are divided by the daylight at the plant's position.
  const isJudgedAnew = (['capacityKwp', 'latitude', 'longitude'] as const).some(
    (field) => changes[field] !== undefined && changes[field] !== plant[field],
  );
  if (isJudgedAnew) await requestRecalculation(trx, plantId, 0, act.at);
  await trx
    .updateTable('plant')
    // Later than before even within a millisecond, so that it tells versions apart.
    .set({ ...changes, ...merged, updatedAt: Math.max(act.at, plant.updatedAt + 1) })
    .where('id', '=', plantId)
    .execute();
  await describeRankingFigures(trx, plantId, { ...plant, ...changes });
  const { ownerId, facts: _, tariffs: __, ...described } = plant;
  const changed = changedFacts({ ...described, ...known }, { ...changes, pricePerKwh, ...facts });
  if (!changed) return;
  await recordAudit(trx, act, {
    kind: 'plant.changed',
    accountId: ownerId,
    data: { plantId, ...changed },
  });
  await tellOfPlant(trx, 'plant.changed', plantId, { changed: Object.keys(changed.after) }, act.at);
}

/** Archives a plant: it is no longer visible, its devices are unbound, its history is kept. Throws noPermission. */
export async function archivePlant(trx: Db, act: Act, plantId: string): Promise<void> {
  const plant = await lockPlant(trx, plantId);
  await unbindAll(trx, act, plant);
  await endInvitations(trx, act, plant);
  await countOut(trx, { plantId });
  await trx
    .updateTable('plant')
    .set({ archivedAt: act.at, updatedAt: act.at })
    .where('id', '=', plantId)
    .execute();
  await appointRankingFigures(trx, plantId, NEVER);
  await recordAudit(trx, act, {
    kind: 'plant.archived',
    accountId: plant.ownerId,
    data: { plantId },
  });
}

/**
 * Transfers a plant with its devices and history to another owner. Shares end, since the new owner decides who may see the plant,
 * and so do links between its devices and those of the former owner. What was given for this plant in particular, to applications and programs,
 * ends as well, except for key pairs of those to whom `leave` gives access again. Throws noPermission, and invalidValue if the account already owns it.
 */
export async function transferPlant(
  trx: Db,
  act: Act,
  plantId: string,
  toAccountId: string,
  leave?: () => Promise<void>,
): Promise<void> {
  const plant = await lockPlant(trx, plantId);
  const { ownerId } = plant;
  if (ownerId === toAccountId) throw refusedNow('owner', 'an owner other than the current one');
  await lockBoundAndLinked(trx, plantId);
  await withinBounds(trx, 'plants', { ownerId: toAccountId }, act);
  await withinBounds(trx, 'keptPlants', { ownerId: toAccountId }, act);
  await endInvitations(trx, act, plant);
  await countOut(trx, { plantId });
  await trx
    .updateTable('plant')
    .set({ ownerId: toAccountId, updatedAt: act.at })
    .where('id', '=', plantId)
    .execute();
  const had = await listAccounts(trx, plantId);
  await withdrawAllAccess(trx, act, plantId);
  await grantAccess(trx, { plantId, accountId: toAccountId, level: 'owner', at: act.at });
  await countIn(trx, { plantId });
  await endForeignLinks(trx, plantId);
  // A collector added for the former owner's account goes with the plant.
  await trx
    .updateTable('device')
    .set({ accountId: toAccountId })
    .where('plantId', '=', plantId)
    .where('accountId', 'is not', null)
    .execute();
  for (const accountId of [ownerId, toAccountId]) {
    await recordAudit(trx, act, {
      kind: 'plant.transferred',
      accountId,
      data: { plantId, from: ownerId, to: toAccountId },
    });
  }
  await leave?.();
  const have = new Set(await listAccounts(trx, plantId));
  await takeOutOfGrants(trx, act.at, plantId, ownerId);
  await takeOutOfKeys(
    trx,
    plantId,
    had.filter((id) => !have.has(id)),
  );
}

/** Who may see a plant. */
const listAccounts = async (trx: Db, plantId: string): Promise<string[]> =>
  (
    await trx.selectFrom('plantAccess').select('accountId').where('plantId', '=', plantId).execute()
  ).map(({ accountId }) => accountId);
