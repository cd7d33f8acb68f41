import {
  baselineNames,
  DELIVERY_DEVICES_AT_MOST,
  type BaselineName,
  type DeliveryRow,
  type StrategyDelivery,
} from '@helioport/contract';
import { Option, type Command } from 'commander';
import type { CliContext } from '../context.ts';
import { either, numeric, localTimeText } from '../operator.ts';
import { tableText } from '../table.ts';

interface DeliveryOptions {
  id?: string;
  device?: string;
  baseline?: BaselineName;
  interval?: number;
  from?: string;
  to?: string;
  csv?: true;
}

/** Adds the command that proves what a strategy did to those about strategies. */
export function registerDelivery(strategy: Command, context: CliContext): void {
  strategy
    .command('delivery')
    .description(
      'prove what the devices of a strategy did: asked and measured power, against a baseline',
    )
    .argument('[id]', 'id of the strategy')
    .option('--id <id>', 'same as the argument')
    .option('--device <sn>', 'only this device')
    .addOption(new Option('--baseline <name>', 'by default, tenDays').choices(baselineNames))
    .option(
      '--interval <minutes>',
      'length of a settlement interval: 5, 15, 30 or 60; by default, 15',
      numeric,
    )
    .option(
      '--from <instant>',
      'beginning, such as 2026-11-06T12:00:00Z; by default, that of the strategy',
    )
    .option(
      '--to <instant>',
      'end, at most 31 days later; by default, that of the strategy, or now',
    )
    .option('--csv', 'as a file for settlement')
    .action(
      async (
        argument: string | undefined,
        { device, baseline, interval, from, to, csv, ...options }: DeliveryOptions,
      ) => {
        const id = either(argument, options.id, 'the id of a strategy');
        const operator = await context.operator();
        const asked = {
          id,
          sn: device,
          baseline,
          intervalMinutes: interval,
          from,
          to,
          limit: DELIVERY_DEVICES_AT_MOST,
        };
        const pages: StrategyDelivery[] = [];
        do
          pages.push(
            await operator.call('strategy/delivery', {
              ...asked,
              after: pages.at(-1)?.next ?? undefined,
              ...(csv && { format: 'csv' }),
            }),
          );
        while (pages.at(-1)!.next !== null);
        if (csv) {
          // Each page is a file with a header of its own.
          const lines = pages.flatMap((page, i) =>
            page.csv!.trimEnd().split('\r\n').slice(Math.min(i, 1)),
          );
          context.print({ csv: `${lines.join('\r\n')}\r\n` }, lines.join('\n'));
          return;
        }
        const rows = pages.flatMap((page): readonly DeliveryRow[] => page.rows!);
        context.print(rows, () => tableText(HEADER, rows.map(cellsOf)));
      },
    );
}

const HEADER = [
  'device',
  'from',
  'to',
  'payload',
  'asked kW',
  'measured kW',
  'baseline kW',
  'delivered kWh',
  'gap s',
];

const cellsOf = (row: DeliveryRow) => [
  row.sn,
  localTimeText(row.startAt),
  localTimeText(row.endAt),
  row.payload,
  row.askedKw,
  row.measuredKw,
  row.baselineKw,
  row.deliveredKwh,
  row.gapSeconds,
];
