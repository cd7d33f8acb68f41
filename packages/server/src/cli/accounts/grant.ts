import type { Register } from '../context.ts';
import { either, shownTime } from '../operator.ts';
import { table } from '../table.ts';

export const registerGrant: Register = (program, context) => {
  const grant = program.command('grant').description('what owners have granted applications');

  grant
    .command('list')
    .description('list a user’s authorizations, living ones first')
    .requiredOption('--user <email>', 'whose')
    .action(async ({ user }: { user: string }) => {
      const grants = await (await context.operator()).call('grant/list', { email: user });
      const now = context.clock.now();
      const lives = (g: (typeof grants)[number]): boolean => g.revokedAt === null && g.livesUntil !== null && g.livesUntil > now;
      context.print(grants, () =>
        table(
          ['id', 'application', 'scopes', 'plants', 'granted', 'refreshed', 'ends unless refreshed', 'ended'],
          grants.map((g) => [
            g.id,
            g.applicationName,
            g.scopes.join(' '),
            g.plantIds?.join(' ') ?? 'all',
            shownTime(g.createdAt),
            shownTime(g.refreshedAt),
            shownTime(lives(g) ? g.livesUntil : null),
            shownTime(lives(g) ? null : (g.revokedAt ?? g.livesUntil)),
          ]),
        ),
      );
    });

  grant
    .command('revoke')
    .description('end an authorization: its tokens and codes open nothing from the next request on')
    .argument('[id]', 'its id')
    .option('--id <id>', 'the same')
    .action(async (argument: string | undefined, options: { id?: string }) => {
      const id = either(argument, options.id, 'the id of a grant');
      await (await context.operator()).call('grant/revoke', { id });
      context.print({ id, revoked: true }, `${id} is revoked`);
    });
};
