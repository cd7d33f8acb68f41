import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openText } from '../../packages/server/src/measurements/ingest/csv/csv-text.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCsv } from '../../packages/server/src/measurements/ingest/csv/csv-file.ts';
import type { CsvRow } from '../../packages/server/src/measurements/ingest/csv/csv-rows.ts';
import type { Installation, Outcome } from '../support/command.ts';
import { createImportInstallation } from './import-installation.ts';

let installation: Installation;

beforeAll(async () => {
  installation = await createImportInstallation({
    now: '2026-11-20T00:00:00Z',
    timeZone: 'Europe/Berlin',
    sns: ['A', 'B', 'C', 'D', 'E'],
  });
});
afterAll(() => installation.remove());

const at = (name: string): string => join(installation.folder, name);
const write = (name: string, text: string | Buffer): string => {
  writeFileSync(at(name), text);
  return name;
};
const load = (file: string, sn: string, ...more: string[]): Promise<Outcome> =>
  installation.helioport(
    'import',
    file,
    '--device',
    sn,
    '--zone',
    'UTC',
    '--time',
    '#1',
    '--map',
    'acPowerW=#2',
    '--json',
    ...more,
  );
const rowsOf = async (name: string): Promise<CsvRow[]> => {
  const rows: CsvRow[] = [];
  for await (const row of (await openCsv(at(name))).read().rows) rows.push(row);
  return rows;
};
const MIB = 1024 * 1024;

test('the rest of an overlong line passes for no row, and the lines after it keep their numbers', async () => {
  // Where what is read at once ends, the rest would look like a row of its own.
  for (const letters of [1_000_001, MIB, MIB + 65_536, 3 * MIB, 3 * MIB + 7]) {
    const name = write(
      `overlong-${letters}.csv`,
      `2026-06-01 10:00,1\n${'x'.repeat(letters)}2026-06-01 10:05,2\n2026-06-01 10:10,3\n`,
    );
    expect((await load(name, 'A')).json()).toMatchObject({
      rows: 3,
      refused: [{ line: 2, reason: 'the line has more than 1000000 characters' }],
    });
  }
  const pieces = Array.from({ length: 40 }, () => '2026-06-01 10:05,2;'.padEnd(65_536, ' '));
  const name = write('pieces.csv', `${pieces.join('')}\n2026-06-01 10:10,3\n`);
  expect(await rowsOf(name)).toEqual([
    { line: 1, fault: 'the line has more than 1000000 characters' },
    { line: 2, cells: ['2026-06-01 10:10', '3'] },
  ]);
});

test('a line without an end is read with little memory', async () => {
  const name = write('endless.csv', '2026-06-01 10:00,1\n');
  const block = Buffer.alloc(MIB, '"');
  for (let i = 0; i < 200; i++) appendFileSync(at(name), block);
  appendFileSync(at(name), '\n2026-06-01 10:10,3\n');
  const before = process.memoryUsage().rss;
  expect(await rowsOf(name)).toEqual([
    { line: 1, cells: ['2026-06-01 10:00', '1'] },
    { line: 2, fault: expect.stringContaining('characters') },
    { line: 3, cells: ['2026-06-01 10:10', '3'] },
  ]);
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * MIB);
});

test('open quotes in many long lines are not put together again and again', async () => {
  const name = write('quotes.csv', '');
  const line = `"${'x'.repeat(900_000)}\n`;
  for (let i = 0; i < 60; i++) appendFileSync(at(name), line);
  appendFileSync(at(name), '2026-06-01 10:10,3\n');
  const rows = await rowsOf(name);
  expect(rows.slice(0, 60)).toEqual(
    Array.from({ length: 60 }, (_, i) => ({ line: i + 1, fault: 'a quote is not closed' })),
  );
  expect(rows[60]).toEqual({ line: 61, cells: ['2026-06-01 10:10', '3'] });
});

test('a row of many columns is read, and a message names few of them', async () => {
  const name = write(
    'wide.csv',
    `time,${'c'.repeat(200_000)},${Array.from({ length: 100_000 }, (_, i) => `c${i}`).join(',')}\n2026-06-01 10:00,1\n`,
  );
  const { stderr, exitCode } = await load(name, 'B', '--time', 'nowhere');
  expect(exitCode).toBe(2);
  expect(stderr.length).toBeLessThan(2000);
  expect(stderr).toContain('and 99952 more');
  for (const [kind, ...options] of [
    ['plant', '--owner', 'owner@example.com'],
    ['device', '--plant', '1'],
  ] as const) {
    const outcome = await installation.helioport(kind, 'import', name, ...options);
    expect([outcome.exitCode, outcome.stderr.length < 4000]).toEqual([1, true]);
  }
});

test('NUL, halves of characters and what is no text at all are refused row by row', async () => {
  const name = write(
    'binary.csv',
    Buffer.concat([
      Buffer.from('2026-06-01 10:00,1\n2026-06-01 10:01,\u00002\n\u0000\n'),
      Buffer.from([0xed, 0xa0, 0x80, 0xff, 0xfe, 0x0a]),
      Buffer.from('PK\u0003\u0004zip,\u001b[2J\n2026-06-01 10:02,3\n'),
    ]),
  );
  expect((await load(name, 'C')).json()).toMatchObject({
    rows: 6,
    accepted: 2,
    refused: [{ line: 2 }, { line: 3 }, { line: 4 }, { line: 5 }],
  });
});

test('what is no regular file is refused: devices, pipes and folders, also behind links', async () => {
  execFileSync('mkfifo', [at('pipe')]);
  mkdirSync(at('folder'));
  symlinkSync('/dev/zero', at('link'));
  for (const file of ['/dev/zero', 'pipe', 'link', 'folder']) {
    const outcome = await load(file, 'D');
    expect([file, outcome.exitCode, outcome.stderr]).toEqual([
      file,
      1,
      expect.stringContaining(`${file} cannot be read`),
    ]);
  }
});

test('a terminal obeys no cell of a file', async () => {
  const name = write('terminal.csv', '\u001b[2J\u009b31m,\u001b]0;owned\u0007\n1,2\n1,2\n');
  const outcomes = [
    await load(name, 'E', '--time', 'nowhere'),
    await installation.helioport('plant', 'import', name, '--owner', 'owner@example.com'),
    await installation.helioport(
      'import',
      name,
      '--device',
      '\u001b[31mE',
      '--zone',
      'UTC',
      '--time',
      '#1',
      '--map',
      'acPowerW=#2',
    ),
    await load(name, 'E'),
  ];
  for (const { stdout, stderr } of outcomes)
    expect(`${stdout}${stderr}`).not.toMatch(/(?![\n\t])\p{Cc}/u);
  expect(outcomes[2]!.stderr).toContain('\ufffd[31mE');
});

test('as many plants as a file may have are printed; more are refused before anything is stored', async () => {
  const head = 'owner,name,capacityKwp,timeZone\n';
  const row = (i: number): string => `owner@example.com,Plant ${i},9,Europe/Berlin\n`;
  const name = write(
    'many.csv',
    `${head}${Array.from({ length: 100_001 }, (_, i) => row(i)).join('')}`,
  );
  const outcome = await installation.helioport('plant', 'import', name);
  expect([outcome.exitCode, outcome.stderr]).toEqual([
    1,
    expect.stringContaining('line 100002: more than 100000 rows'),
  ]);
});

test('an unreadable line is named wherever it stands', async () => {
  const long = 'x'.repeat(1_200_000);
  const named = (line: number) => ({
    line,
    reason: 'the line has more than 1000000 characters',
  });
  const row = (minute: number): string => `2026-06-02 10:${minute},1`;
  const headed = ['--time', 'time', '--map', 'acPowerW=power'];
  const numbered = ['--time', '#1', '--map', 'acPowerW=#2'];
  const run = (file: string, options: readonly string[]): Promise<Outcome> =>
    installation.helioport('import', file, '--device', 'A', '--zone', 'UTC', ...options, '--json');
  const cases: [name: string, text: string, options: string[], rows: number, line: number][] = [
    ['under-heading', `time,power\n${long}\n${row(10)}\n`, headed, 2, 2],
    ['under-units', `time,power\n,W\n${long}\n${row(11)}\n`, headed, 2, 3],
    ['above-units', `time,power\n${long}\n,W\n${row(12)}\n`, headed, 3, 2],
    ['with-mark', `\ufefftime,power\n${long}\n${row(13)}\n`, headed, 2, 2],
    ['only-row', `time,power\n${long}`, headed, 1, 2],
    ['last-row', `time,power\n${row(14)}\n${long}`, headed, 2, 3],
    ['first-row', `${long}\n${row(15)}\n`, numbered, 2, 1],
    ['between', `${row(16)}\n${long}\n${row(17)}\n`, numbered, 3, 2],
    ['nothing-else', long, numbered, 1, 1],
    ['nothing-else-ended', `${long}\n`, numbered, 1, 1],
  ];
  for (const [name, text, options, rows, line] of cases) {
    const outcome = await run(write(`named-${name}.csv`, text), options);
    const { refused, ...answer } = outcome.json() as { rows: number; refused: object[] };
    expect([name, answer.rows, refused[0]]).toEqual([name, rows, named(line)]);
  }
});

test('a file of the kernel, which says that it has no size, is not read at all', async () => {
  const file = await openText('/proc/self/environ');
  expect(file.bytes).toBe(0);
  const { bytesRead, chunks } = file.read();
  let text = '';
  for await (const chunk of chunks) text += chunk;
  expect([text, bytesRead()]).toEqual(['', 0]);
});
