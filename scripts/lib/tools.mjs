import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { run } from './run.mjs';

/** What tests need beside npm packages: programs, the Debian package that has them, and what is left out without them. */
const TOOLS = [{ name: 'PostgreSQL', debianPackage: 'postgresql', programs: ['initdb', 'postgres'], needed: 'suites on PostgreSQL' }];

const APT = ['-o', 'Acquire::Retries=2', '-o', 'Acquire::http::Timeout=30', '-o', 'DPkg::Lock::Timeout=120', '-q'];

/** Installs missing tools on Debian as root; says what stays missing. */
export async function installTools(say) {
  const missing = TOOLS.filter((tool) => !isFound(tool));
  if (missing.length > 0 && existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    say(`installing ${missing.map(({ name }) => name).join(', ')} with apt-get (once)`);
    const environment = { DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', [...APT, 'update'], { limitSeconds: 240, environment, capture: true });
    const packages = missing.map(({ debianPackage }) => debianPackage);
    const { code } = await run('apt-get', [...APT, 'install', '-y', '--no-install-recommends', ...packages], { limitSeconds: 600, environment, capture: true });
    if (code !== 0) say(code === 124 ? 'apt-get did not finish in time' : `apt-get ended with ${code}`);
  }
  for (const tool of TOOLS.filter((candidate) => !isFound(candidate))) console.log(`skipped: ${tool.needed} (${tool.name} is not installed)`);
}

function isFound({ programs }) {
  return folders().some((folder) => programs.every((program) => isExecutable(join(folder, program))));
}

function folders() {
  // Debian keeps the programs of each PostgreSQL version in a folder of its own, outside PATH.
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root) : [];
  return [...versions.map((version) => join(root, version, 'bin')), ...(process.env.PATH ?? '').split(delimiter)];
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
