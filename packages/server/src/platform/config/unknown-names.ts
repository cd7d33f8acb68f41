import { fileNameOf } from './secret-files.ts';
import { clientNames, environmentName, settings } from './schema.ts';

type Values = Readonly<Record<string, string | undefined>>;

const SETTINGS = Object.entries(settings).flatMap(([name, { secret }]) =>
  secret ? [environmentName(name), fileNameOf(environmentName(name))] : environmentName(name),
);
const CLIENT_NAMES = Object.keys(clientNames);

/** A `HELIOPORT_` name that nothing reads, and the known name that it resembles. */
export interface UnknownName {
  readonly name: string;
  readonly meant: string | undefined;
}

/** Names in a settings file that are not those of any setting. */
export const unknownInFile = (values: Values): UnknownName[] =>
  unknown(Object.keys(values), SETTINGS);

/** Names in the environment that nothing reads; excludes those of client commands, and those that container platforms set for a service named like ours. */
export const unknownInEnvironment = (values: Values): UnknownName[] =>
  unknown(
    Object.keys(values).filter((name) => !isServiceLink(name, values[name])),
    [...SETTINGS, ...CLIENT_NAMES],
  );

/** The message about an unknown name. */
export const unknownText = ({ name, meant }: UnknownName, source: string): string =>
  `${name}: no such setting (in ${source})${meant === undefined ? '' : `; did you mean ${meant}?`}`;

function unknown(names: readonly string[], known: readonly string[]): UnknownName[] {
  const strange = names.filter((name) => name.startsWith('HELIOPORT_') && !known.includes(name));
  return strange.map((name) => ({ name, meant: nearest(name, known) }));
}

// For a service with our name, Kubernetes sets variables with our prefix, which end in _SERVICE_HOST, for example.
// https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
const isServiceLink = (name: string, value = ''): boolean =>
  /_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_(TCP|UDP)/.test(name) || /^(tcp|udp):\/\//.test(value);

/** A name with more wrong letters than this is not considered a misspelling. */
const MISTAKES_AT_MOST = 4;

/** The known names that were probably meant: usually one, or several if the given name is an ending that they share. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const longer = known.filter((candidate) => candidate.startsWith(`${name}_`));
  const ending = known.filter((candidate) => candidate.endsWith(name.slice('HELIOPORT'.length)));
  if (longer.length === 0 && ending.length > 0)
    return ending.join(', ').replace(/, (?=[^,]*$)/, ' or ');
  const ranked = known
    .map((candidate) => ({ candidate, mistakes: mistakesBetween(name, candidate) }))
    .toSorted((a, b) => a.mistakes - b.mistakes);
  return ranked[0] && ranked[0].mistakes <= MISTAKES_AT_MOST ? ranked[0].candidate : undefined;
}

/** Number of letters to add, remove or replace to turn one name into the other. */
function mistakesBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++)
      next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (letter === b[j] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}
