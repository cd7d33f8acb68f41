import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { run, SetupFault } from './run.mjs';

/** A download that hangs is ended; a second attempt finds most of it in npm's cache. */
const ATTEMPT_LIMITS_SECONDS = [240, 600];

/** Number of lines of npm's own output that a failure shows. */
const WORDS_SHOWN = 12;

/** Installs the packages in package-lock.json, unless that has been done. */
export async function installPackages(root, say) {
  if (areInstalled(root)) return;
  let words = [];
  for (const [attempt, limitSeconds] of ATTEMPT_LIMITS_SECONDS.entries()) {
    say(attempt === 0 ? 'installing packages (once)' : 'installing packages, second attempt');
    const { code, output } = await npm(
      ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', `--prefix=${root}`],
      limitSeconds,
    );
    if (code === 0) {
      writeFileSync(stampOf(root), hashOf(root));
      return;
    }
    words = wordsOf(output);
    if (code === 124) say(`npm did not finish within ${limitSeconds} s`);
    // A lock file that does not match will not match the second time either.
    if (output.includes('EUSAGE')) break;
  }
  throw new SetupFault(['the packages could not be installed; npm says:', ...words].join('\n'));
}

/** Whether npm has finished installing exactly this lock file. */
export function areInstalled(root) {
  return existsSync(stampOf(root)) && readFileSync(stampOf(root), 'utf8') === hashOf(root);
}

const stampOf = (root) => join(root, 'node_modules', '.helioport-installed');

const hashOf = (root) =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');

function npm(args, limitSeconds) {
  // When npm runs a script, it passes its own path; otherwise, Windows needs a shell to find it.
  const cli = process.env.npm_execpath;
  const options = {
    limitSeconds,
    capture: true,
    environment: { npm_config_fetch_timeout: '60000', npm_config_fetch_retries: '3' },
  };
  return cli?.endsWith('npm-cli.js')
    ? run(process.execPath, [cli, ...args], options)
    : run('npm', args, { ...options, shell: process.platform === 'win32' });
}

/** What npm reports, without the list of its options that follows. */
function wordsOf(output) {
  const lines = output
    .split('\n')
    .filter((line) => line.trim() !== '' && line.trim() !== 'npm error');
  const usage = lines.findIndex((line) => /^npm error (Clean install|Usage)/.test(line));
  const said = usage === -1 ? lines : lines.slice(0, usage);
  return said.length > WORDS_SHOWN
    ? [...said.slice(0, WORDS_SHOWN), `(and ${said.length - WORDS_SHOWN} more lines)`]
    : said;
}
