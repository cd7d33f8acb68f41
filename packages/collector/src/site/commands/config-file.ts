import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { ConfigFault } from '../config/config-fault.ts';
import { readConfig } from '../config/read-config.ts';
import type { SiteConfig } from '../config/site-config.ts';
import { CommandFault, type CommandContext } from './surroundings.ts';

/** The file that `--file` names. Throws CommandFault with all of its faults. */
export function loadConfig(context: CommandContext): SiteConfig {
  const path = context.path(String(context.options['file'] ?? 'collect.yaml'));
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
    const config = readConfig(text, path);
    return config;
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    const name = relative(context.folder, path);
    throw new CommandFault(error.faults.map((fault) => fault.replace(path, name)).join('\n'));
  }
}
