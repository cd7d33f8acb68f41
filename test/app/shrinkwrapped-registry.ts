import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A registry on loopback that has one package, from a file, as if it were published; for all others it sends npm to the registry of this machine.
 * Only of a package from a registry does npm heed the list of versions that it brings.
 */
export async function registryWith(
  file: string,
): Promise<{ readonly address: string; close(): void }> {
  const packed = readFileSync(file);
  const manifest = JSON.parse(
    execFileSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' }),
  ) as { name: string; version: string };
  const { name, version } = manifest;
  const real = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  const integrity = `sha512-${createHash('sha512').update(packed).digest('base64')}`;
  const server = createServer(({ url = '' }, response) => {
    const tarball = `http://${address()}/${name}.tgz`;
    if (url === `/${name}.tgz`) response.end(packed);
    else if (url === `/${name}`)
      response.setHeader('Content-Type', 'application/json').end(
        JSON.stringify({
          name,
          'dist-tags': { latest: version },
          versions: {
            [version]: { ...manifest, _hasShrinkwrap: true, dist: { tarball, integrity } },
          },
        }),
      );
    else response.writeHead(302, { Location: new URL(url.slice(1), real).href }).end();
  });
  const address = (): string => `127.0.0.1:${(server.address() as AddressInfo).port}`;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { address: `http://${address()}/`, close: () => void server.close() };
}
