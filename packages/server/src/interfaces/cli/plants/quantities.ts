import type { RegisterCommand } from '../context.ts';
import { tableText } from '../table.ts';

export const registerQuantities: RegisterCommand = (program, context) => {
  program
    .command('quantities')
    .description(
      'list the quantities that collectors may report, with units and what values are believed',
    )
    .action(async () => {
      const quantities = await (await context.operator()).call('quantity/list', {});
      context.print(quantities, () =>
        tableText(
          ['quantity', 'unit', 'from', 'to', 'meaning'],
          quantities.map(({ name, unit, atLeast, atMost, description }) => [
            name,
            unit,
            atLeast,
            atMost,
            description,
          ]),
        ),
      );
    });
};
