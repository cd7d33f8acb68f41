import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createInstallation, type Installation } from '../support/command.ts';
import { serve, type ServerProcess } from '../support/server-process.ts';

let home: Installation;
let server: ServerProcess | undefined;
beforeEach(() => {
  home = createInstallation();
});
afterEach(async () => {
  server?.kill('SIGKILL');
  await server?.ended;
  home.remove();
});

const statusOf = (address: string, path: string): Promise<number | 'closed'> =>
  fetch(address + path, { headers: { Connection: 'close' } }).then(
    ({ status }) => status,
    () => 'closed' as const,
  );

describe('a server that is asked to stop', () => {
  test('says that it is not ready and goes on answering for the time of grace, so that a load balancer loses no request', async () => {
    server = serve(home.folder, { HELIOPORT_STOP_GRACE: '2s', HELIOPORT_ROLES: 'gateway' });
    const { gateway, ops } = await server.started;
    const seen = { ready: 0, afterReady: 0 };
    const begunAt = performance.now();
    server.kill('SIGTERM');
    // As a load balancer: until it has asked whether the instance is ready, and heard that it is not, requests still come.
    for (;;) {
      const answered = await statusOf(gateway!, '/healthz');
      if (answered === 'closed') break;
      expect(answered).toBe(200);
      if ((await statusOf(ops!, '/readyz')) === 200) seen.ready += 1;
      else seen.afterReady += 1;
    }
    const closedMs = performance.now() - begunAt;
    expect(seen.afterReady).toBeGreaterThan(0);
    expect(closedMs).toBeGreaterThan(1_900);
    expect(await server.ended).toEqual({ code: 0, signal: null });
  });

  test('closes at once where no time of grace is set, and when it could not start', async () => {
    server = serve(home.folder, { HELIOPORT_ROLES: 'gateway' });
    const { gateway } = await server.started;
    const begunAt = performance.now();
    server.kill('SIGTERM');
    await expect.poll(() => statusOf(gateway!, '/healthz')).toBe('closed');
    expect(performance.now() - begunAt).toBeLessThan(1_500);
    await server.ended;

    const failing = serve(home.folder, {
      HELIOPORT_STOP_GRACE: '600s',
      HELIOPORT_HOST: '192.0.2.1',
    });
    expect((await failing.ended).code).toBe(1);
  });
});
