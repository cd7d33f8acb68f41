import { createExternalSeries } from '../../../compose/installation.ts';
import { findFault, MAIN_DATABASE, whereSeriesAre } from '../../../measurements/series/home.ts';
import {
  readRecalculation,
  recalculationText,
} from '../../../fleet/plants/tariffs/recalculation.ts';
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
