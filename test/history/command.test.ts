import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createInstallation, makeKey, type Installation } from '../support/command.ts';
import { refusal, startApiDouble, success, type ApiDouble } from '../sdk/api-double.ts';

let api: ApiDouble;
let installation: Installation;
const SECRET = 'spruce-needle-71';

beforeEach(async () => {
  api = await startApiDouble();
  installation = createInstallation();
  await makeKey(installation);
});
afterEach(async () => {
  installation.remove();
  await api.close();
});

const load = (...options: string[]) =>
  installation.helioport('history', 'import', '--from', api.url, '--per-second', '100', ...options);

test('the secret comes from a file or the environment, never from the command line', async () => {
  writeFileSync(join(installation.folder, 'secret'), `${SECRET}\n`);
  const asked = await load('--key-id', '7', '--key-secret-file', 'secret');
  expect(api.calls[0]!.headers['authorization']).toMatch(/^API 7:/);
  expect(asked.stderr + asked.stdout).not.toContain(SECRET);
  const onTheLine = await load('--key-id', '7', '--key-secret', SECRET);
  expect([onTheLine.exitCode, onTheLine.stderr]).toEqual([
    2,
    expect.stringContaining("unknown option '--key-secret'"),
  ]);
});

test.each<[string, string[], string]>([
  ['no key', [], 'say which key with --key-id or HELIOPORT_KEY_ID'],
  ['no secret', ['--key-id', '7'], 'give the KeySecret with --key-secret-file'],
  ['a pace of nothing', ['--key-id', '7', '--per-second', '0'], 'expected a number up to 100'],
])('says what is missing: %s', async (_, options, message) => {
  const { exitCode, stderr } = await load(...options);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(api.calls).toEqual([]);
});

test('a key pair that is refused ends it at once, in both ways of signing', async () => {
  const wrong = { status: 403, body: refusal('403', 'wrong sign') };
  api.answers.push(
    () => wrong,
    () => wrong,
  );
  installation.environment['HELIOPORT_KEY_SECRET'] = SECRET;
  const { exitCode, stderr } = await load('--key-id', '7');
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('wrong sign')]);
  expect(api.calls.map(({ headers }) => headers['content-type'])).toEqual([
    'application/json',
    'application/json;charset=UTF-8',
  ]);
});

test('without a device on both sides, there is nothing to import', async () => {
  api.answers.push(() => ({
    body: success({ page: { records: [{ sn: 'THERE-1', stationName: 'Barn' }], pages: 1 } }),
  }));
  installation.environment['HELIOPORT_KEY_SECRET'] = SECRET;
  const { exitCode, stderr } = await load('--key-id', '7');
  expect(exitCode).toBe(1);
  expect(stderr).toContain('THERE-1 (Barn) is not here: add it to import it');
  expect(stderr).toContain('no device is there and here');
});

test('where several accounts have plants, an account elsewhere is the past of one of them alone', async () => {
  api.answers.push(() => ({
    body: success({ page: { records: [{ sn: 'BOBS-1', stationName: 'Barn' }], pages: 1 } }),
  }));
  installation.environment['HELIOPORT_KEY_SECRET'] = SECRET;
  for (const [email, sn] of [
    ['ada@example.org', 'ADAS-1'],
    ['bob@example.org', 'BOBS-1'],
  ] as const) {
    const account = ['--email', email, '--role', 'owner', '--password', 'kestrel meadow 42'];
    await installation.ok('user', 'add', ...account);
    const { id: plantId } = (await installation.ok(
      'plant',
      'add',
      '--owner',
      email,
      '--name',
      'Home',
      '--capacity-kwp',
      '9',
    )) as { id: string };
    await installation.ok('device', 'add', '--plant', plantId, '--kind', 'inverter', '--sn', sn);
  }
  const unsaid = await load('--key-id', '7');
  expect([unsaid.exitCode, unsaid.stderr]).toEqual([
    2,
    expect.stringContaining('say whose past this is with --owner EMAIL, or --plant ID'),
  ]);
  expect(api.calls).toEqual([]);
  const adas = await load('--key-id', '7', '--owner', 'ada@example.org');
  expect(adas.exitCode).toBe(1);
  expect(adas.stderr).toContain('BOBS-1 (Barn) is not here: add it to import it');
  const nobodys = await load('--key-id', '7', '--owner', 'nobody@example.org');
  expect(nobodys.exitCode).not.toBe(0);
});
