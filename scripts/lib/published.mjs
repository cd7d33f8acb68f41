import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix, relative, sep } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { SetupFault } from './run.mjs';

// In the workspace, Node runs the packages' TypeScript directly, which it refuses to do inside node_modules. So a packed file contains
// JavaScript with declarations instead, including those workspace packages that it imports: only one file has to be installed.

const root = fileURLToPath(new URL('../..', import.meta.url));
const sourceOf = (name) => join(root, 'packages', name.replace('@helioport/', ''));
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Names of the packages that are published. */
export const publishedPackages = () =>
  readJson(join(root, 'package.json'))
    .workspaces.map((folder) => readJson(join(root, folder, 'package.json')))
    .filter((manifest) => manifest.private !== true)
    .map(({ name }) => name);

/** Where the manifest of the sources is kept while the published one replaces it. */
const kept = (folder) => join(folder, 'dist', '.sources.json');

/** npm's prepack: builds the package in `folder` into its dist, and replaces its manifest with the published one. */
export function prepare(folder) {
  restore(folder);
  const manifest = readJson(join(folder, 'package.json'));
  const { paths, others } = build(folder, join(folder, 'dist'));
  link(join(folder, 'dist'), paths);
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  copyFileSync(join(folder, 'package.json'), kept(folder));
  // Last and in one step, so that a failed build changes nothing.
  const aside = join(folder, 'dist', '.published.json');
  writeFileSync(aside, `${JSON.stringify(publishedManifest(manifest, others), null, 2)}\n`);
  renameSync(aside, join(folder, 'package.json'));
}

/** npm's postpack: undoes `prepare`, even one that was killed. */
export function restore(folder) {
  if (existsSync(kept(folder))) renameSync(kept(folder), join(folder, 'package.json'));
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  rmSync(join(folder, 'LICENSE'), { force: true });
}

/** Compiles a package into `target`, and what it imports of other workspace packages into folders there. Returns the declarations of each of those modules, and its other dependencies. */
function build(folder, target) {
  const { exports, bin = {}, dependencies = {} } = readJson(join(folder, 'package.json'));
  const inside = Object.keys(dependencies).filter((name) => name.startsWith('@helioport/'));
  const imported = importsOf([folder, ...inside.map(sourceOf)]);
  const paths = {};
  const needed = { ...dependencies };
  // In the order of their names, which happens to be that in which they import one another.
  for (const name of inside) {
    const source = sourceOf(name);
    const place = join(target, name.replace('@helioport/', ''));
    const manifest = readJson(join(source, 'package.json'));
    const modules = Object.entries(manifest.exports)
      .map(([path, file]) => [posix.join(name, path), file])
      .filter(([module]) => imported.has(module));
    compile(
      source,
      place,
      modules.map(([, file]) => file),
      paths,
    );
    copyData(source, place);
    for (const [module, file] of modules)
      paths[module] = [join(place, file.replace('./src/', '').replace(/\.ts$/, '.d.ts'))];
    Object.assign(needed, manifest.dependencies);
  }
  compile(folder, target, [...Object.values(exports), ...Object.values(bin)], paths);
  return {
    paths,
    others: Object.fromEntries(
      Object.entries(needed)
        .filter(([name]) => !name.startsWith('@helioport/'))
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ),
  };
}

/** The modules of the workspace that the sources of packages import, such as `@helioport/contract/money`. */
const importsOf = (folders) =>
  new Set(
    folders
      .flatMap((folder) => filesIn(join(folder, 'src'), /\.ts$/))
      .flatMap((file) => readFileSync(file, 'utf8').match(/(?<=')@helioport\/[^']+(?=')/g) ?? []),
  );

/** Paths of the files below a folder whose names match. */
const filesIn = (folder, names) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => names.test(name))
    .map((name) => join(folder, name));

/** Copies what the sources read beside themselves. JSON is YAML as well, and takes a fraction of the memory to read. */
function copyData(source, target) {
  for (const file of filesIn(join(source, 'src'), /\.(yaml|json)$/)) {
    const copy = join(target, relative(join(source, 'src'), file));
    mkdirSync(dirname(copy), { recursive: true });
    if (file.endsWith('.json')) copyFileSync(file, copy);
    else writeFileSync(copy, JSON.stringify(readYaml(file)));
  }
}

const readYaml = (file) =>
  createRequire(join(sourceOf('@helioport/devices'), 'package.json'))('yaml').parse(
    readFileSync(file, 'utf8'),
  );

function compile(source, target, entries, paths) {
  mkdirSync(target, { recursive: true });
  const settings = join(target, 'tsconfig.json');
  const compilerOptions = {
    ...readJson(join(root, 'tsconfig.json')).compilerOptions,
    // What Node 20 supports.
    target: 'es2023',
    lib: ['es2023', 'es2024.string'],
    noEmit: false,
    allowImportingTsExtensions: false,
    rewriteRelativeImportExtensions: true,
    declaration: true,
    rootDir: join(source, 'src'),
    outDir: target,
    typeRoots: [join(root, 'node_modules/@types')],
    paths,
  };
  writeFileSync(
    settings,
    JSON.stringify({ compilerOptions, files: entries.map((file) => join(source, file)) }),
  );
  execFileSync(process.execPath, [compiler(), '-p', settings], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  rmSync(settings);
}

function compiler() {
  try {
    return join(
      dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
      'bin',
      'tsc',
    );
  } catch {
    throw new SetupFault('the packages are not installed: run npm ci --ignore-scripts first');
  }
}

/** Makes the files in `target` import the modules there by relative path. */
function link(target, paths) {
  for (const file of filesIn(target, /\.(js|d\.ts)$/)) {
    const text = readFileSync(file, 'utf8');
    const linked = Object.entries(paths).reduce((whole, [module, [types]]) => {
      const place = relative(dirname(file), types.replace(/\.d\.ts$/, '.js'))
        .split(sep)
        .join(posix.sep);
      return whole
        .replaceAll(`'${module}'`, `'./${place}'`)
        .replaceAll(`"${module}"`, `"./${place}"`);
    }, text);
    if (linked !== text) writeFileSync(file, linked);
  }
}

function publishedManifest(
  { name, version, description, license, type, engines, scripts, sideEffects, exports, bin },
  dependencies,
) {
  const built = (file) => file.replace('./src/', './dist/').replace(/\.ts$/, '');
  return {
    name,
    version,
    description,
    license,
    type,
    sideEffects,
    exports: Object.fromEntries(
      Object.entries(exports).map(([path, file]) => [
        path,
        { types: `${built(file)}.d.ts`, default: `${built(file)}.js` },
      ]),
    ),
    ...(bin && {
      bin: Object.fromEntries(
        Object.entries(bin).map(([command, file]) => [command, `${built(file)}.js`]),
      ),
    }),
    files: ['dist/**/*.js', 'dist/**/*.d.ts', 'dist/*/**/*.{json,yaml}'],
    // So that packing works again if this manifest was left behind.
    scripts,
    engines,
    dependencies,
  };
}
