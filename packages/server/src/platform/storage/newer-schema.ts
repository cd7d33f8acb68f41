import { sql } from 'kysely';
import type { Outdated } from '../kernel/surroundings/outdated.ts';
import { withTimeout } from '../kernel/within.ts';
import type { Db } from './database.ts';
import { isRolling, shippedMigrations } from './migrate.ts';

/** The pause between two looks. */
const EVERY_MS = 1_000;

/** A database that takes longer to answer is judged by whoever asked it. */
const LIMIT_MS = 1_000;

/** Watches for migrations that this version does not know. Once there is one, this version must not touch the database any more. */
export interface SchemaWatch extends Outdated {
  start(): void;
  stop(): void;
}

export function createSchemaWatch({
  db,
  onNewer,
}: {
  readonly db: Db;
  /** Called once, when the database turns out to be newer. */
  onNewer(): void;
}): SchemaWatch {
  // Read now: an upgrade replaces the files of a running server.
  const known = new Set(shippedMigrations().map(({ id }) => id));
  let isNewer = false;
  let looking: Promise<void> | undefined;
  let following: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function read(): Promise<void> {
    if (isNewer) return;
    const applied = sql<{ id: number; name: string }>`select id, name from schema_migration`;
    const { rows } = await applied.execute(db);
    if (isNewer || rows.every((row) => known.has(row.id) || isRolling(row))) return;
    isNewer = true;
    onNewer();
  }

  const begin = (): Promise<void> =>
    (looking = read()
      .catch(() => {})
      .finally(() => {
        looking = undefined;
      }));

  /** Those who ask while a look is under way share the next one, which begins after they asked. */
  const look = (): Promise<void> =>
    looking
      ? (following ??= looking.then(() => {
          following = undefined;
          return begin();
        }))
      : begin();

  return {
    get isNewer() {
      return isNewer;
    },
    async confirm() {
      if (!isNewer) await withTimeout(LIMIT_MS, look());
      return isNewer;
    },
    start() {
      timer = setInterval(() => void look(), EVERY_MS).unref();
    },
    stop: () => clearInterval(timer),
  };
}
