import type { Argument, Command, Option } from 'commander';

/** What can be typed as a value: one of some words, the name of a file or folder, or anything. */
export type CompletedValues = readonly string[] | 'file' | 'anything';

export interface DescribedOption {
  readonly long: string;
  readonly description: string;
  /** Undefined if the option takes no value. */
  readonly values?: CompletedValues;
}

/** A command as shells complete it. */
export interface DescribedCommand {
  /** The names that lead to it, such as `plant add`; empty for the program. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly DescribedOption[];
  /** Of its first argument; the others rarely are files or choices. */
  readonly values: CompletedValues;
}

/** All commands of a program, as they declare themselves. */
export const describedCommands = (program: Command): DescribedCommand[] => describe(program, '');

function describe(command: Command, path: string): DescribedCommand[] {
  const shown = command.createHelp();
  const commands = shown.visibleCommands(command).filter((one) => one.name() !== 'help');
  const options = [...shown.visibleOptions(command), ...shown.visibleGlobalOptions(command)];
  const [first] = command.registeredArguments;
  return [
    {
      path,
      commands: commands.map((one) => ({
        name: one.name(),
        description: brief(one.description()),
      })),
      options: options.filter(({ long }) => long).map(describeOption),
      values: first ? valuesOf(first, first.name()) : 'anything',
    },
    ...commands.flatMap((one) => describe(one, `${path} ${one.name()}`.trim())),
  ];
}

const describeOption = (option: Option): DescribedOption => ({
  long: option.long!,
  description: brief(option.description),
  ...((option.required || option.optional) && {
    values: valuesOf(option, /<([^<>]*)>/.exec(option.flags)?.[1] ?? ''),
  }),
});

const valuesOf = ({ argChoices }: Option | Argument, name: string): CompletedValues =>
  argChoices ?? (/^(file|folder)$/.test(name) ? 'file' : 'anything');

/** The beginning of a description, without what shells would have to quote. */
const brief = (text: string): string =>
  text
    .split(/[;:(]/)[0]!
    .replaceAll(/[`'"\\$[\]]/g, '')
    .trim();
