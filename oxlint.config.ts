import { defineConfig, type OxlintOverride } from 'oxlint';
import { layers, packageRooms, workspaces, type Layer } from './lint/layers.ts';

const SERVER = 'packages/server/src/';
const serverFolders = Object.keys(layers).filter((folder) => folder.startsWith(SERVER));

/** Import rules of one folder as editors see them; test/architecture.test.ts resolves every import and is the judge. */
function importRules(folder: string, { imports, types }: Layer): OxlintOverride {
  const isWithin = (outer: string): boolean => folder === outer || folder.startsWith(`${outer}/`);
  // In other packages, folders with these names are others.
  const patterns = (folder.startsWith(SERVER) ? serverFolders : [])
    .filter((other) => other !== folder && !imports.includes(other))
    .map((other) => {
      // Single files of a folder that may be imported all the same.
      const files = imports
        .filter((allowed) => allowed.startsWith(`${other}/`))
        .map((allowed) => `(?!${allowed.slice(other.length + 1).replaceAll('.', '\\.')}$)`);
      return {
        regex: `^\\.\\./.*\\b${other.slice(other.lastIndexOf('/') + 1)}/${files.join('')}`,
        allowTypeImports: types.includes(other),
        message: 'see lint/layers.ts',
      };
    });
  const rooms = Object.entries(packageRooms).filter(([, folders]) => !folders.some(isWithin));
  const packages = Object.entries(workspaces).filter(([, source]) => !imports.includes(source));
  const paths = [
    ...rooms.map(([name]) => ({ name, message: 'see lint/layers.ts' })),
    ...packages.map(([name, source]) => ({
      name,
      allowTypeImports: types.includes(source),
      message: 'see lint/layers.ts',
    })),
  ];
  return {
    files: [`${folder}/**/*.{ts,tsx}`],
    rules: { 'no-restricted-imports': ['error', { patterns, paths }] },
  };
}

export default defineConfig({
  plugins: ['typescript', 'import', 'unicorn', 'oxc', 'promise', 'node', 'vitest'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  options: { typeAware: true },
  env: { node: true, es2024: true },
  ignorePatterns: ['dist/', 'coverage/'],
  rules: {
    'import/no-cycle': 'error',
    'no-unused-vars': [
      'error',
      { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
    ],
    'no-restricted-properties': [
      'error',
      { object: 'Date', property: 'now', message: 'Ask an injected Clock (kernel/clock.ts).' },
    ],
    'typescript/consistent-type-imports': 'error',
    'typescript/no-explicit-any': 'off',
    // Steps that follow one another are what most of our loops with await are for.
    'no-await-in-loop': 'off',
    // Rows of JSON columns and drivers' untyped answers get their type at one named place.
    'typescript/no-unsafe-type-assertion': 'off',
    // Functions stand beside their only use.
    'unicorn/consistent-function-scoping': 'off',
    // Our interfaces hold plain functions; none reads `this`.
    'typescript/unbound-method': 'off',
    // `[...text]` is how a text is taken apart into whole characters.
    'typescript/no-misused-spread': 'off',
    // pg is a CommonJS package whose names are properties of its default export.
    'import/no-named-as-default-member': 'off',
    // Objects are built once here, not in hot loops; the spread says what is added.
    'oxc/no-map-spread': 'off',
    // Control characters are exactly what the contract's patterns look for.
    'no-control-regex': 'off',
    // Lists of two or three names stay lists.
    'unicorn/prefer-set-has': 'off',
    'promise/always-return': 'off',
    'typescript/consistent-return': 'off',
  },
  overrides: [
    // What runs in a reader's browser.
    {
      files: ['packages/portal/src/**'],
      plugins: ['typescript', 'import', 'unicorn', 'oxc', 'promise', 'react', 'jsx-a11y'],
      env: { browser: true, node: false, serviceworker: true },
      rules: {
        // Compiled without it.
        'react/react-in-jsx-scope': 'off',
        // Cells of tables are functions of their rows, not components.
        'react/no-unstable-nested-components': 'off',
        // `output` is for the results of forms.
        'jsx-a11y/prefer-tag-over-role': 'off',
        // Styles come with the module that needs them.
        'import/no-unassigned-import': ['error', { allow: ['**/*.css', '**/mantine-styles.ts'] }],
      },
    },
    {
      files: [
        'packages/reference/src/*.js',
        'packages/server/src/interfaces/edges/authorization/pages/pages.js',
      ],
      env: { browser: true, node: false },
    },
    ...Object.entries(layers).map(([folder, layer]) => importRules(folder, layer)),
    {
      // What decides about deliveries stands in transitions (delivery/machine.ts), not in long closures.
      files: ['packages/server/src/outbound/**'],
      rules: { 'max-lines-per-function': ['error', { max: 80 }] },
    },
    {
      files: [
        'packages/portal/src/wire/server-clock.ts',
        'packages/server/src/platform/kernel/clock.ts',
        'packages/sdk/src/clock.ts',
        'packages/collector/src/clock.ts',
        'test/**',
        'benchmarks/**',
        'scripts/**',
      ],
      rules: { 'no-restricted-properties': 'off' },
    },
    {
      files: ['test/**'],
      rules: {
        // A second argument says which of several cases failed.
        'vitest/valid-expect': ['error', { maxArgs: 2 }],
        // Suites have helpers that hold the assertions, and hooks that expect their set-up to work.
        'vitest/expect-expect': 'off',
        'vitest/no-conditional-expect': 'off',
        'vitest/no-standalone-expect': 'off',
        'vitest/require-mock-type-parameters': 'off',
      },
    },
  ],
});
