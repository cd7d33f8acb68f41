import type { Db, Instant } from '../../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../../platform/storage/prepare.ts';
import {
  plantsOfMeter,
  reachParameters,
  visible,
  withPlantColumns,
  type Reach,
  type ReachParameters,
  type VisiblePlant,
} from '../access.ts';
import { type AccessLevel } from '../levels.ts';

/** Which plants of a reach a list is about. */
export interface PlantSelection {
  readonly reach: Reach;
  readonly nmiCode?: string | undefined;
  /** Selects only this id and higher ones. */
  readonly fromId?: string | undefined;
}

export interface PlantListParameters extends ReachParameters {
  fromId: string;
  byMeter: number;
  nmiCode: string;
}

export const plantListParameters = (
  db: Db,
  { reach, nmiCode, fromId }: PlantSelection,
): PlantListParameters => ({
  ...reachParameters(db, reach),
  ...fromIdParameter(fromId),
  byMeter: nmiCode === undefined ? 0 : 1,
  nmiCode: nmiCode ?? '',
});

/** Ids sort as text because all have 19 digits. */
export const fromIdParameter = (fromId = ''): { fromId: string } => ({
  fromId: fromId.padStart(19, '0'),
});

/** The plants of a selection. */
export const listedPlants = (db: Db, p: ParameterOf<PlantListParameters>) =>
  visible(db, p, p.has('byMeter') ? plantsOfMeter(p('nmiCode')) : undefined).where(
    'access.plantId',
    '>=',
    p('fromId'),
  );

/** A part of a list; page numbers count from 1. */
export interface PageOf {
  readonly pageNo: number;
  readonly pageSize: number;
}

/** A page as parameters of a prepared query. */
export const pageParameters = ({
  pageNo,
  pageSize,
}: PageOf): { limit: number; offset: number } => ({
  limit: pageSize,
  offset: (pageNo - 1) * pageSize,
});

type PlantPageParameters = PlantListParameters & ReturnType<typeof pageParameters>;
const plantPage = prepareQuery((db, p: ParameterOf<PlantPageParameters>) =>
  withPlantColumns(db, p, listedPlants(db, p))
    .orderBy('access.plantId')
    .limit(p('limit'))
    .offset(p('offset')),
);
interface Position {
  limit: number;
  offset: number;
}
const idFromStart = prepareQuery((db, p: ParameterOf<PlantListParameters & Position>) =>
  listedPlants(db, p)
    .select('access.plantId')
    .orderBy('access.plantId')
    .limit(p('limit'))
    .offset(p('offset')),
);

/** From this offset in a list on, the first id of the page is found on its own before anything else is read. */
const FAR = 1_000;

/** A page of the selected plants, in id order: while plants are added, nobody sees one twice or misses one that was there from the start. */
export async function listPlants(
  db: Db,
  selection: PlantSelection,
  page: PageOf,
): Promise<VisiblePlant[]> {
  const parameters = { ...plantListParameters(db, selection), ...pageParameters(page) };
  if (parameters.offset < FAR) return plantPage(db, parameters);
  const [first] = await idFromStart(db, { ...parameters, limit: 1 });
  return first ? plantPage(db, { ...parameters, fromId: first.plantId, offset: 0 }) : [];
}

/** A plant as shown to the operator; may be archived. */
export interface KnownPlant {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly capacityKwp: number;
  readonly timeZone: string;
  readonly createdAt: Instant;
  readonly archivedAt: Instant | null;
  readonly shares: readonly { readonly email: string; readonly level: AccessLevel }[];
}

/** All plants, or one owner's, no matter who may see them: only for the operator's command line. */
export async function listKnownPlants(db: Db, ownerId?: string): Promise<KnownPlant[]> {
  let query = db
    .selectFrom('plant')
    .innerJoin('account as owner', 'owner.id', 'plant.ownerId')
    .select([
      'plant.id',
      'plant.name',
      'owner.email as owner',
      'plant.capacityKwp',
      'plant.timeZone',
      'plant.createdAt',
      'plant.archivedAt',
    ]);
  if (ownerId !== undefined) query = query.where('plant.ownerId', '=', ownerId);
  const plants = await query.orderBy('plant.id').execute();
  const shares = Map.groupBy(await listShares(db, ownerId), ({ plantId }) => plantId);
  return plants.map((plant) => ({
    ...plant,
    shares: (shares.get(plant.id) ?? []).map(({ email, level }) => ({ email, level })),
  }));
}

/** The shares of all plants, or of one owner's. */
function listShares(
  db: Db,
  ownerId?: string,
): Promise<{ plantId: string; email: string; level: AccessLevel }[]> {
  let query = db
    .selectFrom('plantAccess')
    .innerJoin('account', 'account.id', 'plantAccess.accountId')
    .select(['plantAccess.plantId', 'account.email', 'plantAccess.level'])
    .where('plantAccess.level', '!=', 'owner');
  if (ownerId !== undefined)
    query = query
      .innerJoin('plant', 'plant.id', 'plantAccess.plantId')
      .where('plant.ownerId', '=', ownerId);
  return query.orderBy('account.id').execute();
}
