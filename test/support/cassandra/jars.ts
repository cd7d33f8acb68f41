import { join } from 'node:path';
import { fetchProgram, run } from '../machine/java-programs.ts';

const CASSANDRA = {
  name: 'cassandra',
  group: 'org.apache.cassandra',
  artifacts: ['cassandra-all'],
  version: '5.0.9',
};

/** The folder with Cassandra's jars; fetched once, into a folder of the user's caches. Undefined, with a word about it, where they cannot be had. */
export async function findCassandra(): Promise<string | undefined> {
  try {
    await run('java', ['-version'], { timeout: 60_000 });
    return join(await fetchProgram(CASSANDRA), 'jars');
  } catch {
    console.log('skipped: suites on Cassandra (a Java, Maven or the network is missing)');
    return undefined;
  }
}
