import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { ConfigFault } from '../config/config-fault.ts';
import { readConfig } from '../config/read-config.ts';
import type { SiteConfig } from '../config/site-config.ts';
import { CommandFault, type CommandContext } from './surroundings.ts';

/** The path of the file that `--file` names. */
export const configPath = ({ path, options }: CommandContext): string =>
  path(String(options['file'] ?? 'collect.yaml'));

/** The contents of the file. Throws CommandFault with all of its faults. */
export function loadConfig(context: CommandContext): SiteConfig {
  const path = configPath(context);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandFault(
      code === 'ENOENT'
        ? `there is no ${path}: discover --write --gateway ADDRESS makes one of what it finds`
        : `${path} cannot be read: ${code}`,
      { cause: error },
    );
  }
  try {
    return readConfig(text, path);
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    const name = relative(context.folder, path);
    throw new CommandFault(error.faults.map((fault) => fault.replace(path, name)).join('\n'));
  }
}
