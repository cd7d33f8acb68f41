import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The section of CHANGELOG.md about a version. */
export function changesOf(root, version) {
  const sections = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^(?=## )/m);
  const section = sections.find((text) => text.startsWith(`## ${version}`));
  if (section === undefined) throw new Error(`CHANGELOG.md says nothing of ${version}`);
  return `${section.trim()}\n`;
}
