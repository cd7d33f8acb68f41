import type { Command } from 'commander';
import { recalculateWaiting } from '../../../measurements/ingest/recalculation/recalculate.ts';
import { requestRecalculationOfArchived } from '../../../fleet/plants/tariffs/recalculation.ts';
import type { CliContext } from '../context.ts';
import { CliUsageFault } from '../installation/faults.ts';
import { either } from '../operator.ts';
import { BEGIN } from './plant-tariff.ts';

interface RecalculateOptions {
  plant?: string;
  all?: true;
  from: string;
}

/** `helioport plant recalculate`: recalculates what is derived from readings. */
export function registerRecalculate(plant: Command, context: CliContext): void {
  plant
    .command('recalculate')
    .description(
      'schedule the recalculation of energies and amounts from the readings; a running server carries it out in the background',
    )
    .argument('[plant]', 'id of the plant')
    .option('--plant <id>', 'same as the argument')
    .option(
      '--all',
      'recalculate all plants, archived ones too, from the beginning, immediately, showing progress',
    )
    .option('--from <begin>', `time from which to recalculate: ${BEGIN}`, 'beginning')
    .action(
      async (argument: string | undefined, { plant: named, all, from }: RecalculateOptions) => {
        if (all) {
          if (argument !== undefined || named !== undefined || from !== 'beginning')
            throw new CliUsageFault('--all cannot be combined with a plant or --from');
          return recalculateAll(context);
        }
        const id = either(argument, named, 'the id of a plant');
        const { fromAt, devices } = await (
          await context.operator()
        ).call('plant/recalculate', { plantId: id, from });
        context.print(
          { id, fromAt, devices },
          `${id}: the energy of ${devices} devices will be recalculated`,
        );
      },
    );
}

/** Schedules all recalculations before it carries them out, so that a server or another call does the rest if this one is interrupted. */
async function recalculateAll(context: CliContext): Promise<void> {
  const operator = await context.operator();
  const plants = (await operator.call('plant/list', {})).filter(
    ({ archivedAt }) => archivedAt === null || archivedAt === undefined,
  );
  for (const { id } of plants) await operator.call('plant/recalculate', { plantId: id });
  const { db } = await context.storage();
  const archived = await requestRecalculationOfArchived(db, context.clock.now());
  const devices = await recalculateWaiting(db, await context.series(), (done, of) =>
    context.note(`${done} of ${of} devices`),
  );
  const count = plants.length + archived;
  context.print(
    { plants: count, devices },
    `the energy of ${devices} devices in ${count} plants was recalculated`,
  );
}
