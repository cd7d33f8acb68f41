import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

export const run = promisify(execFile);

/** What Maven fetches, with everything it needs. */
interface Program {
  readonly name: string;
  readonly group: string;
  readonly artifacts: readonly string[];
  readonly version: string;
}

const project = ({
  name,
  group,
  artifacts,
  version,
}: Program): string => `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>local.test</groupId><artifactId>${name}</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>${artifacts
    .map(
      (artifact) =>
        `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`,
    )
    .join('')}</dependencies>
</project>`;

/**
 * A folder of the user's caches with a program in Java: its jars in `jars`, and what `finish` adds, which may write to `work` meanwhile. Fetched once;
 * fails where it cannot be had.
 */
export async function fetchProgram(
  program: Program,
  finish: (folder: string, work: string) => Promise<unknown> = async () => {},
): Promise<string> {
  const folder = join(
    process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
    'helioport',
    `${program.name}-${program.version}`,
  );
  if (existsSync(join(folder, 'ready'))) return folder;
  const work = mkdtempSync(join(tmpdir(), `helioport-${program.name}-jars-`));
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(work, 'pom.xml'), project(program));
    const fetching = [
      '-q',
      '-B',
      '-f',
      join(work, 'pom.xml'),
      'dependency:copy-dependencies',
      '-DincludeScope=runtime',
    ];
    await run('mvn', [...fetching, `-DoutputDirectory=${join(folder, 'jars')}`], {
      timeout: 240_000,
    });
    await finish(folder, work);
    writeFileSync(join(folder, 'ready'), '');
    return folder;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
