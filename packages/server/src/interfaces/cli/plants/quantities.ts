import type { Register } from '../context.ts';
import { table } from '../table.ts';

export const registerQuantities: Register = (program, context) => {
  program
    .command('quantities')
    .description('list the quantities that collectors may report, with units')
    .action(async () => {
      const quantities = await (await context.operator()).call('quantity/list', {});
      context.print(quantities, () =>
        table(
          ['quantity', 'unit', 'meaning'],
          quantities.map(({ name, unit, description }) => [name, unit, description]),
        ),
      );
    });
};
