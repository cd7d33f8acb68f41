import { execFileSync, spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createInstallation, type Installation } from '../../support/command.ts';
import { serve, type ServerProcess } from '../../support/server-process.ts';

const hasPromtool = spawnSync('promtool', ['--version']).error === undefined;
if (!hasPromtool) console.log('skipped: checks of metrics and alert rules (no promtool)');

describe.skipIf(!hasPromtool)('promtool', () => {
  let home: Installation;
  let server: ServerProcess;
  beforeEach(() => {
    home = createInstallation();
    server = serve(home.folder);
  });
  afterEach(async () => {
    server.kill('SIGTERM');
    await server.ended;
    home.remove();
  });

  test('has nothing to say about the metrics, and finds that each alert rule does what its test says', async () => {
    const { ops } = await server.started;
    const input = await (await fetch(`${ops}/metrics`)).text();
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input,
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
    const options = { cwd: 'deploy/samples/prometheus', encoding: 'utf8' } as const;
    expect(execFileSync('promtool', ['check', 'rules', 'rules.yaml'], options)).toContain(
      'SUCCESS',
    );
    expect(execFileSync('promtool', ['test', 'rules', 'rules-test.yaml'], options)).toContain(
      'SUCCESS',
    );
  });
});
