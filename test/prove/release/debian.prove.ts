import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lacks, run } from './programs.ts';
import { release } from '../../release/released.ts';

const missing = lacks('mmdebstrap', 'systemd-nspawn', 'dpkg-deb');
if (missing) console.log(`skipped: the Debian package on a bare Debian (${missing})`);

// Runs once the service has notified systemd that it is ready, and then ends the machine.
const PROBE = `[Unit]
After=helioport.service
[Service]
Type=oneshot
ExecStart=/bin/sh /probe.sh
ExecStopPost=/bin/systemctl poweroff --no-block
[Install]
WantedBy=multi-user.target
`;
const GET = `fetch(process.argv[1], { headers: { accept: "text/html" } })
  .then(async (answer) => console.log(answer.status, (await answer.text()).slice(0, 200).replaceAll("\\n", " ")))`;
const SCRIPT = `exec > /probe.txt 2>&1
get() { /usr/lib/helioport/bin/node -e '${GET}' "$1"; }
systemctl show --property=ActiveState,User,StatusText helioport
get http://127.0.0.1:9464/readyz
get http://127.0.0.1:8082/
helioport user add --email ada@example.org --role owner
systemctl reload helioport && echo reloaded
get http://127.0.0.1:9464/readyz
systemctl start helioport-backup && helioport backup --verify /var/lib/helioport/backups
helioport doctor
systemctl stop helioport && echo stopped
`;

describe.skipIf(missing !== undefined)('the Debian package on a bare Debian', () => {
  let folder: string;
  let machine: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'helioport-debian-'));
    machine = join(folder, 'root');
    await release(join(folder, 'released'));
    const packages = '--include=systemd,systemd-sysv,util-linux,passwd,libstdc++6';
    run('mmdebstrap', '--variant=minbase', packages, 'bookworm', machine);
    const deb = readdirSync(join(folder, 'released')).find((name) => name.endsWith('_amd64.deb'))!;
    copyFileSync(join(folder, 'released', deb), join(machine, 'tmp/helioport.deb'));
  }, 1_800_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('is installed by dpkg, for a user of its own', () => {
    run('chroot', machine, 'dpkg', '-i', '/tmp/helioport.deb');
    expect(run('chroot', machine, 'stat', '-c', '%U %a', '/var/lib/helioport')).toBe(
      'helioport 700\n',
    );
    expect(run('chroot', machine, 'helioport', 'doctor')).not.toContain('fault');
    const sourced = '. /usr/share/bash-completion/completions/helioport && complete -p helioport';
    expect(run('chroot', machine, 'bash', '-c', sourced)).toContain('_helioport');
    const kilobytes = Number(
      run('chroot', machine, 'du', '-sk', '/usr/lib/helioport/lib').split('\t')[0],
    );
    expect(kilobytes / 1024).toBeLessThan(150);
  });

  test('runs hardened and ready once the machine has booted, is reloaded, backed up and stopped', () => {
    writeFileSync(join(machine, 'etc/systemd/system/probe.service'), PROBE);
    writeFileSync(join(machine, 'probe.sh'), SCRIPT);
    const wanted = 'etc/systemd/system/multi-user.target.wants/probe.service';
    symlinkSync('/etc/systemd/system/probe.service', join(machine, wanted));
    const options = ['--quiet', '--boot', '--private-network', '--register=no', '--keep-unit'];
    execFileSync('systemd-nspawn', [...options, `--directory=${machine}`], {
      stdio: 'ignore',
      timeout: 600_000,
    });
    const probed = readFileSync(join(machine, 'probe.txt'), 'utf8');
    expect(probed).toContain('ActiveState=active');
    expect(probed).toContain('User=helioport');
    expect(probed.match(/^200 ready/gm) ?? probed).toHaveLength(2);
    expect(probed).toMatch(/^200 <!doctype html>/im);
    for (const line of [/^reloaded$/m, /is as it was written$/m, /backups +ok/, /^stopped$/m])
      expect(probed).toMatch(line);
    expect(probed).not.toContain(' fault ');
  });

  test('exposes little: systemd-analyze says at most 1.5', () => {
    for (const name of readdirSync('deploy/systemd').filter((one) => one.endsWith('.service'))) {
      const file = join('deploy/systemd', name);
      const said = run('systemd-analyze', 'security', '--offline=yes', file);
      const [, level] = /Overall exposure level for .*: ([\d.]+) /.exec(said)!;
      expect([name, Number(level) <= 1.5]).toEqual([name, true]);
    }
  });

  test('keeps data and settings when it is removed', () => {
    run('chroot', machine, 'dpkg', '--remove', 'helioport');
    run('chroot', machine, 'test', '-f', '/var/lib/helioport/helioport.db');
    run('chroot', machine, 'test', '-f', '/etc/helioport/helioport.env');
  });
});
