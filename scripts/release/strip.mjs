import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, posix, relative, sep } from 'node:path';

// A specifier of an import at the beginning of a statement, of a dynamic import, or of a file beside the module.
const SPECIFIER =
  /(?<=^(?:import|export|\})[^'"`;]*?\bfrom |^import |\bimport\(\s*|\bnew URL\(\s*)'([^'\n]+)'/gm;

/**
 * Copies the sources of a package as JavaScript: types are blanked out, so that lines and columns stay, and other packages of the
 * workspace are imported by relative path. Node refuses to strip types below node_modules.
 * @param modules the file in `packages/` of each module that workspace packages export, by its name
 */
export function stripPackage(from, to, modules) {
  const source = join(from, 'src');
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name === 'README.md') continue;
    const file = join(entry.parentPath, entry.name);
    const target = join(to, 'src', relative(source, file)).replace(/\.ts$/, '.js');
    mkdirSync(dirname(target), { recursive: true });
    if (file.endsWith('.ts')) writeFileSync(target, strip(file, target, to, modules));
    else copyFileSync(file, target);
  }
}

function strip(file, target, to, modules) {
  const linked = (whole, specifier) => {
    if (specifier.startsWith('@helioport/')) {
      const module = modules.get(specifier);
      if (module === undefined) throw new Error(`${file}: no package exports ${specifier}`);
      const path = relative(dirname(target), join(to, '..', module))
        .split(sep)
        .join(posix.sep);
      return `'${path.startsWith('.') ? path : `./${path}`}'`;
    }
    return specifier.endsWith('.ts') ? whole.replace(/\.ts'$/, ".js'") : whole;
  };
  return stripTypeScriptTypes(readFileSync(file, 'utf8')).replace(SPECIFIER, linked);
}

/** Fails if a file below a folder imports a file that is not there, or starts a thread from one. */
export function checkLinks(folder) {
  const broken = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js') && !name.includes('dist'))
    .flatMap((name) =>
      [...readFileSync(join(folder, name), 'utf8').matchAll(SPECIFIER)]
        .map(([, specifier]) => specifier)
        .filter((specifier) => /^\.\.?\/.*\.(js|ts)$/.test(specifier))
        .filter((specifier) => !existsSync(join(folder, dirname(name), specifier)))
        .map((specifier) => `${name}: ${specifier}`),
    );
  if (broken.length > 0) throw new Error(`imports lead nowhere: ${broken.join(', ')}`);
}
