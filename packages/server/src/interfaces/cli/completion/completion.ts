import { Argument } from 'commander';
import type { RegisterCommand } from '../context.ts';
import { describedCommands } from './described.ts';
import { bashScript, fishScript, zshScript } from './shells.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
type Shell = keyof typeof SCRIPTS;

/** `helioport completion SHELL`: the script by which a shell completes commands, options and their values. */
export const registerCompletion: RegisterCommand = (program, context) => {
  program
    .command('completion')
    .description(
      'print the script that completes commands in a shell: put `source <(helioport completion bash)` into ~/.bashrc, the same with zsh into ~/.zshrc, or the script for fish into ~/.config/fish/completions/helioport.fish',
    )
    .addArgument(new Argument('<shell>', 'shell').choices(Object.keys(SCRIPTS)))
    .action(async (shell: Shell) => {
      const { loadProgram } = await import('../main.ts');
      const script = SCRIPTS[shell](describedCommands(await loadProgram()));
      context.print({ shell, script }, script.trimEnd());
    });
};
