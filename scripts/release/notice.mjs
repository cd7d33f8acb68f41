import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LICENSE_FILE = /^(licen[cs]e|copying|notice)(\W.*)?$/i;

/** The text of NOTICE: every package of others that is in a release, with its license. */
export function noticeOf(root, packages) {
  const sections = packages.map(({ place, name, version, license }) => {
    const title = `${name} ${version} (${license ?? 'license in its files'})`;
    return [title, '-'.repeat(title.length), ...textsOf(join(root, place))].join('\n');
  });
  return [
    'Helioport',
    'A release contains the following software of others, each under its own license.',
    ...sections,
  ]
    .join('\n\n')
    .concat('\n');
}

const textsOf = (folder) =>
  readdirSync(folder)
    .filter((name) => LICENSE_FILE.test(name) && !/\.(js|ts)$/.test(name))
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r', '').trim());
