import { shareLevels, type ShareLevel } from '@helioport/contract';
import { Option, type Command } from 'commander';
import type { RegisterCommand } from '../context.ts';
import { CliUsageFault } from '../installation/faults.ts';
import { either, numeric, localTimeText } from '../operator.ts';
import { registerPlantImport } from './import-rows.ts';
import { registerRecalculate } from './plant-recalculate.ts';
import { registerTariffs } from './plant-tariff.ts';
import { tableText } from '../table.ts';

interface AddOptions {
  owner: string;
  name: string;
  capacityKwp: number;
  timeZone?: string;
  currency: string;
  pricePerKwh?: number;
  address?: string;
  latitude?: number;
  longitude?: number;
  tilt?: number;
  azimuth?: number;
  type: number;
  nmi?: string;
  installer?: string;
  readingRetention?: string;
  readingThinning?: string;
}

const TYPE_HELP =
  'kind of plant: 0 grid, 1 storage, 2 AC-coupled, 3 EPM, 4 built-in meter, 5 external meter, 6 to 11 parallel and off-grid systems';

export const registerPlant: RegisterCommand = (program, context) => {
  const plant = program.command('plant').description('manage plants, their shares and tariffs');

  plant
    .command('add')
    .description('add a plant')
    .requiredOption('--owner <email>', 'e-mail address of the owner')
    .requiredOption('--name <name>', 'name of the plant')
    .requiredOption('--capacity-kwp <kWp>', 'rated power of the modules', numeric)
    .option('--time-zone <zone>', 'IANA time zone; default: that of the position, else the owner’s')
    .option('--currency <code>', 'currency of amounts of money', 'EUR')
    .option('--price-per-kwh <amount>', 'income per kWh produced', numeric)
    .option('--address <text>', 'address of the plant')
    .option('--latitude <degrees>', 'latitude of the plant; north is positive', numeric)
    .option('--longitude <degrees>', 'longitude of the plant; east is positive', numeric)
    .option('--tilt <degrees>', 'tilt of the modules', numeric)
    .option('--azimuth <degrees>', 'direction of the modules', numeric)
    .option('--type <number>', TYPE_HELP, numeric, 0)
    .option('--nmi <code>', 'meter id of an Australian plant')
    .option(
      '--installer <email>',
      'e-mail address of the installer, who also gets a share with control',
    )
    .action(async (options: AddOptions) => {
      const { azimuth, tilt, nmi, ...given } = options;
      const facts = { azimuthDegrees: azimuth, tiltDegrees: tilt, nmiCode: nmi };
      const { plantId: id } = await (
        await context.operator()
      ).call('plant/add', { ...given, ...facts });
      context.print({ id }, id);
    });

  plant
    .command('list')
    .description('list plants')
    .option('--owner <email>', 'only plants of this owner')
    .action(async (options: { owner?: string }) => {
      const plants = await (await context.operator()).call('plant/list', { owner: options.owner });
      context.print(plants, () =>
        tableText(
          ['id', 'name', 'owner', 'kWp', 'time zone', 'shared with', 'archived'],
          plants.map((p) => [
            p.id,
            p.name,
            p.owner,
            p.capacityKwp,
            p.timeZone,
            p.shares.map(({ email, level }) => `${email} (${level})`).join(', '),
            localTimeText(p.archivedAt),
          ]),
        ),
      );
    });

  /** A command for one plant, whose id may be given as an argument or with `--plant`. */
  const onePlant = (name: string, description: string): Command =>
    plant
      .command(name)
      .description(description)
      .argument('[plant]', 'id of the plant')
      .option('--plant <id>', 'same as the argument');
  const idOf = (argument: string | undefined, option: string | undefined): string =>
    either(argument, option, 'the id of a plant');

  onePlant(
    'edit',
    'change details of a plant, such as its name; details that are not given stay unchanged',
  )
    .option('--name <name>', 'new name')
    .option('--capacity-kwp <kWp>', 'rated power of the modules', numeric)
    .option('--time-zone <zone>', 'IANA time zone, from now on')
    .option('--currency <code>', 'currency of amounts of money')
    .option('--price-per-kwh <amount>', 'income per kWh produced, from now on', numeric)
    .option('--address <text>', 'address of the plant')
    .option('--latitude <degrees>', 'latitude of the plant; north is positive', numeric)
    .option('--longitude <degrees>', 'longitude of the plant; east is positive', numeric)
    .option('--tilt <degrees>', 'tilt of the modules', numeric)
    .option('--azimuth <degrees>', 'direction of the modules', numeric)
    .option('--type <number>', TYPE_HELP, numeric)
    .option('--nmi <code>', 'meter id of an Australian plant')
    .option(
      '--reading-retention <days>',
      'delete its readings after so many days, such as 400d; off',
    )
    .option('--reading-thinning <days:minutes>', 'thin its readings, such as 90d:15m; off')
    .action(
      async (
        argument: string | undefined,
        { plant: named, azimuth, tilt, nmi, ...given }: Partial<AddOptions> & { plant?: string },
      ) => {
        const id = idOf(argument, named);
        const facts = { ...given, azimuthDegrees: azimuth, tiltDegrees: tilt, nmiCode: nmi };
        if (Object.values(facts).every((value) => value === undefined))
          throw new CliUsageFault('nothing to change: give at least one option');
        await (await context.operator()).call('plant/edit', { plantId: id, ...facts });
        context.print({ id, changed: true }, `${id} has been changed`);
      },
    );

  onePlant('rename', 'rename a plant')
    .requiredOption('--name <name>', 'new name')
    .action(
      async (
        argument: string | undefined,
        { plant: named, name }: { plant?: string; name: string },
      ) => {
        const id = idOf(argument, named);
        await (await context.operator()).call('plant/edit', { plantId: id, name });
        context.print({ id, name }, `${id} is called ${name}`);
      },
    );

  onePlant('share', 'share a plant with a user, or change what an existing share allows')
    .requiredOption('--with <email>', 'e-mail address of the user')
    .addOption(
      new Option('--level <level>', 'what the share allows').choices(shareLevels).default('read'),
    )
    .action(
      async (
        argument: string | undefined,
        options: { plant?: string; with: string; level: ShareLevel },
      ) => {
        const { with: email, level } = options;
        const id = idOf(argument, options.plant);
        await (await context.operator()).call('share/give', { plantId: id, email, level });
        context.print({ id, with: email, level }, `${id} is shared with ${email} (${level})`);
      },
    );

  onePlant('unshare', 'withdraw a share, with effect from the next request on')
    .requiredOption('--with <email>', 'e-mail address of the user')
    .action(async (argument: string | undefined, options: { plant?: string; with: string }) => {
      const { with: email } = options;
      const id = idOf(argument, options.plant);
      await (await context.operator()).call('share/withdraw', { plantId: id, email });
      context.print({ id, with: email, level: null }, `${id} is no longer shared with ${email}`);
    });

  onePlant(
    'transfer',
    'transfer a plant, with its devices and history, to another owner; its shares end',
  )
    .requiredOption('--to <email>', 'e-mail address of the new owner')
    .action(async (argument: string | undefined, options: { plant?: string; to: string }) => {
      const id = idOf(argument, options.plant);
      await (await context.operator()).call('plant/transfer', { plantId: id, owner: options.to });
      context.print({ id, owner: options.to }, `${id} belongs to ${options.to}`);
    });

  onePlant(
    'archive',
    'archive a plant: nobody sees it any longer, and its devices are unbound',
  ).action(async (argument: string | undefined, options: { plant?: string }) => {
    const id = idOf(argument, options.plant);
    await (await context.operator()).call('archiveStation', { id });
    context.print({ id, archived: true }, `${id} is archived`);
  });

  registerPlantImport(plant, context);
  registerTariffs(plant, context);
  registerRecalculate(plant, context);
};
