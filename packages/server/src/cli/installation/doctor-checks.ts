import { statSync } from 'node:fs';
import { sql } from 'kysely';
import { prepareDataFolder } from '../../config/data-folder.ts';
import { masterKeyFile } from '../../config/master-key.ts';
import { unknownInEnvironment, unknownText } from '../../config/unknown-names.ts';
import { countMiscounts, recount } from '../../plants/fleet/recount.ts';
import { checkMigrations } from '../../storage/migrate.ts';
import type { CliContext } from '../context.ts';
import { ok, warning, type Finding } from './finding.ts';

/** How far the machine's clock and the database's may differ before signed requests fail for it, in milliseconds. */
const CLOCK_TOLERANCE_MS = 60_000;

/** The named checks of `helioport doctor`, in their order. A thrown error is a fault. */
export const checks: Readonly<Record<string, (context: CliContext) => Promise<Finding>>> = {
  settings: async (context) => {
    context.config();
    const unknown = unknownInEnvironment(context.environment).map((one) => unknownText(one, 'the environment'));
    return unknown.length > 0 ? warning(unknown.join(', ')) : ok('can be used');
  },
  'data folder': async (context) => {
    const config = context.config();
    if (config.databaseUrl !== null) return ok('not needed with PostgreSQL');
    prepareDataFolder(config);
    return ok(config.dataDir);
  },
  database: async (context) => {
    const { engine, db } = await context.storage();
    await checkMigrations(db);
    return ok(`${engine === 'sqlite' ? 'embedded' : 'PostgreSQL'}, up to date`);
  },
  'master key': async (context) => {
    await context.secretBox();
    const config = context.config();
    if (config.masterKey !== null) return ok('from the settings, fits the database');
    const { mode } = statSync(masterKeyFile(config));
    return mode & 0o077 ? warning(`${masterKeyFile(config)} can be read by others: chmod 600`) : ok('fits the database');
  },
  clock: async (context) => {
    const { engine, db } = await context.storage();
    const now = context.clock.now();
    if (engine === 'sqlite') return ok(new Date(now).toISOString());
    const { rows } = await sql<{ at: number }>`select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as at`.execute(db);
    const differenceMs = Math.abs(rows[0]!.at - now);
    return differenceMs > CLOCK_TOLERANCE_MS ? warning(`differs from the database's by ${Math.round(differenceMs / 1000)} s`) : ok(new Date(now).toISOString());
  },
  counters: async (context) => {
    const { db } = await context.storage();
    const mended = (await countMiscounts(db)) > 0 ? await recount(db) : 0;
    return mended > 0 ? warning(`${mended} numbers of plants and devices were wrong and have been put right`) : ok('agree with what they count');
  },
  'public addresses': async (context) => {
    const { userApiUrl, oauthUrl, trustedProxies } = context.config();
    const open = [userApiUrl, oauthUrl].filter((url) => url.startsWith('http:') && !isLoopback(new URL(url).hostname));
    if (open.length > 0) return warning(`${open.join(', ')}: tokens and log-ins would travel unencrypted; put TLS in front`);
    if (userApiUrl.startsWith('https:') && trustedProxies.length === 0)
      return warning('https addresses, but HELIOPORT_TRUSTED_PROXIES is empty: callers would all have the address of the proxy');
    return ok(`${userApiUrl}, ${oauthUrl}`);
  },
};

const isLoopback = (name: string): boolean => name === 'localhost' || name === '[::1]' || name.startsWith('127.');
