import { createHash } from 'node:crypto';
import { run } from '../lib/run.mjs';

/** The software bill of materials, in CycloneDX as npm writes it, of the packages that are in a release. */
export async function sbomOf(root, packages, { version, epochSeconds }) {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--loglevel=error'];
  const { code, output } = await run('npm', [...args, `--prefix=${root}`], {
    limitSeconds: 120,
    capture: true,
  });
  if (code !== 0) throw new Error(`npm sbom ended with ${code}: ${output.slice(-500)}`);
  const whole = JSON.parse(output.slice(output.indexOf('{')));
  const wanted = new Set(packages.map((one) => `${one.name}@${one.version}`));
  const seen = new Set();
  const components = whole.components
    .filter((one) => wanted.has(refOf(one)) && !seen.has(refOf(one)) && seen.add(refOf(one)))
    .map((one) => ({ ...one, 'bom-ref': refOf(one), properties: undefined, scope: 'required' }))
    .toSorted((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1));
  const missing = [...wanted].filter((name) => !seen.has(name));
  if (missing.length > 0) throw new Error(`npm sbom does not know ${missing.join(', ')}`);
  const own = {
    type: 'application',
    'bom-ref': `helioport@${version}`,
    name: 'helioport',
    version,
  };
  const digest = createHash('sha256').update(JSON.stringify(components)).digest('hex');
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${asUuid(digest)}`,
    version: 1,
    metadata: {
      timestamp: new Date(epochSeconds * 1000).toISOString(),
      tools: whole.metadata.tools,
      component: { ...own, purl: `pkg:npm/helioport@${version}` },
    },
    components,
    dependencies: whole.dependencies
      .filter(({ ref }) => seen.has(ref))
      .map(({ ref, dependsOn }) => ({
        ref,
        dependsOn: dependsOn.filter((name) => seen.has(name)).toSorted(),
      }))
      .toSorted((a, b) => (a.ref < b.ref ? -1 : 1)),
  };
}

const refOf = ({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`;

/** A UUID of version 8 (RFC 9562), whose bits are those of a digest. */
const asUuid = (hex) =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
