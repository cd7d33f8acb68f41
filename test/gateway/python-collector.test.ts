import { spawn, spawnSync } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { createControlScene } from '../commands/scene.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { openGateway } from './gateway-fixture.ts';

const SCRIPT = fileURLToPath(new URL('./http_collector.py', import.meta.url));

const hasPython = spawnSync('python3', ['--version']).error === undefined;
if (!hasPython)
  console.log('skipped: the collector in Python over HTTP (python3 is not installed)');

describe.skipIf(!hasPython)('a collector in Python over plain HTTP', () => {
  test('reports and obeys', async () => {
    const database: TestDatabase = await createSqliteDatabase();
    const scene = createControlScene(() => database);
    const { db, wakeUps } = database;
    const { server } = await openGateway(
      db,
      createIngest({ db, clock: scene.clock, series: createSqlSeries(db) }),
      scene.clock,
      null,
      wakeUps,
    );
    await server.listen({ host: '127.0.0.1', port: 0 });
    const home = await scene.home();
    const address = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
    const child = spawn(
      'python3',
      ['-I', SCRIPT, address, home.token, home.sn, String(scene.clock.now()), '3'],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const said: any[] = [];
    let sent: { id: string } | undefined;
    for await (const line of createInterface({ input: child.stdout })) {
      said.push(JSON.parse(line));
      if (said.at(-1).reported) sent = await scene.send(home, '157', '20');
    }
    expect(said.flatMap(({ answer }) => (answer ? [answer] : []))).toEqual([
      { id: 'live', accepted: 1, duplicate: 0, refused: [] },
      { id: 'kept', accepted: 1, duplicate: 0, refused: [] },
      ...Array.from({ length: 3 }, () => ({ accepted: 1, duplicate: 0, refused: [] })),
    ]);
    expect(
      said.flatMap(({ instruction }) =>
        instruction ? [[instruction.action, instruction.value]] : [],
      ),
    ).toEqual([
      ['read', undefined],
      ['write', '20'],
      ['read', undefined],
    ]);
    expect(await scene.show(home, sent!.id)).toMatchObject({ state: 'verified', oldValue: '30' });
    await server.close();
    await database.drop();
  });
});
