import type { Command } from 'commander';
import { recalculateNext } from '../../ingest/recalculate.ts';
import { lockPlant } from '../../plants/lock.ts';
import { requestRecalculation } from '../../plants/tariffs/recalculation.ts';
import { createSqlSeries } from '../../series/sql/sql-series.ts';
import type { Db } from '../../storage/database.ts';
import type { CliContext } from '../context.ts';
import { UsageFault } from '../installation/faults.ts';
import { either } from '../operator.ts';
import { BEGIN } from './plant-tariff.ts';

interface RecalculateOptions {
  plant?: string;
  all?: true;
  from: string;
}

/** Makes what follows from the readings anew. */
export function registerRecalculate(plant: Command, context: CliContext): void {
  plant
    .command('recalculate')
    .description('recalculate energies and amounts from the readings; a running server does so in the background')
    .argument('[plant]', 'id of the plant')
    .option('--plant <id>', 'same as the argument')
    .option('--all', 'all plants from their beginning, immediately, showing progress')
    .option('--from <begin>', BEGIN, 'beginning')
    .action(async (argument: string | undefined, { plant: named, all, from }: RecalculateOptions) => {
      if (all) {
        if (argument !== undefined || named !== undefined || from !== 'beginning') throw new UsageFault('--all cannot be combined with a plant or --from');
        return recalculateAll((await context.storage()).db, context);
      }
      const id = either(argument, named, 'the id of a plant');
      const { fromAt, devices } = await (await context.operator()).call('plant/recalculate', { plantId: id, from });
      context.print({ id, fromAt, devices }, `${id}: the energy of ${devices} devices will be recalculated`);
    });
}

const request = (db: Db, context: CliContext, plantId: string, fromAt: number): Promise<number> =>
  db.transaction().execute(async (trx) => {
    await lockPlant(trx, plantId);
    return requestRecalculation(trx, plantId, fromAt, context.clock.now());
  });

/** Asks for everything first, so that a server or another call does the rest where this one is stopped. */
async function recalculateAll(db: Db, context: CliContext): Promise<void> {
  const plants = await db.selectFrom('plant').select('id').where('archivedAt', 'is', null).orderBy('id').execute();
  for (const { id } of plants) await request(db, context, id, 0);
  const asked = await db.selectFrom('recalculation').select('binding').orderBy('binding').execute();
  const series = createSqlSeries(db);
  for (const [i, { binding }] of asked.entries()) {
    while (await db.transaction().execute((trx) => recalculateNext(trx, series, binding)));
    context.note(`${i + 1} of ${asked.length} devices`);
  }
  context.print({ plants: plants.length, devices: asked.length }, `the energy of ${asked.length} devices in ${plants.length} plants was recalculated`);
}
