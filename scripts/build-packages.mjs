// Builds the packages that are published, as JavaScript with type declarations: node scripts/build-packages.mjs [FOLDER]
// Inside the workspace they are TypeScript that Node runs as it is, which Node refuses to do inside node_modules.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const out = resolve(root, process.argv[2] ?? 'dist');
const require = createRequire(import.meta.url);
const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');

// In the order of their dependencies: each compiles against the declarations of those before it.
const built = {};
for (const name of ['contract', 'sdk']) {
  const source = join(root, 'packages', name);
  const target = join(out, name);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  compile(source, target);
  writeManifest(source, target);
  for (const file of [join(source, 'README.md'), join(root, 'LICENSE')]) if (existsSync(file)) cpSync(file, join(target, file.slice(dirname(file).length + 1)));
  built[`@helioport/${name}`] = [join(target, 'index.d.ts')];
}

function compile(source, target) {
  const settings = join(target, 'tsconfig.json');
  const base = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')).compilerOptions;
  const compilerOptions = {
    ...base,
    // What Node 20 has.
    target: 'es2023',
    lib: ['es2023', 'es2024.string'],
    noEmit: false,
    allowImportingTsExtensions: false,
    rewriteRelativeImportExtensions: true,
    declaration: true,
    rootDir: join(source, 'src'),
    outDir: target,
    typeRoots: [join(root, 'node_modules/@types')],
    paths: built,
  };
  writeFileSync(settings, JSON.stringify({ compilerOptions, include: [join(source, 'src')] }));
  execFileSync(process.execPath, [compiler, '-p', settings], { stdio: 'inherit' });
  rmSync(settings);
}

function writeManifest(source, target) {
  const { name, version, description, license, type, engines, dependencies } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  const exports = { '.': { types: './index.d.ts', default: './index.js' } };
  const manifest = { name, version, description, license, type, sideEffects: false, exports, files: ['**/*.js', '**/*.d.ts'], engines, dependencies };
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
