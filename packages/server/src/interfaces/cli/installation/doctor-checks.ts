import { existsSync, statSync } from 'node:fs';
import { freeBytes, prepareDataFolder } from '../../../platform/config/data-folder.ts';
import { exposures } from '../../../platform/config/exposure.ts';
import { masterKeyFile } from '../../../platform/config/master-key.ts';
import { unknownInEnvironment, unknownText } from '../../../platform/config/unknown-names.ts';
import { openSecretBox } from '../../../compose/installation.ts';
import { readDatabaseTime } from '../../../platform/storage/database-clock.ts';
import { checkIntegrity } from '../../../platform/storage/sqlite/integrity.ts';
import {
  formerKeyUntil,
  isRotating,
  isSealed,
} from '../../../platform/storage/checks/master-key-check.ts';
import { latestSetAt } from '../../../platform/work/mend.ts';
import type { CliContext } from '../context.ts';
import { faultFinding, ok, warning, type DoctorFinding } from './finding.ts';

/** How far the clocks of this machine and the database may differ without a warning, in milliseconds. */
const CLOCK_TOLERANCE_MS = 60_000;

/** The checks of `helioport doctor` by name, in the order in which they run. A thrown error is a fault. */
export const checks: Readonly<Record<string, (context: CliContext) => Promise<DoctorFinding>>> = {
  settings: async (context) => {
    context.config();
    const unknown = unknownInEnvironment(context.environment).map((one) =>
      unknownText(one, 'the environment'),
    );
    return unknown.length > 0 ? warning(unknown.join(', ')) : ok('can be used');
  },
  exposure: async (context) => {
    const found = exposures(context.config());
    return found.length > 0 ? warning(found.join('; ')) : ok('nothing is open to others');
  },
  'data folder': async (context) => {
    const config = context.config();
    if (config.databaseUrl !== null) return ok('not needed with PostgreSQL');
    if (!existsSync(config.dataDir))
      return ok(`${config.dataDir} will be created at the first start`);
    prepareDataFolder(config);
    return roomFinding(config.dataDir, freeBytes(config.dataDir));
  },
  database: async (context) => {
    const { engine } = await context.storage();
    if (engine === 'postgres') return ok('PostgreSQL, up to date');
    checkIntegrity(context.config().databaseAddress, true);
    return ok('embedded, up to date, no page damaged');
  },
  'master key': async (context) => {
    const config = context.config();
    const { db } = await context.storage();
    if (!(await isSealed(db))) return ok('none yet: it will be created at the first start');
    const { current } = await openSecretBox(db, config);
    if (await isRotating(db))
      return warning(
        'a rotation is under way, during which either key opens the database: repeat helioport master-key rotate if it was interrupted',
      );
    const until = await formerKeyUntil(db, current, context.clock.now());
    if (until !== undefined)
      return warning(
        `the former key opens links in e-mails until ${new Date(until).toISOString()}; helioport master-key end-former ends that at once`,
      );
    if (config.masterKey !== null) return ok('from the settings, matches the database');
    const { mode } = statSync(masterKeyFile(config));
    return mode & 0o077
      ? warning(`${masterKeyFile(config)} can be read by others: chmod 600`)
      : ok('matches the database');
  },
  clock: async (context) => {
    const now = context.clock.now();
    // The check of the database has already reported what is wrong with it.
    const storage = await context.storage().catch(() => undefined);
    if (!storage) return ok(new Date(now).toISOString());
    const differenceMs =
      storage.engine === 'sqlite' ? 0 : Math.abs((await readDatabaseTime(storage.db)) - now);
    if (differenceMs > CLOCK_TOLERANCE_MS)
      return warning(
        `this machine’s clock differs from the database’s by ${Math.round(differenceMs / 1000)} s; set the clocks, and have NTP keep them`,
      );
    const aheadMs = (await latestSetAt(storage.db).catch(() => 0)) - now;
    if (aheadMs > CLOCK_TOLERANCE_MS)
      return warning(
        `this machine’s clock is ${Math.round(aheadMs / 1000)} s behind the latest time that a server has recorded: it is wrong now, or it was ahead then; set the clock, and have NTP keep it`,
      );
    return ok(new Date(now).toISOString());
  },
  'public addresses': async (context) => {
    const { userApiUrl, oauthUrl, trustedProxies } = context.config();
    const open = [userApiUrl, oauthUrl].filter(
      (url) => url.startsWith('http:') && !isLoopback(new URL(url).hostname),
    );
    if (open.length > 0)
      return warning(
        `${open.join(', ')}: tokens and log-ins would travel unencrypted; put a proxy that terminates TLS in front of this server`,
      );
    if (userApiUrl.startsWith('https:') && trustedProxies.length === 0)
      return warning(
        'https addresses, but HELIOPORT_TRUSTED_PROXIES is empty: all callers would appear to have the address of the proxy; set it to the address of the proxy',
      );
    return ok(`${userApiUrl}, ${oauthUrl}`);
  },
};

const isLoopback = (name: string): boolean =>
  name === 'localhost' || name === '[::1]' || name.startsWith('127.');

const MEGABYTE = 1024 * 1024;
/** With less than this, the disk counts as full, because a write-ahead log grows by some megabytes before it is merged into the database. */
const FULL_BYTES = 32 * MEGABYTE;
const SCARCE_BYTES = 512 * MEGABYTE;

/** Judges the free space on the data folder's disk. */
export function roomFinding(folder: string, bytes: number): DoctorFinding {
  const text = `${folder}, ${Math.floor(bytes / MEGABYTE)} MB free`;
  if (bytes < FULL_BYTES)
    return faultFinding(`${text}: the disk is full, and nothing can be stored: free some space`);
  return bytes < SCARCE_BYTES
    ? warning(`${text}: the disk will be full soon: free some space`)
    : ok(text);
}
