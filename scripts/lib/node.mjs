import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { SetupFault } from './run.mjs';

/** The oldest Node that runs the sources as they are. */
const OLDEST = [24, 15];

const isNewEnough = (version) => {
  const [major, minor] = version.split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
};

const PACKAGE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

const NEEDED = `Helioport needs Node ${OLDEST.join('.')} or newer, this is ${process.versions.node}`;

/** Says before anything is installed whether there will be a Node to run on. */
export function expectNode(root) {
  if (Number(process.versions.node.split('.')[0]) < 20) throw new SetupFault(`${NEEDED} (set-up itself needs Node 20)`);
  if (isNewEnough(process.versions.node)) return;
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (!(PACKAGE in optionalDependencies)) {
    throw new SetupFault(`${NEEDED}, and npm has none for ${process.platform} on ${process.arch}: install Node 24 from nodejs.org and try again`);
  }
}

/** The Node that runs the product: this one when it is new enough, else the one that npm installed. */
export function findNode(root) {
  if (isNewEnough(process.versions.node)) return process.execPath;
  const path = join(root, 'node_modules', PACKAGE, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(path)) throw new SetupFault(`${NEEDED}, and npm did not install the package ${PACKAGE}: install Node 24 and try again`);
  return path;
}
