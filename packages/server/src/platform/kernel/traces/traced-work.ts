import { AsyncLocalStorage } from 'node:async_hooks';

/** A statement that the database has carried out for a request. */
export interface TracedStatement {
  /** With places instead of values. */
  readonly text: string;
  readonly endedAt: number;
  readonly ms: number;
}

/** A request that makes more of them is traced with its first ones. */
const AT_MOST = 100;

const work = new AsyncLocalStorage<TracedStatement[]>();

/** Does something whose statements are collected. */
export const collectStatements = (into: TracedStatement[], body: () => void): void =>
  work.run(into, body);

/** Notes a statement for the request, if there is one, that is being carried out. */
export function noteStatement(statement: TracedStatement): void {
  const statements = work.getStore();
  if (statements && statements.length < AT_MOST) statements.push(statement);
}
