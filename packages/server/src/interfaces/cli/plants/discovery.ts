import { measuringKinds } from '@helioport/contract';
import { Option } from 'commander';
import type { RegisterCommand } from '../context.ts';
import { either, rows, localTimeText } from '../operator.ts';
import { tableText } from '../table.ts';

interface BindOptions {
  sn?: string;
  plant?: string;
  kind?: (typeof measuringKinds)[number];
}

export const registerDiscovery: RegisterCommand = (program, context) => {
  const discovery = program
    .command('discovery')
    .description('bind devices that collectors have reported but nobody has bound');

  discovery
    .command('list')
    .description('list the serial numbers of such devices, latest first')
    .option('--user <email>', 'only devices that this user may bind')
    .option('--plant <id>', 'only devices reported by a collector in this plant')
    .option('--limit <number>', 'maximum number of devices', rows, 100)
    .action(async ({ user, plant, limit }: { user?: string; plant?: string; limit: number }) => {
      const operator = await context.operator();
      const door = user === undefined ? operator : await operator.forUser(user);
      const shown = await door.call('discovery/list', { plantId: plant, limit });
      context.print(shown, () =>
        tableText(
          ['serial number', 'kind', 'model', 'collector', 'plant', 'first', 'last', 'times'],
          shown.map(
            ({ sn, kind = '', model = '', collectorSn, plantId, firstAt, lastAt, count }) => [
              sn,
              kind,
              model,
              collectorSn,
              plantId,
              localTimeText(firstAt),
              localTimeText(lastAt),
              count,
            ],
          ),
        ),
      );
    });

  discovery
    .command('bind')
    .description('bind such a device, by default to the plant of the collector that reported it')
    .argument('[sn]', 'serial number, case-sensitive')
    .option('--sn <sn>', 'same as the argument')
    .addOption(
      new Option(
        '--kind <kind>',
        'kind of device; by default what it is known to be or says that it is, or an inverter',
      ).choices([...measuringKinds]),
    )
    .option('--plant <id>', 'another plant of the same owner')
    .action(async (argument: string | undefined, { sn, plant, kind }: BindOptions) => {
      const bound = await (
        await context.operator()
      ).call('discovery/bind', {
        sn: either(argument, sn, 'a serial number'),
        plantId: plant,
        kind,
      });
      context.print(bound, `${bound.sn} is bound to ${bound.plantId}`);
    });
};
