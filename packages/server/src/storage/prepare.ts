import type { Compilable, CompiledQuery, DialectAdapter } from 'kysely';
import type { Db } from './database.ts';
import { directRead } from './direct-read.ts';

class Parameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Stands for a value in a prepared query; typed as the value itself, so that the builder checks its use. */
export type ParameterOf<P> = <K extends keyof P & string>(name: K) => P[K];

/** Runs the prepared query. */
export type PreparedQuery<P, R> = (db: Db, parameters: P) => Promise<R[]>;

/**
 * A query that is built and compiled once per engine instead of at each call: building it takes longer
 * than the embedded engine needs to answer it (benchmarks/RESULTS.md).
 */
export function prepareQuery<P extends object, R>(build: (db: Db, parameter: ParameterOf<P>) => Compilable<R>): PreparedQuery<P, R> {
  const compiled = new WeakMap<DialectAdapter, CompiledQuery<R>>();
  const parameter: ParameterOf<P> = (name) => new Parameter(name) as never;
  return async (db, values) => {
    const { adapter } = db.getExecutor();
    let query = compiled.get(adapter);
    if (!query) compiled.set(adapter, (query = build(db, parameter).compile()));
    const parameters = query.parameters.map((value) => (value instanceof Parameter ? values[value.name as keyof P] : value));
    const bound: CompiledQuery<R> = { ...query, parameters };
    const read = query.query.kind === 'SelectQueryNode' && !db.isTransaction ? directRead(adapter) : undefined;
    return read ? read(bound) : (await db.executeQuery<R>(bound)).rows;
  };
}
