import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createMemoryBacklog,
  openBacklog,
  type Backlog,
  type BacklogFileOptions,
  type Report,
} from '@helioport/collector';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const reportOf = (at: number): Report => ({
  readings: [{ sn: 'größer/+#', at, values: { acPowerW: at } }],
});
const timesOf = (backlog: Backlog, bytes = Infinity): number[] =>
  backlog.oldest(bytes).map(({ report }) => report.readings![0]!.at);
const keysOf = (backlog: Backlog): number[] => backlog.oldest(Infinity).map(({ key }) => key);

let folder: string;
let file: string;
let opened: Backlog[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'helioport-backlog-'));
  file = join(folder, 'backlog.jsonl');
  opened = [];
});
afterEach(() => {
  for (const backlog of opened) backlog.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(options?: BacklogFileOptions): Backlog {
  const backlog = openBacklog(file, options);
  opened.push(backlog);
  return backlog;
}

describe.each([
  ['in a file', () => open()],
  ['in memory', () => createMemoryBacklog()],
])('a backlog %s', (_, make) => {
  test('gives its oldest reports, as many as fit, and at least one', () => {
    const backlog = make();
    for (let at = 1; at <= 5; at++) backlog.add(reportOf(at));
    expect([backlog.waiting, timesOf(backlog)]).toEqual([5, [1, 2, 3, 4, 5]]);
    expect([timesOf(backlog, 1), timesOf(backlog, 190)]).toEqual([[1], [1, 2]]);
  });

  test('forgets what was delivered, in any order, and once', () => {
    const backlog = make();
    const keys = [1, 2, 3, 4].map((at) => backlog.add(reportOf(at)));
    backlog.remove([keys[2]!, keys[0]!]);
    backlog.remove([keys[2]!, 99]);
    expect([backlog.waiting, timesOf(backlog)]).toEqual([2, [2, 4]]);
    backlog.remove(keys);
    expect([backlog.waiting, timesOf(backlog)]).toEqual([0, []]);
    backlog.add(reportOf(5));
    expect(timesOf(backlog)).toEqual([5]);
  });
});

test('a backlog in memory drops the oldest beyond its bound', () => {
  const backlog = createMemoryBacklog(3);
  for (let at = 1; at <= 5; at++) backlog.add(reportOf(at));
  expect([backlog.waiting, backlog.dropped, timesOf(backlog)]).toEqual([3, 2, [3, 4, 5]]);
});

describe('a backlog in a file', () => {
  test('has what was not delivered when it is opened again, and gives no key twice', () => {
    const first = open();
    const keys = [1, 2, 3].map((at) => first.add(reportOf(at)));
    first.remove([keys[1]!]);
    const second = open();
    expect([timesOf(second), keysOf(second)]).toEqual([
      [1, 3],
      [keys[0], keys[2]],
    ]);
    expect(keys).not.toContain(second.add(reportOf(4)));
    expect(timesOf(open())).toEqual([1, 3, 4]);
  });

  test('is for its owner alone, and empty when everything was delivered', () => {
    const backlog = open();
    backlog.remove([backlog.add(reportOf(1)), backlog.add(reportOf(2))]);
    expect([statSync(file).size, statSync(file).mode & 0o077]).toEqual([0, 0]);
  });

  test('torn at any byte, has every report whose line is whole, and takes others', () => {
    const written = open();
    for (const at of [1, 2]) written.add(reportOf(at));
    const bytes = readFileSync(file);
    const ends = [...bytes.keys()].filter((i) => bytes[i] === 10);
    for (let length = 0; length <= bytes.length; length++) {
      writeFileSync(file, bytes.subarray(0, length));
      const whole = [1, 2].slice(0, ends.filter((end) => end < length).length);
      const backlog = openBacklog(file);
      expect(timesOf(backlog)).toEqual(whole);
      backlog.add(reportOf(9));
      backlog.close();
      const again = openBacklog(file);
      expect(timesOf(again)).toEqual([...whole, 9]);
      again.close();
    }
  });

  test('skips damaged lines', () => {
    const written = open();
    for (const at of [1, 2, 3]) written.add(reportOf(at));
    const [first, , third] = readFileSync(file, 'utf8').split('\n');
    writeFileSync(
      file,
      [first, '\0\0\0\0', '{"key":"x","report":{}}', '{"key":7}', '[]', 'null', third, ''].join(
        '\n',
      ),
    );
    expect(timesOf(open())).toEqual([1, 3]);
  });

  test('drops the oldest beyond its size, and the file does not outgrow twice that', () => {
    const maxBytes = 4_000;
    const backlog = open({ maxBytes });
    let largest = 0;
    for (let at = 1; at <= 500; at++) {
      backlog.add(reportOf(at));
      largest = Math.max(largest, statSync(file).size);
    }
    expect(backlog.waiting + backlog.dropped).toBe(500);
    expect(backlog.waiting).toBeGreaterThan(30);
    expect(largest).toBeLessThanOrEqual(2 * maxBytes + 200);
    const kept = timesOf(backlog);
    expect(kept).toEqual(
      Array.from({ length: backlog.waiting }, (_, i) => 500 - backlog.waiting + 1 + i),
    );
    expect(timesOf(open({ maxBytes }))).toEqual(kept);
  });

  test('is written anew while most of it was delivered, and loses nothing by that', () => {
    const backlog = open({ maxBytes: 2_000 });
    const first = backlog.add(reportOf(0));
    for (let at = 1; at <= 300; at++) backlog.remove([backlog.add(reportOf(at))]);
    expect(statSync(file).size).toBeLessThan(4_200);
    expect([timesOf(backlog), keysOf(backlog), timesOf(open())]).toEqual([[0], [first], [0]]);
  });

  // The limit makes a write fail halfway, like a full disk does.
  test.skipIf(process.platform === 'win32')(
    'on a full disk, refuses a report whole and keeps the others',
    () => {
      const program = `
      import { openBacklog } from '@helioport/collector';
      const backlog = openBacklog(process.argv[1]);
      const report = { readings: [{ sn: 'A', at: 1, values: {} }], alarms: [{ sn: 'A', code: '1', at: 1, message: 'x'.repeat(900) }] };
      let kept = 0;
      try {
        for (;;) kept = backlog.add(report);
      } catch (error) {
        console.log(JSON.stringify([kept, error.code, backlog.waiting, backlog.oldest(Infinity).length]));
      }
    `;
      const script = `trap '' XFSZ; ulimit -f 8; exec "$0" --disable-warning=ExperimentalWarning --input-type=module -e "$1" "$2"`;
      const output = execFileSync('sh', ['-c', script, process.execPath, program, file], {
        cwd: root,
        encoding: 'utf8',
      });
      const [kept, code, waiting, readable] = JSON.parse(output) as [
        number,
        string,
        number,
        number,
      ];
      expect([code, waiting, readable]).toEqual(['EFBIG', kept, kept]);
      expect(kept).toBeGreaterThan(2);
      expect(keysOf(open())).toHaveLength(kept);
    },
  );
});
