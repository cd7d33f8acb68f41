import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const PACKAGE = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/** Writes which packages are in the app, whose licenses a release has to name. Dotted, since it is no file of the app. */
export const bundled = (): Plugin => {
  const names = new Set<string>();
  return {
    name: 'bundled',
    apply: 'build',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk')
          for (const id of chunk.moduleIds) {
            const [, name] = PACKAGE.exec(id.replaceAll('\\', '/')) ?? [];
            if (name !== undefined) names.add(name);
          }
    },
    writeBundle({ dir }) {
      const list = [...names].toSorted().join('\n');
      writeFileSync(join(dir!, '.bundled'), `${list}\n`);
    },
  };
};
