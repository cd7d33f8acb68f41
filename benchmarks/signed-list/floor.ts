// The minimum, written by hand: digest, signature, the same prepared statements, and JSON.
import { fastify } from 'fastify';
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import pg from 'pg';
import type { Statement } from './installation.ts';

interface Plan {
  keySecret: string;
  /** Statements of the same stage do not depend on each other's rows. */
  stages: Statement[][];
  answer: unknown;
}

const [, , address = '', planFile = ''] = process.argv;
const { keySecret, stages, answer } = JSON.parse(
  readFileSync(planFile, 'utf8'),
  (_key, value) => value,
) as Plan;

type Run = () => Promise<unknown>;
const run: Run = address.startsWith('postgres') ? onPostgres() : onSqlite();

function onSqlite(): Run {
  const database = new DatabaseSync(address, { readOnly: true });
  database.exec('pragma cache_size = -65536; pragma mmap_size = 268435456');
  const prepared = stages.flat().map(({ sql, parameters }) => ({
    statement: database.prepare(sql),
    parameters: parameters as SQLInputValue[],
  }));
  return async () => prepared.map(({ statement, parameters }) => statement.all(...parameters));
}

function onPostgres(): Run {
  const pool = new pg.Pool({ connectionString: address, max: 10 });
  const named = stages.map((stage, i) =>
    stage.map(({ sql, parameters }, j) => ({
      name: `s${i}_${j}`,
      text: sql,
      values: [...parameters],
    })),
  );
  return async () => {
    for (const stage of named) await Promise.all(stage.map((query) => pool.query(query)));
  };
}

const server = fastify();
server.removeAllContentTypeParsers();
server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
server.post('/v1/api/userStationList', async (request, reply) => {
  const {
    'content-md5': md5 = '',
    'content-type': type = '',
    date = '',
    authorization = '',
  } = request.headers as Record<string, string>;
  const body = request.body as Buffer;
  if (hash('md5', body, 'base64') !== md5 || Math.abs(Date.parse(date) - Date.now()) > 900_000)
    return reply.code(403).send();
  const sign = createHmac('sha1', keySecret)
    .update(`POST\n${md5}\n${type}\n${date}\n/v1/api/userStationList`)
    .digest();
  if (
    !timingSafeEqual(
      sign,
      Buffer.from(authorization.slice(authorization.indexOf(':') + 1), 'base64'),
    )
  )
    return reply.code(403).send();
  JSON.parse(body.toString());
  await run();
  return reply
    .header('content-type', 'application/json;charset=UTF-8')
    .send(JSON.stringify(answer));
});
await server.listen({ port: 0, host: '127.0.0.1' });
process.send!(server.server.address());
process.on('message', () => process.send!(process.cpuUsage()));
