import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { SetupFault } from './run.mjs';

/** The oldest Node that runs the sources directly, and the oldest that runs the set-up. */
const OLDEST = [24, 15];
const OLDEST_FOR_SETUP = [20, 0];

const here = { version: process.versions.node, platform: process.platform, arch: process.arch };

function isAtLeast(version, [wantedMajor, wantedMinor]) {
  const [major, minor] = version.split('.').map(Number);
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

const packageOf = ({ platform, arch }) => `node-${platform === 'win32' ? 'win' : platform}-${arch}`;

const needed = ({ version }) =>
  `Helioport needs Node ${OLDEST.join('.')} or newer; this is ${version}`;

/** Fails before anything is installed if there will be no Node to run on. */
export function expectNode(root, machine = here) {
  const { version, platform, arch } = machine;
  if (!isAtLeast(version, OLDEST_FOR_SETUP))
    throw new SetupFault(`${needed(machine)}; on Node 20 or newer, npm installs it`);
  if (isAtLeast(version, OLDEST)) return;
  const { optionalDependencies = {} } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  if (!(packageOf(machine) in optionalDependencies)) {
    throw new SetupFault(
      `${needed(machine)}, and npm has none for ${platform} on ${arch}: install Node 24 from nodejs.org and try again`,
    );
  }
}

/** The Node that runs the product: this one if it is new enough, else the one that npm installed. */
export function findNode(root, machine = here) {
  if (isAtLeast(machine.version, OLDEST)) return process.execPath;
  const name = packageOf(machine);
  const path = join(
    root,
    'node_modules',
    name,
    'bin',
    machine.platform === 'win32' ? 'node.exe' : 'node',
  );
  if (!existsSync(path))
    throw new SetupFault(
      `${needed(machine)}, and npm did not install the package ${name}: install Node 24 from nodejs.org and try again`,
    );
  return path;
}
