import { measuringKinds } from '@helioport/contract';
import { Option } from 'commander';
import type { RegisterCommand } from '../context.ts';
import { numeric, localTimeText } from '../operator.ts';
import { registerDeviceImport } from './import-rows.ts';
import { tableText } from '../table.ts';

interface AddOptions {
  plant: string;
  kind: (typeof measuringKinds)[number];
  sn: string;
  collector?: string;
  model?: string;
  name?: string;
  ratedPowerW?: number;
  ratedPowerKw?: number;
}

export const registerDevice: RegisterCommand = (program, context) => {
  const device = program.command('device').description('manage devices');

  device
    .command('add')
    .description('add a device to a plant, or bind a known device that is not in any plant')
    .requiredOption('--plant <id>', 'id of the plant')
    .addOption(
      new Option('--kind <kind>', 'kind of device')
        .choices([...measuringKinds])
        .makeOptionMandatory(),
    )
    .requiredOption('--sn <sn>', 'serial number, case-sensitive')
    .option('--collector <sn>', 'serial number of the collector that reports for the device')
    .option('--model <model>', 'model of the device')
    .option('--name <name>', 'name of the device')
    .option('--rated-power-kw <kw>', 'rated AC power in kW', numeric)
    .option('--rated-power-w <watts>', 'rated AC power in watts', numeric)
    .action(async (options: AddOptions) => {
      const { plant, ratedPowerKw, ...given } = options;
      const rated = ratedPowerKw === undefined ? {} : { ratedPowerW: ratedPowerKw * 1000 };
      const { id, sn } = await (
        await context.operator()
      ).call('device/add', { plantId: plant, ...given, ...rated });
      context.print({ id, sn }, id);
    });

  device
    .command('list')
    .description('list devices')
    .option('--plant <id>', 'only devices of this plant')
    .action(async (options: { plant?: string }) => {
      const shown = await (
        await context.operator()
      ).call('device/list', { plantId: options.plant });
      context.print(shown, () =>
        tableText(
          [
            'id',
            'serial number',
            'kind',
            'name',
            'model',
            'plant',
            'collector',
            'rated W',
            'added',
          ],
          shown.map((d) => [
            d.id,
            d.sn,
            d.kind,
            d.name,
            d.model,
            d.plantId,
            d.collectorSn,
            d.ratedPowerW,
            localTimeText(d.createdAt),
          ]),
        ),
      );
    });

  device
    .command('move')
    .description('move a device to another plant; its measurements so far stay with the old plant')
    .argument('<sn>', 'serial number of a device or a collector')
    .requiredOption('--plant <id>', 'id of the plant to move to')
    .option(
      '--with-devices',
      'when moving a collector, also move the devices that report through it',
    )
    .action(async (sn: string, { plant, withDevices }: { plant: string; withDevices?: true }) => {
      const { moved } = await (
        await context.operator()
      ).call('device/move', { sn, plantId: plant, withDevices });
      context.print({ plantId: plant, moved }, `moved to ${plant}: ${moved.join(', ')}`);
    });

  device
    .command('remove')
    .description(
      'remove a device from its plant; its measurements stay with the plant, and the device can be added again',
    )
    .argument('<sn>', 'serial number of a device or a collector')
    .action(async (sn: string) => {
      await (await context.operator()).call('unbindDevice', { sn });
      context.print({ sn, plantId: null }, `${sn} has been removed from its plant`);
    });

  registerDeviceImport(device, context);
};
