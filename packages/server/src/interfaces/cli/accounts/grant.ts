import type { RegisterCommand } from '../context.ts';
import { either, localTimeText } from '../operator.ts';
import { tableText } from '../table.ts';

export const registerGrant: RegisterCommand = (program, context) => {
  const grant = program
    .command('grant')
    .description('list authorizations, see what they were used for, and revoke them');

  grant
    .command('list')
    .description('list a user’s authorizations, active ones first')
    .requiredOption('--user <email>', 'e-mail address of the user')
    .action(async ({ user }: { user: string }) => {
      const grants = await (await context.operator()).call('grant/list', { email: user });
      const now = context.clock.now();
      const lives = (g: (typeof grants)[number]): boolean =>
        g.revokedAt === null && g.livesUntil !== null && g.livesUntil > now;
      context.print(grants, () =>
        tableText(
          [
            'id',
            'application',
            'scopes',
            'plants',
            'granted',
            'refreshed',
            'ends unless refreshed',
            'ended',
            'is sent',
          ],
          grants.map((g) => [
            g.id,
            g.applicationName,
            g.scopes.join(' '),
            g.plantIds?.join(' ') ?? 'all',
            localTimeText(g.createdAt),
            localTimeText(g.refreshedAt),
            localTimeText(lives(g) ? g.livesUntil : null),
            localTimeText(lives(g) ? null : (g.revokedAt ?? g.livesUntil)),
            g.forwardedKinds?.join(' ') ?? null,
          ]),
        ),
      );
    });

  grant
    .command('uses')
    .description(
      'show what an application did with an authorization in the last 30 days, by the days of its owner’s time zone',
    )
    .argument('[id]', 'id of the authorization')
    .option('--id <id>', 'same as the argument')
    .action(async (argument: string | undefined, options: { id?: string }) => {
      const uses = await (
        await context.operator()
      ).call('grant/uses', { id: either(argument, options.id, 'the id of an authorization') });
      const rows = uses.map(({ day, reads, writes, commands, forwarded }) => [
        day,
        reads,
        writes,
        commands,
        forwarded,
      ]);
      context.print(uses, () =>
        tableText(['day', 'reads', 'writes', 'settings', 'events sent'], rows),
      );
    });

  grant
    .command('revoke')
    .description(
      'revoke an authorization; its tokens and codes are refused from the next request on',
    )
    .argument('[id]', 'id of the authorization')
    .option('--id <id>', 'same as the argument')
    .action(async (argument: string | undefined, options: { id?: string }) => {
      const id = either(argument, options.id, 'the id of an authorization');
      await (await context.operator()).call('grant/revoke', { id });
      context.print({ id, revoked: true }, `${id} is revoked`);
    });
};
