import { accountRoles, type AccountRole } from '@helioport/contract';
import { Argument, Option } from 'commander';
import type { CliContext, RegisterCommand } from '../context.ts';
import { CliUsageFault } from '../installation/faults.ts';
import { either, localTimeText } from '../operator.ts';
import { tableText } from '../table.ts';
import { registerUserAudit } from './user-audit.ts';

interface AddOptions {
  email: string;
  role: AccountRole;
  name?: string;
  password?: string;
  timeZone?: string;
}

const PASSWORD_HELP =
  'password of at least 10 characters, or - to type it at the terminal or read it from standard input; default: a generated password, which is printed';

export const registerUser: RegisterCommand = (program, context) => {
  const user = program.command('user').description('manage users');

  user
    .command('add')
    .description('add a user')
    .requiredOption('--email <address>', 'e-mail address to log in with')
    .addOption(
      new Option('--role <role>', 'role of the user').choices([...accountRoles]).default('owner'),
    )
    .option('--name <name>', 'name of the user; default: the part of the address before the @')
    .option('--password <password>', PASSWORD_HELP)
    .option('--time-zone <zone>', 'IANA time zone; default: HELIOPORT_DEFAULT_TIME_ZONE')
    .action(async ({ email, role, name, password, timeZone }: AddOptions) => {
      const chosen = await choosePassword(context, password);
      const shown = await (
        await context.operator()
      ).call('user/add', { email, role, name, password: chosen, timeZone });
      context.print(shown, () => tableText(Object.keys(shown), [Object.values(shown)]));
    });

  user
    .command('list')
    .description('list all users')
    .action(async () => {
      const accounts = await (await context.operator()).call('user/list', {});
      context.print(accounts, () =>
        tableText(
          ['id', 'email', 'name', 'role', 'time zone', 'created', 'disabled', 'removed at'],
          accounts.map((a) => [
            a.id,
            a.email,
            a.name,
            a.role,
            a.timeZone,
            localTimeText(a.createdAt),
            localTimeText(a.disabledAt),
            localTimeText(a.removeAt),
          ]),
        ),
      );
    });

  user
    .command('disable')
    .description(
      'disable a user; from the next request on, the user’s log-ins, key pairs and applications are refused',
    )
    .argument('[email]', 'e-mail address')
    .option('--email <address>', 'same as the argument')
    .option('--undo', 'enable the user again')
    .action(async (argument: string | undefined, options: { email?: string; undo?: boolean }) => {
      const named = { email: either(argument, options.email, 'an e-mail address') };
      const { id, email } = await (
        await context.operator()
      ).call(options.undo ? 'user/enable' : 'user/disable', named);
      context.print(
        { id, email, disabled: !options.undo },
        `${email} is ${options.undo ? 'enabled' : 'disabled'}`,
      );
    });

  user
    .command('role')
    .description(
      'give a user another role and end the user’s log-ins; operators see to accounts and collectors in the portal and must have no plants',
    )
    .argument('<email>', 'e-mail address')
    .addArgument(new Argument('<role>', 'role of the user').choices([...accountRoles]))
    .action(async (named: string, chosen: AccountRole) => {
      const shown = await (
        await context.operator()
      ).call('user/role', { email: named, role: chosen });
      context.print(shown, `${shown.email} has the role ${shown.role} and has to log in again`);
    });

  user
    .command('close')
    .description(
      'close a user’s account: all access ends at once, and personal data is removed after HELIOPORT_CLOSED_RETENTION',
    )
    .argument('[email]', 'e-mail address')
    .option('--email <address>', 'same as the argument')
    .action(async (argument: string | undefined, options: { email?: string }) => {
      const shown = await (
        await context.operator()
      ).call('user/close', { email: either(argument, options.email, 'an e-mail address') });
      context.print(
        shown,
        `${shown.email} is closed; its data is removed at ${localTimeText(shown.removeAt)} UTC, until then \`helioport user reopen\` takes this back`,
      );
    });

  user
    .command('reopen')
    .description(
      'take the closing of a user’s account back; key pairs, authorizations, shares and applications stay ended',
    )
    .argument('[email]', 'e-mail address')
    .option('--email <address>', 'same as the argument')
    .action(async (argument: string | undefined, options: { email?: string }) => {
      const shown = await (
        await context.operator()
      ).call('user/reopen', { email: either(argument, options.email, 'an e-mail address') });
      context.print(shown, `${shown.email} can log in again`);
    });

  user
    .command('password')
    .description('replace a user’s password')
    .argument('[email]', 'e-mail address')
    .option('--email <address>', 'same as the argument')
    .option('--password <password>', PASSWORD_HELP)
    .option(
      '--end-all-access',
      'also end the user’s key pairs and authorizations, not only log-ins',
    )
    .action(
      async (
        argument: string | undefined,
        options: { email?: string; password?: string; endAllAccess?: true },
      ) => {
        const email = either(argument, options.email, 'an e-mail address');
        const password = await choosePassword(context, options.password);
        const shown = await (
          await context.operator()
        ).call('user/password', { email, password, endAllAccess: options.endAllAccess });
        context.print(shown, () => tableText(Object.keys(shown), [Object.values(shown)]));
      },
    );

  user
    .command('reset-factors')
    .description(
      'remove a user’s authenticator app, recovery codes and passkeys, for example after a phone was lost, and end the user’s log-ins',
    )
    .argument('[email]', 'e-mail address')
    .option('--email <address>', 'same as the argument')
    .action(async (argument: string | undefined, options: { email?: string }) => {
      const shown = await (
        await context.operator()
      ).call('user/resetFactors', { email: either(argument, options.email, 'an e-mail address') });
      context.print(
        shown,
        `${shown.email} logs in with the password alone until new second factors are set up`,
      );
    });

  registerUserAudit(user, context);
};

/**
 * The password that was typed, piped or given; undefined if one is to be generated. Throws
 * UsageFault for a password that consists only of spaces, which would count as not given.
 */
async function choosePassword(
  context: CliContext,
  given: string | undefined,
): Promise<string | undefined> {
  const chosen = given === '-' ? await context.readPassword() : given;
  if (chosen?.trim() === '') throw new CliUsageFault('password: expected 10 to 1024 characters');
  return chosen;
}
