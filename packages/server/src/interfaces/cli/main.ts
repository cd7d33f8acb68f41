import process from 'node:process';
import { Command } from 'commander';
import { hasPrimary } from '../../processes/member.ts';
import { VERSION } from '../../platform/kernel/version.ts';
import {
  createCliContext,
  type CliContext,
  type CliSurroundings,
  type RegisterCommand,
} from './context.ts';
import { printable, printableJson } from './printable.ts';
import { errorJson, explain } from './signing/explain.ts';

// The commands in the order of --help. Only the file of the command that is run is imported.
const commands: Readonly<Record<string, () => Promise<RegisterCommand>>> = {
  serve: async () => (await import('./installation/serve.ts')).registerServe,
  migrate: async () => (await import('./installation/migrate.ts')).registerMigrate,
  config: async () => (await import('./installation/config.ts')).registerConfig,
  doctor: async () => (await import('./installation/doctor.ts')).registerDoctor,
  user: async () => (await import('./accounts/user.ts')).registerUser,
  key: async () => (await import('./accounts/key.ts')).registerKey,
  plant: async () => (await import('./plants/plant.ts')).registerPlant,
  device: async () => (await import('./plants/device.ts')).registerDevice,
  discovery: async () => (await import('./plants/discovery.ts')).registerDiscovery,
  collector: async () => (await import('./plants/collector.ts')).registerCollector,
  invitation: async () => (await import('./plants/invitation.ts')).registerInvitation,
  company: async () => (await import('./accounts/company.ts')).registerCompany,
  alarm: async () => (await import('./plants/alarm.ts')).registerAlarm,
  command: async () => (await import('./plants/command.ts')).registerCommand,
  strategy: async () => (await import('./plants/strategy.ts')).registerStrategy,
  app: async () => (await import('./accounts/app.ts')).registerApp,
  grant: async () => (await import('./accounts/grant.ts')).registerGrant,
  forwarding: async () => (await import('./accounts/forwarding.ts')).registerForwarding,
  quantities: async () => (await import('./plants/quantities.ts')).registerQuantities,
  import: async () => (await import('./plants/import.ts')).registerImport,
  fleet: async () => (await import('./plants/fleet.ts')).registerFleet,
  history: async () => (await import('./history/history.ts')).registerHistory,
  call: async () => (await import('./signing/call.ts')).registerCall,
  sign: async () => (await import('./signing/sign.ts')).registerSign,
  verify: async () => (await import('./signing/verify.ts')).registerVerify,
  simulate: async () => (await import('./demo/simulate.ts')).registerSimulate,
  collect: async () => (await import('./plants/collect.ts')).registerCollect,
  mqtt: async () => (await import('./installation/mqtt.ts')).registerMqtt,
  backup: async () => (await import('./installation/backup/backup.ts')).registerBackup,
  'master-key': async () =>
    (await import('./installation/master-key/master-key.ts')).registerMasterKey,
  restore: async () => (await import('./installation/backup/restore.ts')).registerRestore,
  series: async () => (await import('./installation/series.ts')).registerSeries,
  completion: async () => (await import('./completion/completion.ts')).registerCompletion,
};

/**
 * The program with the commands that are given, which print to `surroundings`.
 * @param complain takes what is wrong with the usage
 */
function programOf(
  registers: readonly RegisterCommand[],
  surroundings: CliSurroundings,
  complain: (text: string) => void = surroundings.writeNote,
): { readonly program: Command; readonly context: CliContext } {
  const program = new Command('helioport')
    .description('A self-hosted cloud for monitoring and controlling solar plants')
    .version(VERSION)
    .option('--json', 'print one JSON value instead of a table, and errors as JSON')
    .option('--config <file>', 'settings file with HELIOPORT_NAME=value lines')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => surroundings.write(text.trimEnd()),
      writeErr: (text) => complain(text.trimEnd()),
    })
    .showHelpAfterError('(see --help)')
    .exitOverride();
  let running = '';
  program.hook('preAction', (_, action) => {
    running = namesOf(action);
  });
  const context = createCliContext(
    surroundings,
    () => program.opts(),
    () => running,
  );
  for (const register of registers) register(program, context);
  return { program, context };
}

const loadCommands = (): Promise<RegisterCommand[]> =>
  Promise.all(Object.values(commands).map((load) => load()));

/** The program with every command that there is, to be looked at and not run. */
export async function loadProgram(): Promise<Command> {
  const nothing = (): void => {};
  const surroundings = { environment: {}, folder: '.', write: nothing, writeNote: nothing };
  return programOf(await loadCommands(), surroundings).program;
}

/** Runs one command line; resolves to the exit code: 0, 1 for failure, 2 for wrong usage (docs/command-line.md). */
export async function run(args: readonly string[], given: CliSurroundings): Promise<number> {
  const isJson = asksForJson(args);
  const surroundings: CliSurroundings = {
    ...given,
    write: (text) => given.write(isJson ? printableJson(text) : printable(text)),
    writeNote: (text) => given.writeNote(printable(text)),
  };
  const named = commands[nameOf(args)];
  const { program, context } = programOf(
    named ? [await named()] : asksForVersion(args) ? [] : await loadCommands(),
    surroundings,
    // What is wrong with the usage is said as JSON below.
    isJson ? () => {} : undefined,
  );
  try {
    await program.parseAsync(args, { from: 'user' });
    return context.exitCode;
  } catch (error) {
    const explained = explain(error);
    if (isJson && explained.exitCode !== 0) surroundings.writeNote(errorJson(explained));
    else if (!explained.isPrinted) surroundings.writeNote(`helioport: ${explained.message}`);
    return explained.exitCode;
  } finally {
    await context.close();
  }
}

/** Whether nothing but the version is asked for, which no command is needed for. */
const asksForVersion = (args: readonly string[]): boolean =>
  args.length === 1 && ['--version', '-V'].includes(args[0]!);

function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? undefined : end).includes('--json');
}

/** The names of a command and those that it belongs to, without the program’s. */
const namesOf = (command: Command): string =>
  command.parent ? `${namesOf(command.parent)} ${command.name()}`.trim() : '';

function nameOf(args: readonly string[]): string {
  const index = args.findIndex((arg, i) => !arg.startsWith('-') && args[i - 1] !== '--config');
  return args[index] ?? '';
}

/** The entry point of the executable. */
export async function main(args: readonly string[]): Promise<void> {
  // Files that the process writes (database, keys, backups) are for their owner only.
  process.umask(0o077);
  process.exitCode = await run(args, {
    environment: process.env,
    folder: process.cwd(),
    write: (text) => void process.stdout.write(`${text}\n`),
    // Its primary says the same, and reports why it could not start.
    writeNote: (text) => void (hasPrimary() || process.stderr.write(`${text}\n`)),
    secretInput: { stream: process.stdin, ask: (question) => void process.stderr.write(question) },
  });
}
