/** What a folder may import beside itself. Read by oxlint.config.ts and by test/architecture.test.ts. */
export interface Layer {
  /** Folders, from the root of the repository. */
  readonly imports: readonly string[];
  /** Folders of which only types may be imported. */
  readonly types: readonly string[];
}

const server = (name: string): string => `packages/server/src/${name}`;

const CONTRACT = 'packages/contract/src';
const SDK = 'packages/sdk/src';
const SIMULATOR = 'packages/simulator/src';
const KERNEL = server('kernel');
const CONFIG = server('config');
const STORAGE = server('storage');
const OPERATIONS = server('operations');
const EDGES_HTTP = server('edges/http');

/** Features, lowest first: each may import those before it. */
const FEATURES = ['events', 'jobs', 'accounts', 'plants', 'oauth', 'devices', 'telemetry', 'alarms', 'control', 'forwarding'].map(server);

const EDGES = ['edges/ops', 'edges/user-api', 'edges/oauth-api', 'edges/authorization', 'edges/portal-api', 'edges/gateway'].map(server);

const layer = (imports: readonly string[], types: readonly string[] = []): Layer => ({ imports, types });

/** Every folder with sources that others must not reach into at will. Files beside them (app.ts) may import everything. */
export const layers: Readonly<Record<string, Layer>> = {
  [CONTRACT]: layer([]),
  [SDK]: layer([CONTRACT]),
  [SIMULATOR]: layer([CONTRACT, SDK]),
  [KERNEL]: layer([CONTRACT]),
  [CONFIG]: layer([CONTRACT, KERNEL]),
  [STORAGE]: layer([KERNEL, CONTRACT], [CONFIG]),
  ...Object.fromEntries(FEATURES.map((feature, i) => [feature, layer([CONTRACT, KERNEL, STORAGE, ...FEATURES.slice(0, i)], [CONFIG])])),
  [OPERATIONS]: layer([CONTRACT, KERNEL, ...FEATURES], [STORAGE]),
  [EDGES_HTTP]: layer([CONTRACT, KERNEL, OPERATIONS, ...FEATURES], [STORAGE, CONFIG]),
  ...Object.fromEntries(EDGES.map((edge) => [edge, layer([CONTRACT, KERNEL, OPERATIONS, ...FEATURES, EDGES_HTTP], [STORAGE, CONFIG])])),
  // `helioport verify` looks at a request with the signed interface's own checks.
  [server('cli')]: layer([server('app.ts'), CONTRACT, SDK, SIMULATOR, KERNEL, CONFIG, STORAGE, ...FEATURES, EDGES_HTTP, server('edges/user-api')]),
};

/** Packages that only some folders may import. */
export const packageRooms: Readonly<Record<string, readonly string[]>> = {
  fastify: [server('edges')],
  kysely: [STORAGE, ...FEATURES, server('cli'), server('app.ts')],
  pg: [STORAGE],
  commander: [server('cli')],
  'prom-client': [server('edges'), server('app.ts'), server('oauth-listener.ts')],
};

/** Workspace packages by the name that imports use. */
export const workspaces: Readonly<Record<string, string>> = {
  '@helioport/contract': CONTRACT,
  '@helioport/sdk': SDK,
  '@helioport/simulator': SIMULATOR,
  '@helioport/server': 'packages/server/src',
};
