import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { sql, type Kysely } from 'kysely';
import type { Engine } from './engine.ts';
import { respellAddresses } from './migrations/0070-one-spelling.ts';

interface Migration {
  readonly id: number;
  readonly name: string;
  readonly script: string;
  readonly checksum: string;
}

interface Applied {
  id: number;
  name: string;
  checksum: string;
}

/** The database was written by a newer Helioport, or its migrations are not the ones shipped here. */
export class MigrationFault extends Error {
  override readonly name = 'MigrationFault';
}

const NOTHING = '{nothing}';

// The words of the migration scripts that mean something different on each engine.
const TYPES: Record<Engine, Record<string, string>> = {
  sqlite: {
    text: 'text',
    sortable: 'text',
    int: 'integer',
    short: 'integer',
    tiny: 'integer',
    real: 'real',
    bytes: 'blob',
    serial: 'integer',
    position: 'integer',
    clustered: 'without rowid',
    rewritten: 'without rowid',
    postgres: NOTHING,
    sqlite: '',
  },
  postgres: {
    text: 'text',
    // Sorts by code point, as SQLite does.
    sortable: 'text collate "C"',
    int: 'bigint',
    short: 'integer',
    tiny: 'smallint',
    real: 'double precision',
    bytes: 'bytea',
    serial: 'integer generated always as identity',
    position: 'bigint generated always as identity',
    clustered: '',
    // Leaves space for a row's next version on the same page, so that no index has to be updated.
    rewritten: 'with (fillfactor = 45)',
    // Before a statement that only one engine has.
    postgres: '',
    sqlite: NOTHING,
  },
};

/** What migrations do, after their scripts and in the same transaction, that SQL cannot say. */
const deeds: Readonly<Record<string, (trx: Kysely<any>) => Promise<void>>> = {
  '0070-one-spelling.sql': respellAddresses,
};

const FOLDER = new URL('./migrations/', import.meta.url);

// Any constant will do, as long as every instance uses the same one.
const ADVISORY_LOCK = 7_205_116_031;

// Before 0.1.0 there were 66 migrations, which are now one, the foundation. A database in which all of them were applied is at the same state.
const FOUNDATION = 69;
const FORMER_DIGEST = 'f1402fb4fb5eca4cb38b141ade8d8113021631ea7dd7960070a2a0a38ba6b7e8';
const LAST_WITH_FORMER = 'e6a21d57d953dcd89a616c83dda0ff929ee5abb6';

/** Whether older versions work beside a database with this migration: the name of its file ends in "rolling". */
export const isRolling = ({ name }: Pick<Migration, 'name'>): boolean =>
  name.endsWith('.rolling.sql');

/** The migrations shipped with this version, in order. */
export function shippedMigrations(): Migration[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file) => {
      const script = readFileSync(new URL(file, FOLDER), 'utf8');
      return {
        id: Number.parseInt(file, 10),
        name: file,
        script,
        checksum: createHash('sha256').update(script).digest('hex'),
      };
    });
}

/**
 * Brings the schema up to date in one transaction, while all other instances wait.
 * @returns the names of the migrations that were applied now
 * @throws MigrationFault when the database is newer than this version or has other migrations
 */
export async function migrate(db: Kysely<any>, engine: Engine, now: number): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    // On SQLite, write transactions exclude each other without a lock of ours.
    if (engine === 'postgres')
      await sql`select pg_advisory_xact_lock(${sql.lit(ADVISORY_LOCK)})`.execute(trx);
    await sql`create table if not exists schema_migration (id integer primary key, name text not null, checksum text not null, applied_at bigint not null)`.execute(
      trx,
    );
    const applied = await appliedMigrations(trx);
    const pending = pendingMigrations(applied);
    if (applied.some(isFormer)) {
      await sql`delete from schema_migration where id <= ${FOUNDATION}`.execute(trx);
      await note(trx, foundation(), now);
    }
    for (const migration of pending) {
      for (const statement of statements(migration.script, engine))
        await sql.raw(statement).execute(trx);
      await deeds[migration.name]?.(trx);
      await note(trx, migration, now);
    }
    return pending.map((migration) => migration.name);
  });
}

/** Brings something beside the database up to date, while all other instances that want to wait. */
export async function migrateExternalEngine<T>(
  db: Kysely<any>,
  engine: Engine,
  work: () => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (trx) => {
    if (engine === 'postgres')
      await sql`select pg_advisory_xact_lock(${sql.lit(ADVISORY_LOCK)})`.execute(trx);
    return work();
  });
}

/** The names of the migrations that `migrate` would apply. Throws what `migrate` throws. */
export async function checkMigrations(db: Kysely<any>): Promise<string[]> {
  return pendingMigrations(await appliedMigrations(db)).map((migration) => migration.name);
}

/** Whether this is a Helioport database. */
export async function isMigrated(db: Kysely<any>): Promise<boolean> {
  const tables = await db.introspection.getTables();
  return tables.some((table) => table.name === 'schema_migration');
}

async function appliedMigrations(db: Kysely<any>): Promise<Applied[]> {
  if (!(await isMigrated(db))) return [];
  const { rows } =
    await sql<Applied>`select id, name, checksum from schema_migration order by id`.execute(db);
  return rows;
}

async function note(
  trx: Kysely<any>,
  { id, name, checksum }: Migration,
  now: number,
): Promise<void> {
  await sql`insert into schema_migration (id, name, checksum, applied_at) values (${id}, ${name}, ${checksum}, ${now})`.execute(
    trx,
  );
}

const isFormer = ({ id }: Applied): boolean => id < FOUNDATION;

const foundation = (): Migration => shippedMigrations().find(({ id }) => id === FOUNDATION)!;

/** The applied migrations, with the foundation in place of those that it replaced. Throws for a database at which some of them are missing. */
function sinceFoundation(applied: Applied[]): Applied[] {
  if (!applied.some(isFormer)) return applied;
  const former = applied.filter(({ id }) => id <= FOUNDATION);
  const digest = createHash('sha256')
    .update(former.map(({ id, checksum }) => `${id} ${checksum}`).join('\n'))
    .digest('hex');
  if (digest !== FORMER_DIGEST)
    throw new MigrationFault(
      `the database is of a development version before 0.1.0 (it stands at ${former.at(-1)!.name}): ` +
        `run helioport migrate of commit ${LAST_WITH_FORMER} first, then that of this version`,
    );
  return [foundation(), ...applied.filter(({ id }) => id > FOUNDATION)];
}

function pendingMigrations(found: Applied[]): Migration[] {
  const shipped = shippedMigrations();
  const applied = sinceFoundation(found);
  for (const row of applied) {
    const own = shipped.find((migration) => migration.id === row.id);
    if (!own && isRolling(row)) continue;
    if (!own)
      throw new MigrationFault(
        `the database was written by a newer version of Helioport (it has ${row.name})`,
      );
    if (own.checksum !== row.checksum)
      throw new MigrationFault(
        `migration ${row.name} is not the one that was applied to this database`,
      );
  }
  return shipped.filter((migration) => !applied.some((row) => row.id === migration.id));
}

function statements(script: string, engine: Engine): string[] {
  return script
    .replace(/--.*$/gm, '')
    .replace(
      /\{(\w+)\}/g,
      (_, type: string) => TYPES[engine][type] ?? fail(`unknown type {${type}} in a migration`),
    )
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '' && !statement.startsWith(NOTHING));
}

function fail(message: string): never {
  throw new Error(message);
}
