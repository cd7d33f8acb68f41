import { runSite, TokenFault } from '../run.ts';
import { AlreadyRunning } from '../running-lock.ts';
import { loadConfig } from './config-file.ts';
import { CommandFault, type CommandContext } from './surroundings.ts';

/** `collect run`: collects until it is stopped. */
export async function runCommand(context: CommandContext): Promise<void> {
  const config = loadConfig(context);
  const { clock, pause, random, signal } = context;
  const note = (text: string): void =>
    context.json
      ? context.write(JSON.stringify({ at: clock.now(), note: text }))
      : context.writeNote(text);
  note(`collecting from ${config.devices.length} devices for ${config.gateway}`);
  try {
    await runSite(config, { clock, pause, random, signal, note });
  } catch (error) {
    const { code, path, message } = error as NodeJS.ErrnoException;
    if (error instanceof TokenFault || error instanceof AlreadyRunning || code === undefined)
      throw new CommandFault(message, { cause: error });
    throw new CommandFault(`${path ?? config.dataFolder} cannot be used: ${message}`, {
      cause: error,
    });
  }
}
