import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { either, rows, localTimeText } from '../operator.ts';
import { tableText } from '../table.ts';

interface AuditOptions {
  email?: string;
  limit: number;
  before?: string;
}

/** `helioport user audit`: the events of an account, as its owner may see them. */
export function registerUserAudit(user: Command, context: CliContext): void {
  user
    .command('audit')
    .description('show a user’s audit trail, newest first')
    .argument('[email]', 'e-mail address')
    .option('--email <address>', 'same as the argument')
    .option('--limit <count>', 'maximum number of events', rows, 100)
    .option('--before <id>', 'only events before the one with this id')
    .action(async (argument: string | undefined, { email, limit, before }: AuditOptions) => {
      const events = await (
        await context.operator()
      ).call('user/events', { email: either(argument, email, 'an e-mail address'), limit, before });
      context.print(events, () =>
        tableText(
          ['id', 'at', 'event', 'by', 'from', 'details'],
          events.map((event) => [
            event.id,
            localTimeText(event.at),
            event.kind,
            event.actor,
            event.address,
            JSON.stringify(event.data),
          ]),
        ),
      );
    });
}
