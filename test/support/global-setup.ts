import type { TestProject } from 'vitest/node';
import { findPostgres, startPostgres } from './postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of a PostgreSQL for the tests; empty on a machine without one. */
    postgresUrl: string;
  }
}

/** One PostgreSQL cluster for the whole run; every suite makes its own database in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['HELIOPORT_TEST_POSTGRES_URL'];
  if (given !== undefined || !findPostgres()) {
    if (given === undefined) console.log('skipped: suites on PostgreSQL (not installed)');
    project.provide('postgresUrl', given ?? '');
    return async () => {};
  }
  const cluster = await startPostgres();
  project.provide('postgresUrl', cluster.url);
  return cluster.stop;
}
