import type { RegisterCommand } from '../context.ts';
import { firstOf, rows, localTimeText } from '../operator.ts';
import { tableText } from '../table.ts';

export const registerInvitation: RegisterCommand = (program, context) => {
  const invitation = program
    .command('invitation')
    .description(
      'manage invitations, with which users offer one another shares, plants and the installer role',
    );

  invitation
    .command('list')
    .description('list the invitations that a user has sent and received, newest first')
    .requiredOption('--user <email>', 'e-mail address of the user')
    .option('--limit <number>', 'maximum number of invitations', rows, 100)
    .action(async ({ user, limit }: { user: string; limit: number }) => {
      const operator = await context.operator();
      const invitations = await firstOf(limit, (page) =>
        operator.call('invitation/list', { email: user, ...page }),
      );
      context.print(invitations, () =>
        tableText(
          ['id', 'direction', 'kind', 'level', 'plant', 'from', 'to', 'state', 'sent', 'until'],
          invitations.map((one) => [
            one.id,
            one.direction,
            one.kind,
            one.level,
            one.plantName,
            one.from,
            one.to,
            one.state,
            localTimeText(one.createdAt),
            localTimeText(one.expiresAt),
          ]),
        ),
      );
    });

  for (const [verb, done, description] of [
    ['accept', 'accepted', 'accept an invitation on behalf of the invited user'],
    ['decline', 'declined', 'decline an invitation on behalf of the invited user'],
    ['withdraw', 'withdrawn', 'withdraw an invitation on behalf of its sender'],
  ] as const) {
    invitation
      .command(verb)
      .description(description)
      .argument('<id>', 'id of the invitation')
      .action(async (id: string) => {
        await (await context.operator()).call(`invitation/${verb}`, { id });
        context.print({ id, state: done }, `${id} is ${done}`);
      });
  }
};
