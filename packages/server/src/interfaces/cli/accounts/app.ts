import { scopes, type Scope } from '@helioport/contract';
import { Option } from 'commander';
import type { CliContext, RegisterCommand } from '../context.ts';
import { either, numeric, localTimeText } from '../operator.ts';
import { tableText } from '../table.ts';

const NAME = 'name or client_id of the application';

const scopeOption = (description: string): Option =>
  new Option('--scope <scope...>', description).choices(Object.keys(scopes));

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

interface DecisionOptions {
  name?: string;
  undo?: boolean;
  scope?: Scope[];
  reason?: string;
}

export const registerApp: RegisterCommand = (program, context) => {
  const app = program.command('app').description('manage OAuth applications');

  app
    .command('create')
    .description(
      'register an application, which is approved at once; its secret is shown only once',
    )
    .requiredOption('--name <name>', 'name shown on the consent page')
    .requiredOption(
      '--redirect-uri <address>',
      'callback address; requests must send exactly this one',
    )
    .option(
      '--owner <email>',
      'e-mail address of the developer, who finds the application in the portal',
    )
    .option('--purpose <text>', 'purpose shown on the consent page')
    .option('--home-page <address>', 'page where owners can read about the application')
    .addOption(scopeOption('scopes that the application may request').default(Object.keys(scopes)))
    .option('--require-pkce', 'refuse authorization requests without code_challenge')
    .option('--resource-server', 'let the application introspect any token, not only its own')
    .option('--pending', 'leave the application pending until `app approve` or `app reject`')
    .action((options: CreateOptions) => create(context, options));

  app
    .command('list')
    .description('list applications')
    .action(async () => {
      const shown = await (await context.operator()).call('application/list', {});
      context.print(shown, () =>
        tableText(
          ['client_id', 'name', 'state', 'developer', 'callback', 'scopes'],
          shown.map((a) => [
            a.clientId,
            a.name,
            a.state,
            a.owner ?? '',
            a.redirectUri,
            a.scopes.join(' '),
          ]),
        ),
      );
    });

  app
    .command('show')
    .description('show an application and when its secrets were used')
    .argument('<name>', NAME)
    .action((name: string) => show(context, name));

  type Decision = 'approve' | 'reject' | 'disable' | 'enable';
  const deciding = (verb: Decision, description: string) =>
    app
      .command(verb)
      .description(description)
      .argument('[name]', NAME)
      .option('--name <name>', 'same as the argument')
      .action(
        async (
          argument: string | undefined,
          { name: named, undo, scope, reason }: DecisionOptions,
        ) => {
          const application = either(argument, named, 'the name of an application');
          // Approving a disabled application leaves it disabled, and enabling a rejected one leaves it rejected.
          const decision = {
            application,
            ...(scope && { scopes: scope }),
            ...(reason !== undefined && { reason }),
          };
          const { name, clientId, state } = await (
            await context.operator()
          ).call(`application/${undo ? 'enable' : verb}`, decision);
          context.print({ name, clientId, state }, `${name} is ${state}`);
        },
      );
  deciding(
    'approve',
    'approve a submitted application; it may then ask owners for access',
  ).addOption(
    scopeOption('the only scopes that it may request, some of those that it was submitted with'),
  );
  deciding('reject', 'reject a submitted application').option(
    '--reason <text>',
    'why, for its developer',
  );
  deciding(
    'disable',
    'disable an application; it and its tokens are refused from the next request on',
  ).option('--undo', 'enable the application again');

  app
    .command('change')
    .description('change the registration of an application')
    .argument('<name>', NAME)
    .option('--redirect-uri <address>', 'new callback address')
    .addOption(
      scopeOption(
        'scopes that the application may request; its tokens lose all other scopes at once',
      ),
    )
    .option('--require-pkce', 'refuse authorization requests without code_challenge')
    .option('--no-require-pkce', 'accept authorization requests without code_challenge')
    .action(
      async (
        name: string,
        options: { redirectUri?: string; scope?: Scope[]; requirePkce?: boolean },
      ) => {
        const { redirectUri, scope, requirePkce } = options;
        const change = {
          application: name,
          redirectUri,
          scopes: scope,
          challengeRequired: requirePkce,
        };
        const { warnings } = await (await context.operator()).call('application/change', change);
        for (const warning of warnings) context.note(`warning: ${warning}`);
        await show(context, name);
      },
    );

  app
    .command('rotate-secret')
    .description('issue a new secret; existing secrets stay valid for a while')
    .argument('[name]', NAME)
    .option('--name <name>', 'same as the argument')
    .option(
      '--overlap-days <days>',
      'days for which existing secrets stay valid; 0 ends them now',
      numeric,
      30,
    )
    .action(
      async (argument: string | undefined, options: { name?: string; overlapDays: number }) => {
        const application = either(argument, options.name, 'the name of an application');
        const made = await (
          await context.operator()
        ).call('application/rotateSecret', { application, overlapDays: options.overlapDays });
        const { clientId, clientSecret, earlierSecretsEndAt } = made;
        context.print({ clientId, clientSecret, earlierSecretsEndAt }, () =>
          tableText(
            ['client_id', 'client_secret', 'earlier secrets end'],
            [[clientId, clientSecret, localTimeText(earlierSecretsEndAt)]],
          ),
        );
      },
    );

  app
    .command('errors')
    .description('list an application’s recent refusals, newest first')
    .argument('[name]', NAME)
    .option('--name <name>', 'same as the argument')
    .action(async (argument: string | undefined, options: { name?: string }) => {
      const application = either(argument, options.name, 'the name of an application');
      const refusals = await (await context.operator()).call('application/errors', { application });
      context.print(refusals, () =>
        tableText(
          ['last', 'endpoint', 'error', 'times', 'what to do', 'request'],
          refusals.map((r) => [
            localTimeText(r.lastAt),
            r.endpoint,
            r.error,
            r.count,
            r.description,
            r.lastRequestId,
          ]),
        ),
      );
    });
};

async function create(context: CliContext, options: CreateOptions): Promise<void> {
  const { scope, requirePkce, ...given } = options;
  const made = await (
    await context.operator()
  ).call('application/create', { ...given, scopes: scope, challengeRequired: requirePkce });
  const { clientId, clientSecret, warnings } = made;
  for (const warning of warnings) context.note(`warning: ${warning}`);
  context.print({ clientId, clientSecret }, () =>
    tableText(['client_id', 'client_secret'], [[clientId, clientSecret]]),
  );
}

async function show(context: CliContext, name: string): Promise<void> {
  const { secrets, ...shown } = await (
    await context.operator()
  ).call('application/show', { application: name });
  context.print({ ...shown, secrets }, () =>
    [
      tableText(
        ['', ''],
        Object.entries({
          ...shown,
          scopes: shown.scopes.join(' '),
          askedScopes: shown.askedScopes.join(' '),
          createdAt: localTimeText(shown.createdAt),
          submittedAt: localTimeText(shown.submittedAt),
          decidedAt: localTimeText(shown.decidedAt),
        }),
      ),
      tableText(
        ['secret', 'created', 'expires', 'last used'],
        secrets.map((s) => [
          s.id,
          localTimeText(s.createdAt),
          localTimeText(s.expiresAt),
          localTimeText(s.lastUsedAt),
        ]),
      ),
    ].join('\n\n'),
  );
}
