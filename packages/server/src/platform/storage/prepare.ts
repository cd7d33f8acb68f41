import type { Compilable, CompiledQuery, DialectAdapter } from 'kysely';
import type { Db } from './database.ts';
import { directRun } from './direct-run.ts';

class Parameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Creates the placeholder for a value in a prepared query; typed as the value itself, so that the builder checks its use. */
export interface ParameterOf<P> {
  <K extends keyof P & string>(name: K): P[K];
  /**
   * Whether the value is set (neither 0 nor undefined). The query has a separate text for each case, so that an unset
   * filter does not keep an index from being used. Use it for few values: each one doubles the number of texts.
   */
  has(name: keyof P & string): boolean;
}

/** Runs the prepared query. */
export type PreparedQuery<P, R> = (db: Db, parameters: P) => Promise<R[]>;

/**
 * A query that is built and compiled once per engine instead of at each call: building it takes longer
 * than the embedded engine needs to answer it (benchmarks/RESULTS.md).
 */
export function prepareQuery<P extends object, R>(
  build: (db: Db, parameter: ParameterOf<P>) => Compilable<R>,
): PreparedQuery<P, R> {
  const compiled = new WeakMap<DialectAdapter, Map<string, CompiledQuery<R>>>();
  // Names of the values on which the query's text depends.
  const choices = new Set<keyof P & string>();

  const compile = (db: Db, values: P): CompiledQuery<R> => {
    const parameter = Object.assign((name: string) => new Parameter(name) as never, {
      has(name: keyof P & string) {
        choices.add(name);
        return Boolean(values[name]);
      },
    });
    return build(db, parameter).compile();
  };
  const variantOf = (values: P): string => {
    let variant = '';
    for (const name of choices) variant += values[name] ? '1' : '0';
    return variant;
  };

  return async (db, values) => {
    const { adapter } = db.getExecutor();
    let variants = compiled.get(adapter);
    if (!variants) compiled.set(adapter, (variants = new Map()));
    let query = variants.get(variantOf(values));
    if (!query) {
      query = compile(db, values);
      variants.set(variantOf(values), query);
    }
    const parameters = query.parameters.map((value) =>
      value instanceof Parameter ? values[value.name as keyof P] : value,
    );
    const bound: CompiledQuery<R> = { ...query, parameters };
    const run = db.isTransaction ? undefined : directRun(adapter, query);
    return run ? run(bound) : (await db.executeQuery<R>(bound)).rows;
  };
}
