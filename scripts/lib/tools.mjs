import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { run } from './run.mjs';

/** What tests need besides npm packages: programs, the Debian packages that contain them, and what is skipped without them. */
const TOOLS = [
  {
    name: 'PostgreSQL',
    debianPackages: ['postgresql'],
    programs: ['initdb', 'postgres'],
    needed: 'suites on PostgreSQL',
  },
  {
    name: 'Chromium',
    debianPackages: ['chromium'],
    programs: ['chromium'],
    needed: 'browser tests',
  },
  {
    name: 'curl and openssl',
    debianPackages: ['curl', 'openssl'],
    programs: ['curl', 'openssl'],
    needed: 'documented commands',
  },
  {
    name: 'Mosquitto',
    debianPackages: ['mosquitto'],
    programs: ['mosquitto'],
    needed: 'suites with an external MQTT broker',
  },
  {
    name: 'Java and Maven',
    debianPackages: ['default-jdk-headless', 'maven'],
    programs: ['java', 'javac', 'mvn'],
    needed: 'suites with a real RocketMQ and Cassandra',
  },
  {
    name: 'faketime',
    debianPackages: ['faketime'],
    programs: ['faketime'],
    needed: 'a Cassandra node whose clock is ahead',
  },
  {
    name: 'nginx',
    debianPackages: ['nginx-light'],
    programs: ['nginx'],
    needed: 'the sample for nginx',
  },
  {
    name: 'Python',
    debianPackages: ['python3', 'python3-venv'],
    programs: ['python3'],
    needed: 'clients in Python',
  },
];

/** What only the proofs need. */
const TOOLS_OF_PROOFS = [
  {
    name: 'mmdebstrap and systemd-nspawn',
    debianPackages: ['mmdebstrap', 'systemd-container'],
    programs: ['mmdebstrap', 'systemd-nspawn'],
    needed: 'the Debian package on a bare Debian',
  },
  {
    name: 'buildah',
    debianPackages: ['buildah', 'mmdebstrap'],
    programs: ['buildah', 'mmdebstrap'],
    needed: 'the container image',
  },
  { name: 'Caddy', debianPackages: ['caddy'], programs: ['caddy'], needed: 'the sample for Caddy' },
  {
    name: 'promtool',
    debianPackages: ['prometheus'],
    programs: ['promtool'],
    needed: 'checks of metrics and alert rules',
  },
];

/** Folders of programs that may not be on PATH. */
const FURTHER_FOLDERS = ['/usr/local/go/bin', '/usr/sbin'];

/** The PATH with which tests run. */
export const searchPath = () =>
  [process.env.PATH ?? '', ...FURTHER_FOLDERS.filter(existsSync)].join(delimiter);

const APT = [
  '-o',
  'Acquire::Retries=2',
  '-o',
  'Acquire::http::Timeout=30',
  '-o',
  'DPkg::Lock::Timeout=120',
  '-q',
];

/** Installs missing tools if run as root on Debian, and reports what is still missing. */
export async function installTools(say, { forProofs = false } = {}) {
  const needed = forProofs ? [...TOOLS, ...TOOLS_OF_PROOFS] : TOOLS;
  const missing = needed.filter((tool) => !isFound(tool));
  if (missing.length > 0 && existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    say(`installing ${missing.map(({ name }) => name).join(', ')} with apt-get (once)`);
    const environment = { DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', [...APT, 'update'], { limitSeconds: 240, environment, capture: true });
    const packages = missing.flatMap(({ debianPackages }) => debianPackages);
    const { code } = await run(
      'apt-get',
      [...APT, 'install', '-y', '--no-install-recommends', ...packages],
      { limitSeconds: 600, environment, capture: true },
    );
    if (code !== 0)
      say(code === 124 ? 'apt-get did not finish in time' : `apt-get ended with ${code}`);
  }
  for (const tool of needed.filter((candidate) => !isFound(candidate)))
    console.log(`skipped: ${tool.needed} (${tool.name} is not installed)`);
}

function isFound({ programs }) {
  return programs.every((program) =>
    folders().some((folder) => isExecutable(join(folder, program))),
  );
}

function folders() {
  // On Debian, the programs of each PostgreSQL version are in a folder of their own, which is not on PATH.
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root) : [];
  return [
    ...versions.map((version) => join(root, version, 'bin')),
    ...searchPath().split(delimiter),
  ];
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
