import { Option } from 'commander';
import { changePassword, getAccountByEmail, insertAccount, listAccounts, roles, type Role } from '../../accounts/accounts.ts';
import { makeVerifiers } from '../../accounts/passwords.ts';
import { randomAlphanumeric } from '../../kernel/secrets.ts';
import { disableOwner, enableOwner } from '../../plants/owners.ts';
import type { CliContext, Register } from '../context.ts';
import { either, operatorAct, shownTime } from '../operator.ts';
import { table } from '../table.ts';
import { registerUserAudit } from './user-audit.ts';

interface AddOptions {
  email: string;
  role: Role;
  name?: string;
  password?: string;
  timeZone?: string;
}

const GENERATED_PASSWORD_LENGTH = 20;
const PASSWORD_HELP = 'password of at least 10 characters; - reads it from standard input or asks for it; without the option one is made and printed';

export const registerUser: Register = (program, context) => {
  const user = program.command('user').description('people who can log in');

  user
    .command('add')
    .description('add a user')
    .requiredOption('--email <address>', 'e-mail address, the name to log in with')
    .addOption(new Option('--role <role>', 'what the user is').choices([...roles]).default('owner'))
    .option('--name <name>', 'name; without it the address up to the @')
    .option('--password <password>', PASSWORD_HELP)
    .option('--time-zone <zone>', 'IANA time zone; without it HELIOPORT_DEFAULT_TIME_ZONE')
    .action(async ({ email, role, name, password, timeZone }: AddOptions) => {
      const { db } = await context.storage();
      const { legacyLogin, defaultTimeZone } = context.config();
      const chosen = await choosePassword(context, password);
      const verifiers = await makeVerifiers(chosen, legacyLogin);
      const input = { email, role, timeZone: timeZone ?? defaultTimeZone, ...(name !== undefined && { name }), ...verifiers };
      const account = await db.transaction().execute((trx) => insertAccount(trx, operatorAct(context), input));
      const shown = { id: account.id, email: account.email, role, ...(password === undefined && { password: chosen }) };
      context.print(shown, () => table(Object.keys(shown), [Object.values(shown)]));
    });

  user
    .command('list')
    .description('list all users')
    .action(async () => {
      const { db } = await context.storage();
      const accounts = await listAccounts(db);
      context.print(accounts, () =>
        table(
          ['id', 'email', 'name', 'role', 'time zone', 'created', 'disabled'],
          accounts.map((a) => [a.id, a.email, a.name, a.role, a.timeZone, shownTime(a.createdAt), shownTime(a.disabledAt)]),
        ),
      );
    });

  user
    .command('disable')
    .description('refuse a user’s log-ins, keys and applications from the next request on')
    .argument('[email]', 'e-mail address')
    .option('--email <address>', 'the same')
    .option('--undo', 'enable the user again')
    .action(async (argument: string | undefined, options: { email?: string; undo?: boolean }) => {
      const { db } = await context.storage();
      const { id, email } = await getAccountByEmail(db, either(argument, options.email, 'an e-mail address'));
      const change = options.undo ? enableOwner : disableOwner;
      await db.transaction().execute((trx) => change(trx, operatorAct(context), id));
      context.print({ id, email, disabled: !options.undo }, `${email} is ${options.undo ? 'enabled' : 'disabled'}`);
    });

  user
    .command('password')
    .description('replace a user’s password')
    .argument('[email]', 'e-mail address')
    .option('--email <address>', 'the same')
    .option('--password <password>', PASSWORD_HELP)
    .action(async (argument: string | undefined, options: { email?: string; password?: string }) => {
      const { db } = await context.storage();
      const { id, email } = await getAccountByEmail(db, either(argument, options.email, 'an e-mail address'));
      const chosen = await choosePassword(context, options.password);
      const verifiers = await makeVerifiers(chosen, context.config().legacyLogin);
      await db.transaction().execute((trx) => changePassword(trx, operatorAct(context), id, verifiers));
      const shown = { id, email, ...(options.password === undefined && { password: chosen }) };
      context.print(shown, () => table(Object.keys(shown), [Object.values(shown)]));
    });

  registerUserAudit(user, context);
};

const choosePassword = (context: CliContext, given: string | undefined): Promise<string> | string =>
  given === '-' ? context.readPassword() : (given ?? randomAlphanumeric(GENERATED_PASSWORD_LENGTH));
