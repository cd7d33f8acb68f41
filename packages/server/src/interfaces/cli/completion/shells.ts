import type { DescribedCommand, DescribedOption, CompletedValues } from './described.ts';

type Commands = readonly DescribedCommand[];

const words = (all: readonly string[]): string => all.join(' ');
const nameOf = ({ path }: DescribedCommand): string => `"${path}"`;

/** The words that lead from one command to another, for a shell's `case`. */
const steps = (commands: Commands): string =>
  commands
    .filter(({ path }) => path !== '')
    .map(({ path }) => {
      const at = path.lastIndexOf(' ');
      return `"${path.slice(0, Math.max(0, at))}|${path.slice(at + 1)}"`;
    })
    .join('|');

const takingValues = (commands: Commands): string[] => [
  ...new Set(
    commands.flatMap(({ options }) => options.filter(({ values }) => values).map((o) => o.long)),
  ),
];

/** Finds the command that has been typed, in `at`, among the words before the one that is completed. Works in bash and zsh. */
const walk = (commands: Commands, typed: string): string => `  local at="" skip="" word
  for word in ${typed}; do
    if [ -n "$skip" ]; then skip=""; continue; fi
    case "$word" in
      ${takingValues(commands).join('|')}) skip=1; continue ;;
      -*) continue ;;
    esac
    case "$at|$word" in
      ${steps(commands)}) at="\${at:+$at }$word" ;;
    esac
  done`;

/** What follows each option that takes a value, for the `case` of bash and zsh. */
const valueCases = (commands: Commands, complete: (values: CompletedValues) => string): string =>
  commands
    .flatMap(({ path, options }) =>
      options
        .filter(({ values }) => values)
        .map(({ long, values }) => `    "${path}|${long}") ${complete(values!)}; return ;;`),
    )
    .join('\n');

const inBash = (values: CompletedValues): string =>
  typeof values === 'string'
    ? values === 'file'
      ? 'COMPREPLY=($(compgen -f -- "$current"))'
      : ':'
    : `COMPREPLY=($(compgen -W "${words(values)}" -- "$current"))`;

/** Works in bash 3.2 too. */
export const bashScript = (commands: Commands): string => `# bash completion for helioport
_helioport() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
${walk(commands, '"${COMP_WORDS[@]:1:COMP_CWORD-1}"')}
  case "$at|$previous" in
${valueCases(commands, inBash)}
  esac
  case "$at" in
${commands
  .map((command) => {
    const options = command.options.map(({ long }) => long);
    const names = command.commands.map(({ name }) => name);
    const rest = names.length > 0 ? inBash(names) : inBash(command.values);
    return `    ${nameOf(command)}) case "$current" in -*) ${inBash(options)} ;; *) ${rest} ;; esac ;;`;
  })
  .join('\n')}
  esac
}
complete -o filenames -F _helioport helioport
`;

const inZsh = (values: CompletedValues): string =>
  typeof values === 'string'
    ? values === 'file'
      ? '_files'
      : '_message value'
    : `compadd -- ${words(values)}`;

const described = (entries: readonly { name: string; description: string }[]): string =>
  entries
    .map(({ name, description }) => `'${name.replaceAll(':', '\\:')}:${description}'`)
    .join(' ');

export const zshScript = (commands: Commands): string => `#compdef helioport
_helioport() {
  local current="$words[CURRENT]" previous="$words[CURRENT-1]"
  local -a entries
${walk(commands, '"${(@)words[2,CURRENT-1]}"')}
  case "$at|$previous" in
${valueCases(commands, inZsh)}
  esac
  case "$at" in
${commands
  .map((command) => {
    const options = command.options.map(({ long, description }) => ({ name: long, description }));
    const rest =
      command.commands.length > 0
        ? `entries=(${described(command.commands)}); _describe command entries`
        : inZsh(command.values);
    return `    ${nameOf(command)}) if [[ "$current" == -* ]]; then entries=(${described(options)}); _describe option entries; else ${rest}; fi ;;`;
  })
  .join('\n')}
  esac
}
# Read by compinit, or sourced.
if [ "$funcstack[1]" = "_helioport" ]; then _helioport "$@"; else compdef _helioport helioport; fi
`;

const fishOption = (path: string, { long, description, values }: DescribedOption): string => {
  const value =
    values === undefined
      ? ''
      : typeof values === 'string'
        ? values === 'file'
          ? ' -r -F'
          : ' -x'
        : ` -x -a '${words(values)}'`;
  return `complete -c helioport -n '__helioport_at "${path}"' -l ${long.slice(2)}${value} -d '${description}'`;
};

export const fishScript = (commands: Commands): string => `# fish completion for helioport
function __helioport_at
  set -l path ''
  set -l skip ''
  for word in (commandline -opc)[2..-1]
    if test -n "$skip"
      set skip ''
      continue
    end
    switch $word
      case ${words(takingValues(commands))}
        set skip 1
        continue
      case '-*'
        continue
    end
    switch "$path|$word"
      case ${steps(commands).replaceAll('"|"', '" "')}
        set path (string trim "$path $word")
    end
  end
  test "$path" = "$argv[1]"
end
complete -c helioport -f
${commands
  .flatMap((command) => [
    ...command.commands.map(
      ({ name, description }) =>
        `complete -c helioport -n '__helioport_at ${nameOf(command)}' -a ${name} -d '${description}'`,
    ),
    ...command.options.map((option) => fishOption(command.path, option)),
    ...(command.values === 'file'
      ? [`complete -c helioport -n '__helioport_at ${nameOf(command)}' -F`]
      : typeof command.values === 'string'
        ? []
        : [
            `complete -c helioport -n '__helioport_at ${nameOf(command)}' -a '${words(command.values)}'`,
          ]),
  ])
  .join('\n')}
`;
