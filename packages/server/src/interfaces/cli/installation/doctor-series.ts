import { dirname } from 'node:path';
import { DAY_MS } from '@helioport/contract/durations';
import { createExternalSeries } from '../../../compose/installation.ts';
import { findFault, MAIN_DATABASE, whereSeriesAre } from '../../../measurements/series/home.ts';
import {
  readRecalculation,
  recalculationText,
} from '../../../fleet/plants/tariffs/recalculation.ts';
import { freeBytes } from '../../../platform/config/data-folder.ts';
import { dailyGrowth, fullAt, tableSizes } from '../../../platform/storage/checks/growth.ts';
import { diskBytes } from '../../../platform/storage/checks/size.ts';
import type { CliContext } from '../context.ts';
import { faultFinding, ok, warning, type DoctorFinding } from './finding.ts';

/** The check of `helioport doctor` that concerns the engine of the series. */
export async function checkSeries(context: CliContext): Promise<DoctorFinding> {
  const { seriesUrl } = context.config();
  const { db } = await context.storage();
  if (seriesUrl === null) {
    const wrong = await findFault(db, MAIN_DATABASE);
    return wrong ? faultFinding(wrong.message) : ok('in the database');
  }
  const { hosts, keyspace } = seriesUrl;
  const series = await createExternalSeries({ db, clock: context.clock }, seriesUrl);
  const engine = await whereSeriesAre(db, series.name);
  const wrong = await findFault(db, engine === MAIN_DATABASE ? engine : series.name);
  if (wrong) return faultFinding(wrong.message);
  try {
    await series.open();
    if (!(await series.isMigrated()))
      return ok(`${hosts.join(', ')}: the keyspace ${keyspace} will be created at the first start`);
    const found = await series.examine();
    if (found.length > 0) return warning(found.join('; '));
    if (engine === MAIN_DATABASE)
      return warning(
        `in the database: helioport series copy moves them to ${series.name}, which HELIOPORT_SERIES_URL names`,
      );
    return ok(`Cassandra, keyspace ${keyspace}, nodes: ${series.nodes().up}, up to date`);
  } finally {
    await series.close();
  }
}

/** Whether energies are being recalculated, as they are after some upgrades. */
export async function checkRecalculation(context: CliContext): Promise<DoctorFinding> {
  const { db } = await context.storage();
  const text = recalculationText(await readRecalculation(db));
  return text === undefined ? ok('nothing is being recalculated') : warning(text);
}

/** Tables that are named. */
const LARGEST = 3;
/** A disk that is full within so many days is a fault, and one within so many a warning. */
const [FULL_DAYS, SOON_DAYS] = [7, 30];

/** How large the database is, how fast it grows, and when its disk is full if that is known. */
export async function checkGrowth(context: CliContext): Promise<DoctorFinding> {
  const { databaseUrl, databaseAddress } = context.config();
  const { db } = await context.storage();
  const [bytes, growth, tables] = await Promise.all([
    diskBytes(db, databaseAddress),
    dailyGrowth(db),
    tableSizes(db),
  ]);
  const largest = tables
    .slice(0, LARGEST)
    .map(({ table, bytes: size }) => `${table} ${megabytes(size)}`);
  const text = `${megabytes(bytes)}, the largest tables: ${largest.join(', ')}`;
  if (growth === undefined)
    return ok(`${text}; its growth is known a day after the first start of a worker`);
  const grows = `${text}; grows by ${megabytes(Math.max(0, growth))} a day`;
  if (databaseUrl !== null) return ok(grows);
  const now = context.clock.now();
  const at = fullAt(freeBytes(dirname(databaseAddress)), growth, now);
  if (at === undefined) return ok(grows);
  const days = (at - now) / DAY_MS;
  if (days > SOON_DAYS * 100) return ok(`${grows}, and the disk is large enough for years`);
  const full = `${grows}: at that rate, the disk is full on ${new Date(at).toISOString().slice(0, 10)}`;
  const remedy =
    'set HELIOPORT_READING_THINNING or HELIOPORT_READING_RETENTION, or use a larger disk';
  if (days <= FULL_DAYS) return faultFinding(`${full}; ${remedy}`);
  return days <= SOON_DAYS ? warning(`${full}; ${remedy}`) : ok(full);
}

const megabytes = (bytes: number): string => `${(bytes / (1024 * 1024)).toFixed(1)} MB`;
