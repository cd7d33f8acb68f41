import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { errors, types } from 'cassandra-driver';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { toFailure } from '../../packages/server/src/interfaces/edges/http/errors.ts';
import { requestFault } from '../../packages/server/src/measurements/series/cassandra/faults.ts';
import { isStorageAway } from '../../packages/server/src/platform/storage/away.ts';
import { openStorage } from '../../packages/server/src/platform/storage/open.ts';
import { temporaryFolder } from '../clients/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The code of the answer to a request that fails so. */
const answerTo = (error: unknown): string => toFailure(error, 'r', isStorageAway).code;
const listed = (text: string): string[] => text.trim().split(/\s+/);
const withCode = (code: string): Error => Object.assign(new Error('no'), { code });

describe('a request is answered 503, and not 500, where the store is away', () => {
  test.each(
    listed(`
    08000 08001 08003 08004 08006 08007 08P01 25006 25P03 25P04 28000 28P01 3D000
    40000 40001 40003 40P01 53000 53100 53200 53300 53400 55000 55P03 57000 57014
    57P01 57P02 57P03 57P04 57P05 58000 58030 58P01 72000
  `),
  )('PostgreSQL %s', (code) => expect(answerTo(withCode(code))).toBe('unavailable'));

  test.each(['22001', '22P02', '23502', '23503', '23505', '25P02', '42601', '42P01', 'XX000'])(
    'but not where the statement is to blame: PostgreSQL %s',
    (code) => expect(answerTo(withCode(code))).toBe('internal'),
  );

  test.each(
    listed(`
    ECONNREFUSED ECONNRESET ECONNABORTED ENOTCONN ETIMEDOUT ENOTFOUND EAI_AGAIN
    EAI_FAIL EPIPE EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN ENETRESET
    EADDRNOTAVAIL ENOBUFS ENOMEM EMFILE ENFILE ENOSPC EDQUOT EROFS EIO
    ERR_STREAM_DESTROYED ERR_STREAM_WRITE_AFTER_END ERR_SOCKET_CLOSED
  `),
  )('%s', (code) => expect(answerTo(withCode(code))).toBe('unavailable'));

  test('all addresses of a host that fail, each in its way', () => {
    const all = new AggregateError([withCode('EPERM'), withCode('ECONNREFUSED')]);
    expect(answerTo(all)).toBe('unavailable');
    expect(answerTo(new AggregateError([new TypeError('no')]))).toBe('internal');
  });

  // https://sqlite.org/rescode.html
  test.each([
    ['PERM', 3, true],
    ['BUSY', 5, true],
    ['BUSY_SNAPSHOT', 517, true],
    ['LOCKED', 6, true],
    ['NOMEM', 7, true],
    ['READONLY', 8, true],
    ['READONLY_DBMOVED', 1032, true],
    ['IOERR', 10, true],
    ['IOERR_WRITE', 778, true],
    ['FULL', 13, true],
    ['CANTOPEN', 14, true],
    ['PROTOCOL', 15, true],
    ['NOLFS', 22, true],
    ['ERROR', 1, false],
    ['CORRUPT', 11, false],
    ['CONSTRAINT_UNIQUE', 2067, false],
    ['MISMATCH', 20, false],
    ['MISUSE', 21, false],
    ['RANGE', 25, false],
    ['NOTADB', 26, false],
  ])('SQLite %s', (_, errcode, isAway) => {
    const error = Object.assign(withCode('ERR_SQLITE_ERROR'), { errcode });
    expect(answerTo(error)).toBe(isAway ? 'unavailable' : 'internal');
  });

  /** Errors of the driver for PostgreSQL that have no code, and are faults of ours or of the other side. */
  const OURS =
    /^(Client has already been connected|Release called on client|unexpected condition|Called end on pool|Passing a function|A query must have|Prepared statements must be|Query values must be|circular reference|sslnegotiation|Received unexpected|Binary mode|Unknown authenticationOk)/;
  const textsOf = (file: string): string[] =>
    [
      ...readFileSync(join(ROOT, 'node_modules', file), 'utf8').matchAll(/new Error\('([^']+)'/g),
    ].map(([, text]) => text!);
  const texts = [
    ...new Set(
      [
        ...['client', 'connection', 'query', 'utils'].map((name) => `pg/lib/${name}.js`),
        'pg-pool/index.js',
      ].flatMap(textsOf),
    ),
  ];

  test('the texts of the driver for PostgreSQL are found', () =>
    expect(texts).toContain('Connection terminated unexpectedly'));

  test.each(texts)('%s', (text) =>
    expect(answerTo(new Error(text))).toBe(OURS.test(text) ? 'internal' : 'unavailable'),
  );
});

describe('the same where the cluster of the series is away', () => {
  const OWN = listed(`
    protocolError functionFailure syntaxError invalid configError alreadyExists
  `);
  test.each(Object.entries(types.responseErrorCodes as unknown as Record<string, number>))(
    'a node answers %s',
    (name, code) =>
      expect(answerTo(requestFault(new errors.ResponseError(code, 'no')))).toBe(
        OWN.includes(name) ? 'internal' : 'unavailable',
      ),
  );

  const OF_CALLERS = ['ArgumentError', 'NotSupportedError', 'VIntOutOfRangeException'];
  test.each(
    Object.entries(errors).filter(([name]) => name.endsWith('Error') || name.endsWith('Exception')),
  )('the driver throws %s', (name, Kind) => {
    const error = Object.create(Kind.prototype) as Error;
    expect(answerTo(requestFault(error))).toBe(
      OF_CALLERS.includes(name) ? 'internal' : 'unavailable',
    );
  });

  // While a node dies, its pool is empty before it is known to be down; what is just being prepared fails with that.
  test.each([
    'No connection available',
    'Connection closed',
    'Socket was closed',
    'The operation was already cancelled or timeout elapsed',
  ])('the driver throws an error without a class: %s', (text) =>
    expect(answerTo(requestFault(new Error(text)))).toBe('unavailable'),
  );

  test('but not where our code is to blame', () => {
    for (const error of [new TypeError('undefined is not a function'), new RangeError('no')])
      expect(answerTo(requestFault(error))).toBe('internal');
  });
});

describe('what really happens is answered so as well', () => {
  const failureOf = (address: string): Promise<unknown> => {
    const storage = openStorage(address);
    return sql`select 1`
      .execute(storage.db)
      .then(
        () => undefined,
        (error: unknown) => error,
      )
      .finally(() => storage.close());
  };

  /** A server that is not a database. */
  async function withServer(
    serve: (socket: Socket) => void,
    query: string,
    check: (error: unknown) => void,
  ): Promise<void> {
    const server = createServer(serve).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      check(await failureOf(`postgres://u:p@127.0.0.1:${port}/d${query}`));
    } finally {
      server.close();
    }
  }
  const isAnswered = (error: unknown): void => expect(answerTo(error)).toBe('unavailable');

  test('a proxy that accepts and closes', () =>
    withServer((socket) => socket.once('data', () => socket.destroy()), '', isAnswered));
  test('a server without TLS', () =>
    withServer(
      (socket) => socket.once('data', () => socket.end('N')),
      '?sslmode=require',
      isAnswered,
    ));
  test('a server whose handshake breaks', () =>
    withServer(
      (socket) => {
        socket
          .on('error', () => {})
          .once('data', () => {
            socket.write('S');
            socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
          });
      },
      '?sslmode=require',
      isAnswered,
    ));
  test('a socket that is gone', async () => {
    const folder = temporaryFolder();
    isAnswered(await failureOf(`postgres://u:p@${encodeURIComponent(folder)}/d`));
  });

  test('an embedded database that was closed while requests were under way', async () => {
    const storage = openStorage(join(temporaryFolder(), 'helioport.db'));
    await sql`select 1`.execute(storage.db);
    await storage.close();
    isAnswered(await sql`select 1`.execute(storage.db).catch((error: unknown) => error));
    isAnswered(
      await storage.db
        .transaction()
        .execute((trx) => sql`select 1`.execute(trx))
        .catch((error: unknown) => error),
    );
  });
});
