import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { exampleEvent } from '@helioport/contract';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../packages/server/src/interfaces/cli/main.ts';
import { startReceiver, type Receiver } from '../forwarding/receiver.ts';
import { createInstallation, type Installation } from '../support/command.ts';

describe('forwarding on the command line', () => {
  let home: Installation;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
    home = createInstallation({ HELIOPORT_EGRESS_ALLOW: '127.0.0.0/8' });
    await home.ok(
      'app',
      'create',
      '--name',
      'Yield Watch',
      '--redirect-uri',
      'https://yield.example/callback',
    );
  });
  afterAll(async () => {
    home.remove();
    await receiver.close();
  });
  const add = (...more: string[]) =>
    home.ok('forwarding', 'add', '--app', 'Yield Watch', '--url', receiver.url, ...more);

  test('adds, lists and shows destinations', async () => {
    const made = await add(
      '--kinds',
      'telemetry.sample,alarm.raised',
      '--plants',
      '1,2',
      '--devices',
      'SN-1',
      '--gzip',
    );
    expect(made).toEqual({
      id: expect.stringMatching(/^\d{19}$/),
      secret: expect.stringMatching(/^whsec_/),
    });
    const { id } = made;
    const shown = await home.ok('forwarding', 'show', id);
    expect(shown).toMatchObject({
      id,
      application: 'Yield Watch',
      kinds: ['telemetry.sample', 'alarm.raised'],
      plantIds: ['1', '2'],
      gzip: true,
      state: 'active',
    });
    expect(await home.ok('forwarding', 'list', '--app', 'Yield Watch')).toEqual([shown]);
    expect((await home.helioport('forwarding', 'list')).stdout).toContain(receiver.url);
    expect((await home.helioport('forwarding', 'show', '--id', id)).stdout).toContain(
      'telemetry.sample alarm.raised',
    );
    expect(await home.ok('forwarding', 'pause', id)).toEqual({ id, state: 'paused' });
    expect(await home.ok('forwarding', 'resume', id)).toEqual({ id, state: 'active' });
    expect(await home.ok('forwarding', 'remove', id)).toEqual({ id, removed: true });
    expect(await home.ok('forwarding', 'list')).toEqual([]);
  });

  test('tests a destination, and exits with 1 when it does not take the event', async () => {
    const { id } = await add();
    expect(await home.ok('forwarding', 'test', id)).toMatchObject({ delivered: true });
    receiver.react = () => ({ status: 500, body: 'out of order' });
    const failed = await home.helioport('forwarding', 'test', id);
    expect([failed.exitCode, failed.stdout]).toEqual([1, expect.stringContaining('out of order')]);
    receiver.react = () => ({ status: 200 });
  });

  test('replaces secrets and passwords', async () => {
    const { id, secret } = await add();
    const rotated = await home.ok('forwarding', 'rotate', id, '--overlap', '2h');
    expect(rotated).toEqual({
      id,
      secret: expect.stringMatching(/^whsec_/),
      formerEndsAt: expect.any(Number),
    });
    expect(rotated.secret).not.toBe(secret);
    const broker = await home.ok(
      'forwarding',
      'add',
      '--app',
      'Yield Watch',
      '--url',
      'mqtt://127.0.0.1:18830',
      '--topic',
      'solar/{plantId}/{kind}',
      '--username',
      'me',
    );
    expect(broker.secret).toBeNull();
    const typed = await home.helioportWith(
      { stream: Readable.from(['new words\n']), ask: () => {} },
      'forwarding',
      'rotate',
      broker.id,
      '--ask-password',
    );
    expect([typed.exitCode, typed.stdout]).toEqual([0, `${broker.id} has the new password`]);
  });

  test('asks for events again, and says what was given up and what is missing', async () => {
    const { id } = await add();
    expect(await home.ok('forwarding', 'replay', id, '--from', '2026-11-22T08:00:00Z')).toEqual({
      id,
      replays: 0,
    });
    expect((await home.helioport('forwarding', 'replay', id, '--dead-letters')).stdout).toBe(
      'nothing to send',
    );
    expect(await home.ok('forwarding', 'dead-letters', id)).toEqual([]);
    expect(await home.ok('forwarding', 'gaps', id)).toEqual({
      behindSeconds: 0,
      waiting: [],
      deadLetters: 0,
      lost: [],
    });
    expect((await home.helioport('forwarding', 'gaps', id)).stdout).toContain('behind by 0 s');
  });

  test('asks for a snapshot of the present, at the beginning or later', async () => {
    const { id } = await add();
    expect((await home.helioport('forwarding', 'snapshot', id)).stdout).toBe(
      'snapshot 1 is being sent',
    );
    expect(await home.ok('forwarding', 'show', id)).toMatchObject({ snapshot: 'sending' });
    expect(await home.helioport('forwarding', 'snapshot', id)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('a snapshot is being sent'),
    });
    const { id: other } = await home.ok(
      'forwarding',
      'add',
      '--app',
      'Yield Watch',
      '--url',
      'http://127.0.0.1:9000/events',
      '--snapshot',
    );
    expect(await home.ok('forwarding', 'show', other)).toMatchObject({ snapshot: 'sending' });
  });

  test('shows what a destination is sent', async () => {
    const { id } = await add();
    const tailed = await home.helioport('forwarding', 'tail', id, '--for', '1s');
    expect([tailed.exitCode, tailed.stdout, tailed.stderr]).toEqual([
      0,
      '',
      expect.stringContaining('waiting for events'),
    ]);
  });

  test('receives events on this machine, and refuses what is not signed with the secret', async () => {
    const secret = `whsec_${btoa('a secret of a destination')}`;
    const [lines, notes]: [string[], string[]] = [[], []];
    const ended = run(['forwarding', 'listen', '--port', '0', '--for', '10s', '--json'], {
      environment: home.environment,
      folder: home.folder,
      write: (text) => void lines.push(text),
      writeNote: (text) => void notes.push(text),
      secretInput: { stream: Readable.from([`${secret}\n`]), ask: () => {} },
    });
    await expect.poll(() => notes[0]).toContain('listening on http://127.0.0.1:');
    const url = notes[0]!.slice(notes[0]!.indexOf('http'));
    const send = async (body: string, key: string, gzip = false) => {
      const sentAt = new Date();
      const signature = new Webhook(key).sign('evt', sentAt, body);
      const headers = {
        'webhook-id': 'evt',
        'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
        'webhook-signature': signature,
      };
      const answer = await fetch(url, {
        method: 'POST',
        headers: gzip ? { ...headers, 'content-encoding': 'gzip' } : headers,
        body: gzip ? gzipSync(body) : body,
      });
      return answer.status;
    };
    const event = exampleEvent('alarm.raised');
    expect(await send(JSON.stringify(event), secret)).toBe(204);
    expect(await send(JSON.stringify([event, event]), secret, true)).toBe(204);
    expect(await send(JSON.stringify(event), `whsec_${btoa('another')}`)).toBe(400);
    expect(await send('x'.repeat(5 * 1024 * 1024), secret)).toBe(400);
    expect(await send('x'.repeat(5 * 1024 * 1024), secret, true)).toBe(400);
    expect(await ended).toBe(0);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([event, event, event]);
    expect(notes.slice(1)).toEqual([
      'refused: the signature is not ours',
      'refused: the request is too long',
      'refused: the request could not be read',
    ]);
  });

  test('listens with a secret alone, and on a port alone', async () => {
    const typed = await home.helioportWith(
      { stream: Readable.from(['secret\n']), ask: () => {} },
      'forwarding',
      'listen',
      '--for',
      '1s',
    );
    expect([typed.exitCode, typed.stderr]).toEqual([1, expect.stringContaining('whsec_')]);
    const port = await home.helioport('forwarding', 'listen', '--port', '70000');
    expect([port.exitCode, port.stderr]).toEqual([2, expect.stringContaining('65535')]);
  });

  test.each<[readonly string[], number, string]>([
    [['add', '--app', 'Nobody', '--url', 'https://93.184.215.14'], 1, 'application'],
    [['add', '--app', 'Yield Watch', '--url', 'https://10.0.0.1'], 2, 'public internet'],
    [['add', '--app', 'Yield Watch'], 2, '--url'],
    [
      ['add', '--app', 'Yield Watch', '--url', 'https://93.184.215.14', '--kinds', 'all'],
      2,
      'telemetry.sample',
    ],
    [
      ['add', '--app', 'Yield Watch', '--url', 'https://93.184.215.14', '--ca', 'missing.pem'],
      1,
      'missing.pem',
    ],
    [['tail', '1300000000000000009'], 1, 'no such destination'],
    [['show'], 2, 'the id of a destination'],
    [['show', '1300000000000000009'], 1, 'no such destination'],
    [['replay', '1300000000000000009', '--from', 'yesterday'], 2, 'epoch milliseconds'],
    [['replay', '1300000000000000009'], 2, 'one of'],
  ])('%j is refused', async (args, exitCode, text) => {
    const refused = await home.helioport('forwarding', ...args);
    expect([refused.exitCode, refused.stderr]).toEqual([exitCode, expect.stringContaining(text)]);
  });
});
