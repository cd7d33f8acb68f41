import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  CommandFault,
  UsageFault,
  type CommandContext,
  type CommandSurroundings,
} from './surroundings.ts';

type Command = (context: CommandContext) => Promise<void>;

/** Each is loaded when it is used: small machines have no memory to spare. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  run: async () => (await import('./run.ts')).runCommand,
  discover: async () => (await import('./discover.ts')).discoverCommand,
  probe: async () => (await import('./probe.ts')).probeCommand,
  capture: async () => (await import('./capture.ts')).captureCommand,
  replay: async () => (await import('./capture.ts')).replayCommand,
  status: async () => (await import('./status.ts')).statusCommand,
};

const OPTIONS = {
  file: { type: 'string' },
  unit: { type: 'string' },
  gateway: { type: 'string' },
  'token-file': { type: 'string' },
  measures: { type: 'string' },
  'password-file': { type: 'string' },
  'password-readable': { type: 'boolean' },
  out: { type: 'string' },
  listen: { type: 'string' },
  write: { type: 'boolean' },
  watch: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** What the command line can do. */
export const HELP = `The on-site collector: reads devices and loggers in the house and reports to Helioport

  run                  collect until stopped, as collect.yaml says
  discover [NETWORK]   look for devices, such as in 192.168.1.0/24; this machine's networks if none is named
      --write            write what was found to collect.yaml
      --gateway ADDRESS  the address of the server, for that file
      --token-file FILE  where the token will be, for that file
  probe ADDRESS        show what a device says, and how it is understood
      --unit NUMBER      its number on the bus
      --watch            again and again
      --measures LIST    what each channel of a Shelly measures: grid,production,nothing
      --password-file FILE  where the password of the device is
      --password-readable   a Shelly of the first generation: others in the network may read it
  capture ADDRESS      keep the registers of a device, without serial numbers, to send them to somebody
      --out FILE         write to a file
  replay FILE          serve a capture as a device over Modbus TCP
      --listen ADDRESS   where; 127.0.0.1:1502 if not given
  status               show the state of the running collector
      --watch            again and again

  --file FILE          another file than collect.yaml
  --json               print JSON`;

/** Runs one command line; resolves to the exit code: 0, 1 for failure, 2 for wrong usage. */
export async function collect(
  args: readonly string[],
  surroundings: CommandSurroundings,
): Promise<number> {
  try {
    const { values, positionals } = read(args);
    const [name, ...words] = positionals;
    if (values.help === true || (name === undefined && args.length === 0)) {
      surroundings.write(HELP);
      return 0;
    }
    const load = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!load)
      throw new UsageFault(
        `there is no command ${name ?? ''}: ${Object.keys(COMMANDS).join(', ')}`,
      );
    const json = values.json === true;
    const command = await load();
    await command({
      ...surroundings,
      json,
      words,
      options: values,
      path: (file) => resolve(surroundings.folder, file),
      print: (value, text) =>
        surroundings.write(json ? JSON.stringify(value) : typeof text === 'string' ? text : text()),
    });
    return 0;
  } catch (error) {
    if (error instanceof UsageFault) {
      surroundings.writeNote(`collect: ${error.message} (see --help)`);
      return 2;
    }
    surroundings.writeNote(
      `collect: ${error instanceof CommandFault ? error.message : (error as Error).message}`,
    );
    return 1;
  }
}

function read(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageFault((error as Error).message);
  }
}
