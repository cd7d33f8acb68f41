import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { run, SetupFault } from './run.mjs';

/** npm keeps a wedged download for minutes; a second attempt finds most of it in its cache. */
const ATTEMPT_LIMITS_SECONDS = [240, 600];

/** Installs what package-lock.json says, unless that is what is there. */
export async function installPackages(root, say) {
  if (areInstalled(root)) return;
  for (const [attempt, limitSeconds] of ATTEMPT_LIMITS_SECONDS.entries()) {
    say(attempt === 0 ? 'installing packages (once)' : 'installing packages, second attempt');
    const code = await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', `--prefix=${root}`], limitSeconds);
    if (code === 0 && areInstalled(root)) return;
    say(code === 124 ? `npm did not finish within ${limitSeconds} s` : `npm ended with ${code}`);
  }
  throw new SetupFault('the packages could not be installed: see what npm said above');
}

function npm(args, limitSeconds) {
  // npm says where it is when it runs a script; a shell finds npm.cmd on Windows.
  const cli = process.env.npm_execpath;
  const environment = { npm_config_fetch_timeout: '60000', npm_config_fetch_retries: '3' };
  return cli?.endsWith('npm-cli.js')
    ? run(process.execPath, [cli, ...args], { limitSeconds, environment })
    : run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, { limitSeconds, environment });
}

/**
 * Whether node_modules is what package-lock.json says, by the lists of both: no start needs npm when nothing has changed,
 * and packages that somebody installed by hand are as good as ours.
 */
export function areInstalled(root) {
  const path = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(path)) return false;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(path, 'utf8')).packages;
  return Object.entries(wanted)
    .filter(([name]) => name.includes('node_modules/'))
    .every(([name, { version, integrity, link, ...rest }]) => {
      const found = installed[name];
      if (!found) return rest.optional === true && !isMadeForThisMachine(rest);
      return link === true ? found.link === true : found.version === version && found.integrity === integrity;
    });
}

// An optional package without a platform belongs to one of another platform, as the parts of a WebAssembly build do.
function isMadeForThisMachine({ os, cpu, libc }) {
  if (os === undefined && cpu === undefined) return false;
  const fits = (list, value) => list === undefined || [list].flat().includes(value);
  return fits(os, process.platform) && fits(cpu, process.arch) && fits(libc, libcHere());
}

const libcHere = () => (process.report?.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl');
