import { Option, type Command } from 'commander';
import {
  checkTariff,
  tariffUses,
  type Tariff,
  type TariffUse,
  type TariffWindow,
} from '../../../fleet/plants/tariffs/tariffs.ts';
import { readNamedText } from '../../../platform/kernel/files/read-file.ts';
import type { CliContext } from '../context.ts';
import { CliCommandFault, CliUsageFault } from '../installation/faults.ts';
import { either, numeric } from '../operator.ts';
import { tableText } from '../table.ts';

interface TariffOptions {
  plant?: string;
  use: TariffUse;
  from?: string;
  price?: number;
  file?: string;
}

/** The help text of options that take the beginning of a period. */
export const BEGIN =
  'YYYY-MM-DD (midnight at the plant), an instant such as 2026-01-01T12:00:00Z, or `beginning`';

/** `helioport plant tariff`: manages energy prices, which may vary by period and time of day. */
export function registerTariffs(plant: Command, context: CliContext): void {
  const tariff = plant
    .command('tariff')
    .description('manage energy prices, which may vary by period and time of day');
  const ofPlant = (name: string, description: string): Command =>
    tariff
      .command(name)
      .description(description)
      .argument('[plant]', 'id of the plant')
      .option('--plant <id>', 'same as the argument');
  const use = (): Option =>
    new Option('--use <use>', 'what the price is for').choices(tariffUses).makeOptionMandatory();

  ofPlant(
    'set',
    'set a tariff that begins in the past or the future; before the earliest tariff, energy has no price',
  )
    .addOption(use())
    .option('--from <begin>', `when the tariff begins: ${BEGIN}; default: now`)
    .option('--price <amount>', 'price per kWh, the same at all times', numeric)
    .option(
      '--file <file>',
      'file with prices by time of day, as JSON: {"pricePerKwh":0.3,"windows":[{"days":["sat","sun"],"months":[1,2],"start":"22:00","end":"06:00","pricePerKwh":0.2}]}',
    )
    .action(
      async (
        argument: string | undefined,
        { plant: named, use: of, from, price, file }: TariffOptions,
      ) => {
        if ((price === undefined) === (file === undefined))
          throw new CliUsageFault('expected either --price or --file');
        const id = either(argument, named, 'the id of a plant');
        const prices = checkTariff(
          file === undefined ? { pricePerKwh: price } : readTariff(context, file),
        );
        const { fromText, ...version } = await (
          await context.operator()
        ).call('tariff/set', { plantId: id, use: of, from, ...prices });
        context.print(
          { id, ...version },
          `${id}: ${pricesText(version)} for ${of} from ${fromText}`,
        );
      },
    );

  ofPlant('list', 'list the tariffs of a plant').action(
    async (argument: string | undefined, { plant: named }: { plant?: string }) => {
      const id = either(argument, named, 'the id of a plant');
      const tariffs = await (await context.operator()).call('tariff/list', { plantId: id });
      context.print(
        tariffs.map(({ fromText: _, ...version }) => version),
        () =>
          tableText(
            ['use', 'from', 'price per kWh', 'hours'],
            tariffs.map(({ use: of, fromText, pricePerKwh, windows = [] }) => [
              of,
              fromText,
              pricePerKwh,
              windows.map((one) => windowText(one)).join('; '),
            ]),
          ),
      );
    },
  );

  ofPlant('remove', 'remove a tariff; the previous tariff then stays in force')
    .addOption(use())
    .requiredOption('--from <begin>', `when the tariff to remove begins: ${BEGIN}`)
    .action(
      async (argument: string | undefined, { plant: named, use: of, from }: TariffOptions) => {
        const id = either(argument, named, 'the id of a plant');
        const removed = await (
          await context.operator()
        ).call('tariff/remove', { plantId: id, use: of, from: from! });
        context.print(
          { id, use: of, fromAt: removed.fromAt, removed: true },
          `${id}: removed the tariff for ${of} from ${removed.fromText}`,
        );
      },
    );
}

function readTariff(context: CliContext, file: string): unknown {
  try {
    return JSON.parse(readNamedText(context.path(file)));
  } catch (error) {
    throw new CliCommandFault(`${file} cannot be read as JSON: ${(error as Error).message}`);
  }
}

const pricesText = ({ pricePerKwh, windows = [] }: Tariff): string =>
  [String(pricePerKwh), ...windows.map(windowText)].join('; ');

const windowText = ({ days, months, start, end, pricePerKwh }: TariffWindow): string =>
  [
    days?.join(','),
    months && `in month ${months.join(',')}`,
    `${start}-${end}`,
    String(pricePerKwh),
  ]
    .filter((part) => part !== undefined)
    .join(' ');
