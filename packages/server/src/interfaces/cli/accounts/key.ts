import type { CliContext, RegisterCommand } from '../context.ts';
import { CliUsageFault } from '../installation/faults.ts';
import { either, localTimeText } from '../operator.ts';
import { tableText } from '../table.ts';

interface CreateOptions {
  user: string;
  label: string;
  control: boolean;
  plant?: string[];
  cidr?: string[];
  expires?: string;
}

export const registerKey: RegisterCommand = (program, context) => {
  const key = program.command('key').description('manage key pairs for signed calls');

  key
    .command('create')
    .description('create a key pair, which is active at once; its secret is shown only once')
    .requiredOption('--user <email>', 'e-mail address of the user')
    .option('--label <text>', 'what the key pair is for', '')
    .option('--no-control', 'make the key pair read-only')
    .option(
      '--plant <id...>',
      'restrict the key pair to these plants; default: all plants that the user may see',
    )
    .option(
      '--cidr <network...>',
      'accept the key pair only from these networks; default: from any',
    )
    .option('--expires <time>', 'time of expiry, such as 2027-12-31 or 2027-12-31T12:00:00Z')
    .action(async ({ user, label, control, plant, cidr, expires }: CreateOptions) => {
      const expiresAt = expires === undefined ? undefined : instantOf(expires);
      const given = {
        email: user,
        label,
        canControl: control,
        plantIds: plant,
        networks: cidr,
        expiresAt,
      };
      const pair = await (await context.operator()).call('key/create', given);
      context.print({ ...pair }, () =>
        tableText(['KeyID', 'KeySecret'], [[pair.keyId, pair.keySecret]]),
      );
    });

  key
    .command('list')
    .description('list key pairs, without their secrets')
    .option('--user <email>', 'only the key pairs of this user')
    .action((options: { user?: string }) => list(context, options.user));

  key
    .command('disable')
    .description('disable a key pair, with effect from the next request on')
    .argument('[keyId]', 'KeyID')
    .option('--key-id <id>', 'same as the argument')
    .action(async (argument: string | undefined, options: { keyId?: string }) => {
      const keyId = either(argument, options.keyId, 'a KeyID');
      await (await context.operator()).call('key/disable', { keyId });
      context.print({ keyId, disabled: true }, `${keyId} is disabled`);
    });
};

async function list(context: CliContext, email: string | undefined): Promise<void> {
  const pairs = await (await context.operator()).call('key/list', { email });
  const now = context.clock.now();
  context.print(pairs, () =>
    tableText(
      ['KeyID', 'user', 'label', 'state', 'access', 'created', 'last used'],
      pairs.map((pair) => [
        pair.keyId,
        pair.email,
        pair.label,
        stateOf(pair, now),
        pair.canControl ? 'control' : 'read',
        localTimeText(pair.createdAt),
        localTimeText(pair.lastUsedAt),
      ]),
    ),
  );
}

function stateOf(
  pair: { disabledAt: number | null; expiresAt: number | null; pending: boolean },
  now: number,
): string {
  if (pair.disabledAt !== null) return 'disabled';
  if (pair.expiresAt !== null && pair.expiresAt <= now) return 'expired';
  return pair.pending ? 'waiting for log-in' : 'active';
}

function instantOf(text: string): number {
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at))
    throw new CliUsageFault('--expires takes a time such as 2027-12-31 or 2027-12-31T12:00:00Z');
  return at;
}
