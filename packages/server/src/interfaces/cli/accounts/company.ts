import { companyRoles } from '@helioport/contract';
import { Argument } from 'commander';
import type { RegisterCommand } from '../context.ts';
import { localTimeText } from '../operator.ts';
import { tableText } from '../table.ts';

export const registerCompany: RegisterCommand = (program, context) => {
  const company = program
    .command('company')
    .description('manage companies: several users who work on one fleet');
  const email = new Argument('<email>', 'e-mail address of somebody in the company');

  company
    .command('list')
    .description('list companies, oldest first')
    .action(async () => {
      const companies = await (await context.operator()).call('company/list', {});
      context.print(companies, () =>
        tableText(
          ['id', 'name', 'people', 'plants', 'manager', 'founded'],
          companies.map((one) => [
            one.id,
            one.name,
            one.people,
            one.plants,
            one.manager,
            localTimeText(one.createdAt),
          ]),
        ),
      );
    });

  company
    .command('show')
    .description('show the company of a user, and who is in it')
    .addArgument(email)
    .action(async (user: string) => {
      const shown = await (await context.operator()).call('company/show', { email: user });
      context.print(shown, () =>
        shown.id === null
          ? `${user} belongs to no company`
          : `${shown.name} (${shown.id}), plants: ${shown.plants}\n${tableText(
              ['email', 'name', 'role', 'since'],
              shown.members.map((one) => [
                one.email,
                one.name,
                one.role,
                localTimeText(one.createdAt),
              ]),
            )}`,
      );
    });

  company
    .command('role')
    .description('make somebody in a company a manager or a member')
    .addArgument(email)
    .addArgument(new Argument('<role>', 'what they are in the company').choices(companyRoles))
    .action(async (user: string, role: string) => {
      await (await context.operator()).call('company/role', { email: user, role });
      context.print({ email: user, role }, `${user} is a ${role} of the company`);
    });

  company
    .command('remove')
    .description('remove somebody from a company, with effect from the next request on')
    .addArgument(email)
    .action(async (user: string) => {
      await (await context.operator()).call('company/remove', { email: user });
      context.print({ email: user, role: null }, `${user} is no longer in the company`);
    });

  company
    .command('dissolve')
    .description('dissolve a company, with effect from the next request on')
    .addArgument(email)
    .action(async (user: string) => {
      const operator = await context.operator();
      const { id, name } = await operator.call('company/show', { email: user });
      await operator.call('company/dissolve', { email: user });
      context.print({ id, dissolved: true }, `${name} is dissolved`);
    });
};
