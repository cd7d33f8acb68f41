import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { level } from './archive.mjs';

/** Where shells look for what completes a command. */
const COMPLETIONS = {
  bash: 'usr/share/bash-completion/completions/helioport',
  zsh: 'usr/share/zsh/vendor-completions/_helioport',
  fish: 'usr/share/fish/vendor_completions.d/helioport.fish',
};

/** Lays out a `.deb` below `folder` around a tree, and packs it into `file`. */
export function packDebian(root, folder, file, { tree, version, architecture, epochSeconds }) {
  const from = (name) => join(root, 'deploy', name);
  const place = (path) => {
    const whole = join(folder, path);
    mkdirSync(join(whole, '..'), { recursive: true });
    return whole;
  };
  cpSync(tree, place('usr/lib/helioport'), { recursive: true });
  copyFileSync(from('package/debian/helioport'), place('usr/bin/helioport'));
  copyFileSync(from('package/debian/helioport.env'), place('etc/helioport/helioport.env'));
  copyFileSync(from('package/debian/sysusers.conf'), place('usr/lib/sysusers.d/helioport.conf'));
  cpSync(from('systemd'), place('usr/lib/systemd/system'), { recursive: true });
  for (const [shell, path] of Object.entries(COMPLETIONS))
    writeFileSync(place(path), completionOf(root, shell));
  const documents = place('usr/share/doc/helioport');
  cpSync(from('samples'), join(documents, 'examples'), { recursive: true });
  for (const name of readdirSync(join(root, 'docs')).filter((one) => one.endsWith('.md')))
    copyFileSync(join(root, 'docs', name), join(documents, name));
  copyFileSync(join(tree, 'lib/CHANGELOG.md'), join(documents, 'CHANGELOG.md'));
  copyFileSync(join(tree, 'NOTICE'), join(documents, 'copyright'));
  writeControl(root, folder, { version, architecture });
  level(folder, epochSeconds);
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z6', '--build', folder, file], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(epochSeconds) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

const completionOf = (root, shell) =>
  execFileSync(
    process.execPath,
    [join(root, 'packages/server/bin/helioport.mjs'), 'completion', shell],
    { encoding: 'utf8' },
  );

function writeControl(root, folder, { version, architecture }) {
  const control = join(folder, 'DEBIAN');
  mkdirSync(control);
  const fields = {
    Package: 'helioport',
    Version: version,
    Architecture: architecture,
    Maintainer: 'Helioport <helioport@localhost>',
    'Installed-Size': Math.ceil(bytesIn(folder) / 1024),
    Depends: 'libc6 (>= 2.28), libstdc++6, util-linux, passwd',
    Section: 'web',
    Priority: 'optional',
    Description: [
      'cloud that monitors and controls solar plants',
      ' Collectors on site report what inverters, batteries and meters measure;',
      ' Helioport stores it and serves it to owners, installers and programs.',
    ].join('\n'),
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  writeFileSync(join(control, 'control'), `${lines.join('\n')}\n`);
  writeFileSync(join(control, 'conffiles'), '/etc/helioport/helioport.env\n');
  for (const name of ['postinst', 'prerm', 'postrm']) {
    copyFileSync(join(root, 'deploy/package/debian', name), join(control, name));
    chmodSync(join(control, name), 0o755);
  }
}

const bytesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
