import { scopes, type Scope } from '@helioport/contract';
import { Option } from 'commander';
import { getAccountByEmail } from '../../accounts/accounts.ts';
import { listRefusals } from '../../oauth/application-refusals.ts';
import {
  changeApplication,
  decideApplication,
  disableApplication,
  enableApplication,
  getApplication,
  insertApplication,
  listApplications,
  type Application,
} from '../../oauth/applications.ts';
import { insertClientSecret, listClientSecrets, rotateClientSecret } from '../../oauth/client-secrets.ts';
import { scopesOf } from '../../oauth/scopes.ts';
import type { Db } from '../../storage/database.ts';
import type { CliContext, Register } from '../context.ts';
import { CommandFault } from '../installation/faults.ts';
import { either, numeric, operatorAct, shownTime } from '../operator.ts';
import { table } from '../table.ts';

const DAY_MS = 86_400_000;
const NAME = 'its name or client_id';

const scopeOption = (description: string): Option => new Option('--scope <scope...>', description).choices(Object.keys(scopes));

interface CreateOptions {
  name: string;
  redirectUri: string;
  owner?: string;
  purpose?: string;
  homePage?: string;
  scope: Scope[];
  requirePkce?: boolean;
  resourceServer?: boolean;
  pending?: boolean;
}

export const registerApp: Register = (program, context) => {
  const app = program.command('app').description('applications that ask owners for permission');

  app
    .command('create')
    .description('register an application, approved at once; its secret is shown this once')
    .requiredOption('--name <name>', 'what owners read on the consent page')
    .requiredOption('--redirect-uri <address>', 'its one callback address, compared to the letter')
    .option('--owner <email>', 'the developer’s account')
    .option('--purpose <text>', 'what it is for, for the consent page')
    .option('--home-page <address>', 'where owners can read about it')
    .addOption(scopeOption('what it may ask for').default(Object.keys(scopes)))
    .option('--require-pkce', 'refuse authorization requests without code_challenge')
    .option('--resource-server', 'may introspect any token, not only its own')
    .option('--pending', 'leave it waiting for `app approve` or `app reject`')
    .action((options: CreateOptions) => create(context, options));

  app
    .command('list')
    .description('list applications')
    .action(async () => {
      const { db } = await context.storage();
      const shown = (await listApplications(db)).map(describe);
      context.print(shown, () =>
        table(
          ['client_id', 'name', 'state', 'callback', 'scopes'],
          shown.map((a) => [a.clientId, a.name, a.state, a.redirectUri, a.scopes.join(' ')]),
        ),
      );
    });

  app
    .command('show')
    .description('show an application and when its secrets were used')
    .argument('<name>', NAME)
    .action((name: string) => show(context, name));

  const changing = (verb: string, description: string, change: (trx: Db, id: string, options: { undo?: boolean }) => Promise<unknown>) =>
    app
      .command(verb)
      .description(description)
      .argument('[name]', NAME)
      .option('--name <name>', 'the same')
      .action(async (argument: string | undefined, options: { name?: string; undo?: boolean }) => {
        const { db } = await context.storage();
        const { id, clientId } = await getApplication(db, either(argument, options.name, 'the name of an application'));
        await db.transaction().execute((trx) => change(trx, id, options));
        // A disabled application stays so when it is approved, and a rejected one when it is enabled.
        const { name, state } = describe(await getApplication(db, clientId));
        context.print({ name, clientId, state }, `${name} is ${state}`);
      });
  changing('approve', 'let a submitted application ask owners', (trx, id) => decideApplication(trx, operatorAct(context), id, 'approved'));
  changing('reject', 'refuse a submitted application', (trx, id) => decideApplication(trx, operatorAct(context), id, 'rejected'));
  changing('disable', 'end everything that an application can do, from the next request on', (trx, id, { undo }) =>
    (undo ? enableApplication : disableApplication)(trx, operatorAct(context), id),
  ).option('--undo', 'enable it again');

  app
    .command('change')
    .description('change what is registered')
    .argument('<name>', NAME)
    .option('--redirect-uri <address>', 'another callback address')
    .addOption(scopeOption('what it may ask for; tokens lose at once what is left out'))
    .option('--require-pkce', 'refuse authorization requests without code_challenge')
    .option('--no-require-pkce', 'take them')
    .action(async (name: string, options: { redirectUri?: string; scope?: Scope[]; requirePkce?: boolean }) => {
      const { db } = await context.storage();
      const { id } = await getApplication(db, name);
      const { redirectUri, scope, requirePkce } = options;
      const change = {
        ...(redirectUri !== undefined && { redirectUri }),
        ...(scope && { scopes: scope }),
        ...(requirePkce !== undefined && { challengeRequired: requirePkce }),
      };
      const warnings = await db.transaction().execute((trx) => changeApplication(trx, operatorAct(context), id, change));
      for (const warning of warnings) context.note(`warning: ${warning}`);
      await show(context, name);
    });

  app
    .command('rotate-secret')
    .description('make a second secret; those there are go on for a while')
    .argument('[name]', NAME)
    .option('--name <name>', 'the same')
    .option('--overlap-days <days>', 'how long the present secrets go on; 0: they end now', numeric, 30)
    .action(async (argument: string | undefined, options: { name?: string; overlapDays: number }) => {
      const { db } = await context.storage();
      const application = await getApplication(db, either(argument, options.name, 'the name of an application'));
      const retireAt = context.clock.now() + options.overlapDays * DAY_MS;
      const clientSecret = await db.transaction().execute((trx) => rotateClientSecret(trx, operatorAct(context), application, retireAt));
      const { clientId } = application;
      context.print({ clientId, clientSecret, earlierSecretsEndAt: retireAt }, () =>
        table(['client_id', 'client_secret', 'earlier ones end'], [[clientId, clientSecret, shownTime(retireAt)]]),
      );
    });

  app
    .command('errors')
    .description('what an application was refused lately, newest first')
    .argument('[name]', NAME)
    .option('--name <name>', 'the same')
    .action(async (argument: string | undefined, options: { name?: string }) => {
      const { db } = await context.storage();
      const { id } = await getApplication(db, either(argument, options.name, 'the name of an application'));
      const refusals = await listRefusals(db, id);
      context.print(refusals, () =>
        table(
          ['last', 'endpoint', 'error', 'times', 'what to do', 'request'],
          refusals.map((r) => [shownTime(r.lastAt), r.endpoint, r.error, r.count, r.description, r.lastRequestId]),
        ),
      );
    });
};

async function create(context: CliContext, options: CreateOptions): Promise<void> {
  const { name, redirectUri, purpose, homePage, scope, requirePkce = false, resourceServer = false } = options;
  const { db } = await context.storage();
  const owner = options.owner === undefined ? null : await getAccountByEmail(db, options.owner);
  if (owner && owner.role !== 'developer') throw new CommandFault(`${owner.email} is no developer: an application belongs to an account of that role`);
  const act = operatorAct(context);
  const made = await db.transaction().execute(async (trx) => {
    const registration = { name, redirectUri, ownerId: owner?.id ?? null, scopes: scope, challengeRequired: requirePkce, resourceServer };
    const { application, warnings } = await insertApplication(trx, act, { ...registration, ...(purpose && { purpose }), ...(homePage && { homePage }) });
    if (!options.pending) await decideApplication(trx, act, application.id, 'approved');
    return { clientId: application.clientId, clientSecret: await insertClientSecret(trx, act, application), warnings };
  });
  const { clientId, clientSecret, warnings } = made;
  for (const warning of warnings) context.note(`warning: ${warning}`);
  context.print({ clientId, clientSecret }, () => table(['client_id', 'client_secret'], [[clientId, clientSecret]]));
}

async function show(context: CliContext, name: string): Promise<void> {
  const { db } = await context.storage();
  const application = await getApplication(db, name);
  const secrets = await listClientSecrets(db, application.id);
  const shown = describe(application);
  context.print({ ...shown, secrets }, () =>
    [
      table(['', ''], Object.entries({ ...shown, scopes: shown.scopes.join(' '), createdAt: shownTime(shown.createdAt) })),
      table(
        ['secret', 'created', 'expires', 'last used'],
        secrets.map((s) => [s.id, shownTime(s.createdAt), shownTime(s.expiresAt), shownTime(s.lastUsedAt)]),
      ),
    ].join('\n\n'),
  );
}

const describe = (a: Application) => ({
  clientId: a.clientId,
  name: a.name,
  state: a.disabledAt === null ? a.status : 'disabled',
  redirectUri: a.redirectUri,
  scopes: scopesOf(a.scopes),
  homePage: a.homePage,
  purpose: a.purpose,
  requirePkce: a.challengeRequired === 1,
  resourceServer: a.resourceServer === 1,
  createdAt: a.createdAt,
});
