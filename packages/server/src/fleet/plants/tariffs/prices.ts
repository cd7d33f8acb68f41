import type { Selectable } from 'kysely';
import { recordAudit, type Act, type AuditData } from '../../../identity/accounts/audit.ts';
import { refusedNow } from '../../../platform/kernel/failure.ts';
import type { Db, Instant, PlantTable } from '../../../platform/storage/database.ts';
import { lockPlant } from '../lock.ts';
import { requestRecalculation } from './recalculation.ts';
import {
  tariffsOf,
  versionAt,
  type Tariffs,
  type TariffUse,
  type TariffVersion,
} from './tariffs.ts';

type Plant = Selectable<PlantTable>;

// Maximum length of a plant's tariffs as JSON, which is read with every report of its devices.
const TEXT_AT_MOST = 16_000;

/** Sets a tariff from an instant on, replacing one that began then. Throws invalidValue, noPermission. */
export async function setTariff(
  trx: Db,
  act: Act,
  plantId: string,
  use: TariffUse,
  version: TariffVersion,
): Promise<void> {
  const plant = await lockPlant(trx, plantId);
  await writeVersions(
    trx,
    act,
    plant,
    use,
    withVersion(tariffsOf(plant)[use] ?? [], version),
    version.fromAt,
  );
  await recordTariff(trx, act, plant, {
    use,
    from: new Date(version.fromAt).toISOString(),
    pricePerKwh: version.pricePerKwh,
  });
}

/** Removes a tariff: the one before it stays in force, or there is no price until the next one. Throws invalidValue, noPermission. */
export async function removeTariff(
  trx: Db,
  act: Act,
  plantId: string,
  use: TariffUse,
  fromAt: Instant,
): Promise<void> {
  const plant = await lockPlant(trx, plantId);
  const known = tariffsOf(plant)[use] ?? [];
  const left = known.filter((version) => version.fromAt !== fromAt);
  if (left.length === known.length)
    throw refusedNow('from', 'the time at which one of the plant’s tariffs begins');
  await writeVersions(trx, act, plant, use, left, fromAt);
  await recordTariff(trx, act, plant, {
    use,
    from: new Date(fromAt).toISOString(),
    pricePerKwh: null,
  });
}

/**
 * Changes the price of energy produced from now on; a plant's first price applies to all time, and null removes all prices.
 * Windows of the tariff in force are kept. The plant must be locked. Throws invalidValue.
 */
export async function changePrice(
  trx: Db,
  act: Act,
  plant: Plant,
  pricePerKwh: number | null,
): Promise<void> {
  const known = tariffsOf(plant).production ?? [];
  const present = versionAt(known, act.at);
  if (pricePerKwh === null) {
    if (known.length > 0) await writeVersions(trx, act, plant, 'production', [], 0);
    return;
  }
  if (pricePerKwh === present?.pricePerKwh) return;
  const fromAt = known.length === 0 ? 0 : act.at;
  await writeVersions(
    trx,
    act,
    plant,
    'production',
    withVersion(known, { ...present, fromAt, pricePerKwh }),
    fromAt,
  );
}

const withVersion = (versions: readonly TariffVersion[], version: TariffVersion): TariffVersion[] =>
  [...versions.filter(({ fromAt }) => fromAt !== version.fromAt), version].toSorted(
    (a, b) => a.fromAt - b.fromAt,
  );

/** Writes the versions of a tariff. `changedAt`: when the added or removed version begins. */
async function writeVersions(
  trx: Db,
  act: Act,
  plant: Plant,
  use: TariffUse,
  versions: readonly TariffVersion[],
  changedAt: Instant,
): Promise<void> {
  const { [use]: _, ...others } = tariffsOf(plant);
  const tariffs: Tariffs = versions.length > 0 ? { ...others, [use]: versions } : others;
  const text = Object.keys(tariffs).length > 0 ? JSON.stringify(tariffs) : null;
  if (text !== null && text.length > TEXT_AT_MOST)
    throw refusedNow(
      use === 'production' ? 'price' : use,
      'fewer price changes: a plant can hold no more',
    );
  const pricePerKwh = versionAt(tariffs.production ?? [], act.at)?.pricePerKwh ?? null;
  await trx
    .updateTable('plant')
    .set({ tariffs: text, pricePerKwh, updatedAt: act.at })
    .where('id', '=', plant.id)
    .execute();
  await requestRecalculation(trx, plant.id, changedAt, act.at);
}

const recordTariff = (
  trx: Db,
  act: Act,
  { id: plantId, ownerId }: Plant,
  data: AuditData,
): Promise<void> =>
  recordAudit(trx, act, {
    kind: 'plant.tariffChanged',
    accountId: ownerId,
    data: { plantId, ...data },
  });
