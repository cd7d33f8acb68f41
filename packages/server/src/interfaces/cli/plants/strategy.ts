import type { StrategyLimits, StrategyRecord } from '@helioport/contract';
import { InvalidArgumentError } from 'commander';
import type { RegisterCommand } from '../context.ts';
import { either, numeric, rows, localTimeText } from '../operator.ts';
import { tableText } from '../table.ts';
import { registerDelivery } from './strategy-delivery.ts';

interface ListOptions {
  user?: string;
  plant?: string;
  current?: true;
  limit: number;
}

interface LimitOptions {
  plant: string;
  reserve?: number;
  cycles?: number;
  quiet: readonly StrategyLimits['quietHours'][number][];
}

export const registerStrategy: RegisterCommand = (program, context) => {
  const strategy = program
    .command('strategy')
    .description('follow and stop what applications have batteries do');

  const devicesText = ({ devices }: StrategyRecord): string =>
    Object.entries(devices)
      .map(([state, amount]) => `${amount} ${state}`)
      .join(', ');

  strategy
    .command('list')
    .description('list strategies, newest first')
    .option('--user <email>', 'only for plants of this user')
    .option('--plant <id>', 'only for this plant')
    .option('--current', 'only those that have not ended')
    .option('--limit <number>', 'maximum number of strategies', rows, 100)
    .action(async ({ user, plant, current, limit }: ListOptions) => {
      const operator = await context.operator();
      const door = user === undefined ? operator : await operator.forUser(user);
      const shown = await door.call('strategy/list', { plantId: plant, current, limit });
      context.print(shown, () =>
        tableText(
          ['id', 'application', 'name', 'state', 'devices', 'from', 'to', 'reason'],
          shown.map((one) => [
            one.id,
            one.applicationName,
            one.name,
            one.state,
            devicesText(one),
            localTimeText(one.startAt),
            localTimeText(one.endAt),
            one.reason,
          ]),
        ),
      );
    });

  strategy
    .command('show')
    .description('show how far a strategy has come on each device')
    .argument('[id]', 'id of the strategy')
    .option('--id <id>', 'same as the argument')
    .action(async (argument: string | undefined, options: { id?: string }) => {
      const id = either(argument, options.id, 'the id of a strategy');
      const shown = await (await context.operator()).call('strategy/detail', { id });
      context.print(shown, () =>
        tableText(
          ['device', 'plant', 'state', 'applied', 'ended', 'restored', 'reason'],
          shown.targets.map((one) => [
            one.sn,
            one.plantId,
            one.state,
            localTimeText(one.appliedAt),
            localTimeText(one.endedAt),
            localTimeText(one.restoredAt),
            one.reason,
          ]),
        ),
      );
    });

  registerDelivery(strategy, context);

  strategy
    .command('stop')
    .description('end a strategy: its devices get their former settings back')
    .argument('[id]', 'id of the strategy')
    .option('--id <id>', 'same as the argument')
    .option('--plant <id>', 'only on the devices of this plant')
    .action(
      async (
        argument: string | undefined,
        { plant, ...options }: { id?: string; plant?: string },
      ) => {
        const id = either(argument, options.id, 'the id of a strategy');
        await (await context.operator()).call('strategy/stop', { id, plantId: plant });
        context.print({ id, stopped: true }, `${id} is stopped`);
      },
    );

  const printLimits = ({ reserveSocPercent, cyclesPerDay, quietHours }: StrategyLimits): void =>
    context.print({ reserveSocPercent, cyclesPerDay, quietHours }, () =>
      tableText(
        ['reserve', 'cycles a day', 'quiet hours'],
        [
          [
            reserveSocPercent === null ? null : `${reserveSocPercent} %`,
            cyclesPerDay,
            quietHours.map(({ start, end }) => `${start}-${end}`).join(', '),
          ],
        ],
      ),
    );

  strategy
    .command('limits')
    .description('show what strategies may do in a plant')
    .requiredOption('--plant <id>', 'id of the plant')
    .action(async ({ plant }: { plant: string }) =>
      printLimits(await (await context.operator()).call('strategy/limits', { plantId: plant })),
    );

  strategy
    .command('set-limits')
    .description('set what strategies may do in a plant; limits that are not given are removed')
    .requiredOption('--plant <id>', 'id of the plant')
    .option(
      '--reserve <percent>',
      'state of charge below which no strategy discharges a battery',
      numeric,
    )
    .option(
      '--cycles <number>',
      'how often a strategy may discharge a battery completely within a day',
      numeric,
    )
    .option(
      '--quiet <HH:MM-HH:MM>',
      'hours of the plant’s wall clock in which no strategy does anything; may be repeated',
      hours,
      [],
    )
    .action(async ({ plant, reserve, cycles, quiet }: LimitOptions) => {
      const limits = {
        plantId: plant,
        reserveSocPercent: reserve,
        cyclesPerDay: cycles,
        quietHours: quiet,
      };
      printLimits(await (await context.operator()).call('strategy/setLimits', limits));
    });
};

/** Parses hours, and adds them to those given before. */
function hours(text: string, before: LimitOptions['quiet']): LimitOptions['quiet'] {
  const [start, end, ...others] = text.split('-');
  if (start === undefined || end === undefined || others.length > 0)
    throw new InvalidArgumentError('expected hours such as 22:00-06:00.');
  return [...before, { start, end }];
}
