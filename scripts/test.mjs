// npm test: sets up what tests need, runs all but the proofs, or those that are asked for, and prints their counts last. Runs on Node 20 or newer.
// npm run prove: runs the long-running proofs and what is left out per commit, at full counts, or at the share of them in HELIOPORT_PROVE.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { expectNode, findNode } from './lib/node.mjs';
import { installPackages } from './lib/packages.mjs';
import { run, SetupFault } from './lib/run.mjs';
import { installTools, searchPath } from './lib/tools.mjs';

/** Far longer than the suites take: a test that hangs must not block for ever. */
const LIMIT_SECONDS = { test: 2400, prove: 14_400 };

const root = fileURLToPath(new URL('..', import.meta.url));
const say = (text) => console.log(`setup: ${text}`);

try {
  expectNode(root);
  await installPackages(root, say);
  const [first, ...rest] = process.argv.slice(2);
  const forProofs = first === '--prove' && process.env.HELIOPORT_PROVE !== 'brief';
  await installTools(say, { forProofs });
  const node = findNode(root);
  if (first === '--prove') {
    process.exitCode = await test(
      node,
      ['--config=vitest.prove.config.ts', ...rest],
      LIMIT_SECONDS.prove,
      { HELIOPORT_PROVE: process.env.HELIOPORT_PROVE ?? 'full' },
    );
  } else {
    const asked = process.argv.slice(2);
    // The proofs, and what runs beside them, run in .ci/run, and where they are asked for.
    const all = asked.length === 0 ? { HELIOPORT_TEST_ALL: '1' } : {};
    process.exitCode = await test(node, asked, LIMIT_SECONDS.test, all);
  }
} catch (error) {
  if (!(error instanceof SetupFault)) throw error;
  console.error(error.message);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}

async function test(node, args, limitSeconds, environment) {
  const folder = mkdtempSync(join(tmpdir(), 'helioport-results-'));
  const results = join(folder, 'results.json');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
    const { code } = await run(node, [vitest, 'run', `--root=${root}`, ...reporters, ...args], {
      limitSeconds,
      environment: { PATH: searchPath(), ...environment },
    });
    if (code === 124) console.log(`the tests did not finish within ${limitSeconds} s`);
    const { passed, failed, skipped, faults } = counts(results);
    // Names once more, since the output of a long run may be cut in its middle.
    for (const fault of faults) console.log(`failed: ${fault}`);
    // Faults outside tests (an unhandled error, an interrupted run) count as a failure.
    const all = code !== 0 && failed === 0 ? 1 : failed;
    console.log(`${passed} passed, ${all} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
    return all > 0 ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function counts(path) {
  try {
    const report = JSON.parse(readFileSync(path, 'utf8'));
    // A file that cannot be loaded has no tests to fail.
    const faults = report.testResults.flatMap(({ name, status, assertionResults }) => {
      const file = relative(root, name);
      const titles = assertionResults
        .filter((result) => result.status === 'failed')
        .map(({ fullName }) => `${file}: ${fullName}`);
      return status === 'failed' && titles.length === 0 ? [file] : titles;
    });
    return {
      passed: report.numPassedTests,
      failed: faults.length,
      skipped: report.numPendingTests + report.numTodoTests,
      faults,
    };
  } catch {
    return { passed: 0, failed: 0, skipped: 0, faults: [] };
  }
}
