// oxlint-disable no-underscore-dangle -- these are names of pg
import pg from 'pg';

/** What pg knows of a statement's columns; it has all this, but does not declare it. */
interface Columns {
  readonly fields: unknown;
  readonly _parsers: unknown;
  readonly _prebuiltEmptyResultObject: unknown;
}

interface Undeclared {
  _result: Columns;
  _accumulateRows: boolean;
  hasBeenParsed(connection: object): boolean;
  prepare(connection: object): void;
  handleRowDescription(message: unknown): void;
}

type Answer = (error: Error | null, result: pg.QueryResult) => void;

const Query = pg.Query as unknown as new (
  config: pg.QueryConfig,
  values: undefined,
  answer: Answer,
) => Undeclared & pg.Submittable;

/** The columns of the statements prepared on a connection, by name, and the connection without the question about them. */
interface Described {
  readonly columns: Map<string, Columns>;
  readonly undescribing: object;
}

const connections = new WeakMap<object, Described>();

function describedOn(connection: object): Described {
  let known = connections.get(connection);
  if (!known)
    connections.set(
      connection,
      (known = {
        columns: new Map(),
        undescribing: Object.assign(Object.create(connection), { describe: () => {} }),
      }),
    );
  return known;
}

/**
 * A query that asks for the columns of a prepared statement only once on each connection. pg asks at each execution, and reading the answer takes up to a
 * third of the client's time for a statement. The columns cannot change: PostgreSQL refuses to execute a statement that would return others.
 */
class DescribedQuery extends Query {
  readonly #name: string;
  #connection!: object;

  constructor(config: pg.QueryConfig & { readonly name: string }, answer: Answer) {
    super(config, undefined, answer);
    this.#name = config.name;
  }

  override prepare(connection: object): void {
    this.#connection = connection;
    const { columns, undescribing } = describedOn(connection);
    const known = this.hasBeenParsed(connection) ? columns.get(this.#name) : undefined;
    if (!known) return super.prepare(connection);
    Object.assign(this._result, known);
    this._accumulateRows = true;
    super.prepare(undescribing);
  }

  override handleRowDescription(message: unknown): void {
    super.handleRowDescription(message);
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    describedOn(this.#connection).columns.set(this.#name, {
      fields,
      _parsers,
      _prebuiltEmptyResultObject,
    });
  }
}

/** Runs a statement on a connection. */
export async function runDescribed(
  client: pg.ClientBase,
  config: pg.QueryConfig,
): Promise<pg.QueryResult> {
  const { name } = config;
  if (name === undefined) return client.query(config);
  try {
    return await new Promise((resolve, reject) => {
      client.query(
        new DescribedQuery({ ...config, name }, (error, result) =>
          error ? reject(error) : resolve(result),
        ),
      );
    });
  } catch (error) {
    // As pg does: a stack that leads to the statement instead of the socket.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}
