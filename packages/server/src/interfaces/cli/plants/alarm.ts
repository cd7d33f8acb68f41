import { Option } from 'commander';
import { alarmStates, type AlarmState } from '@helioport/contract';
import type { RegisterCommand } from '../context.ts';
import { either, firstOf, rows, localTimeText } from '../operator.ts';
import { tableText } from '../table.ts';

interface ListOptions {
  user: string;
  plant?: string;
  state?: AlarmState;
  limit: number;
}

export const registerAlarm: RegisterCommand = (program, context) => {
  const alarm = program.command('alarm').description('list and process alarms');

  alarm
    .command('list')
    .description('list the alarms that a user may see, newest first')
    .requiredOption('--user <email>', 'e-mail address of the user')
    .option('--plant <id>', 'only alarms of this plant')
    .addOption(new Option('--state <state>', 'only alarms in this state').choices(alarmStates))
    .option('--limit <number>', 'maximum number of alarms', rows, 100)
    .action(async ({ user, plant, state, limit }: ListOptions) => {
      const door = await (await context.operator()).forUser(user);
      const filter = {
        ...(plant !== undefined && { plantId: plant }),
        ...(state && { state }),
      };
      const records = await firstOf(limit, (page) =>
        door.call('alarm/list', { ...filter, ...page }),
      );
      context.print(records, () =>
        tableText(
          ['id', 'plant', 'device', 'level', 'code', 'message', 'state', 'begin', 'end'],
          records.map((one) => [
            one.id,
            one.plant.name,
            one.device.sn,
            one.level,
            one.code,
            one.message,
            one.state,
            localTimeText(one.beginAt),
            localTimeText(one.endAt),
          ]),
        ),
      );
    });

  alarm
    .command('process')
    .description('mark a pending alarm as processed; the alarm ends when its cause is gone')
    .argument('[id]', 'id of the alarm')
    .option('--id <id>', 'same as the argument')
    .requiredOption(
      '--user <email>',
      'who processed it: the owner of the plant, or somebody with a control share',
    )
    .action(async (argument: string | undefined, options: { id?: string; user: string }) => {
      const id = either(argument, options.id, 'the id of an alarm');
      await (await (await context.operator()).forUser(options.user)).call('alarm/process', { id });
      context.print({ id, processed: true }, `${id} is marked as processed`);
    });
};
