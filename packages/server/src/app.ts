import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { prepareDataFolder } from './config/data-folder.ts';
import type { Config, Role } from './config/load.ts';
import { masterKeyOf } from './config/master-key.ts';
import type { Clock } from './kernel/clock.ts';
import { createIdSource } from './kernel/ids.ts';
import type { Logger } from './kernel/logger.ts';
import { createSecretBox } from './kernel/secrets.ts';
import { closeWithin, listen, type Listener } from './listener.ts';
import { connectStorage } from './storage/connect.ts';
import { checkMasterKey } from './storage/master-key-check.ts';
import { migrate } from './storage/migrate.ts';
import type { Storage } from './storage/open.ts';

export interface AppOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  /** An open database instead of the configured one; its opener closes it. */
  readonly storage?: Storage;
}

/** Base addresses of the listeners that run. */
export type Addresses = { readonly [Name in Role | 'ops']?: string };

export interface App {
  /**
   * Opens the database, brings it up to date and listens.
   * @throws StartFault, ConfigFault, MigrationFault or MasterKeyFault, each with one sentence for a person
   */
  start(): Promise<Addresses>;
  /** Answers what was asked and closes; takes no longer than some seconds. */
  stop(): Promise<void>;
}

/** How long an unanswered request may hold up a stop, in milliseconds. */
const STOP_LIMIT_MS = 10_000;

/** The composition root: the only place that constructs things. */
export function createApp({ config, clock, logger, storage: given }: AppOptions): App {
  const listeners: Listener[] = [];
  let storage: Storage | undefined;
  let started = false;

  async function isReady(): Promise<boolean> {
    if (!started || !storage) return false;
    return sql`select 1`.execute(storage.db).then(
      () => true,
      () => false,
    );
  }

  async function open(): Promise<Storage> {
    if (!given && config.databaseUrl === null) prepareDataFolder(config);
    storage = given ?? (await connectStorage(config.databaseAddress));
    const applied = await migrate(storage.db, storage.engine, clock.now());
    if (applied.length > 0) logger.info({ applied }, 'database brought up to date');
    return storage;
  }

  async function start(): Promise<Addresses> {
    const { db, engine } = await open();
    const secretBox = createSecretBox(masterKeyOf(config));
    await checkMasterKey(db, secretBox);
    const metrics = new Registry();
    const deps = { config, clock, ids: createIdSource(clock), logger, db, engine, secretBox, metrics, isReady };

    const { createOps } = await import('./edges/ops/plugin.ts');
    const addresses: { [Name in Role | 'ops']?: string } = {};
    const begin = async (name: Role | 'ops', listener: Listener, setting: Parameters<typeof listen>[2]): Promise<void> => {
      listeners.push(listener);
      addresses[name] = await listen(listener, config, setting);
    };
    await begin('ops', createOps(deps), 'opsPort');
    started = true;
    return addresses;
  }

  async function stop(): Promise<void> {
    started = false;
    await Promise.all(listeners.map((listener) => closeWithin(listener, STOP_LIMIT_MS)));
    if (!given) await storage?.close();
  }

  return {
    start: () =>
      start().catch(async (error: unknown) => {
        await stop();
        throw error;
      }),
    stop,
  };
}
