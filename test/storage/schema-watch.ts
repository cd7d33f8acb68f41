import type { Outdated } from '../../packages/server/src/platform/kernel/surroundings/outdated.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import {
  createSchemaWatch,
  type SchemaWatch,
} from '../../packages/server/src/platform/storage/newer-schema.ts';

/** Whether a database has been left to a newer version, for listeners that are tested alone. */
export const schemaOf = (db: Db): SchemaWatch => createSchemaWatch({ db, onNewer() {} });

/** The same of a listener without a database. */
export const noSchema: Outdated = {
  isNewer: false,
  confirm: async () => false,
};
