import { chmodSync, chownSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pbkdf2Sync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createInstallation, type Installation } from '../support/command.ts';
import { settableClock } from '../support/world.ts';

describe('helioport mqtt access', () => {
  let home: Installation;
  let plant: string;
  beforeAll(async () => {
    home = createInstallation({ HELIOPORT_MQTT_URL: 'mqtt://helioport:p%40ss@127.0.0.1' });
    await home.ok(
      'user',
      'add',
      '--email',
      'owner@example.com',
      '--role',
      'owner',
      '--password',
      'correct horse battery',
    );
    plant = (
      await home.ok(
        'plant',
        'add',
        '--owner',
        'owner@example.com',
        '--name',
        'Roof',
        '--capacity-kwp',
        '10',
        '--time-zone',
        'UTC',
      )
    ).id;
  });
  afterAll(() => home.remove());

  const read = (name: string): string => readFileSync(join(home.folder, 'access', name), 'utf8');
  /** Whether a password is the one of a user, by the password file. */
  function knows(user: string, password: string): boolean {
    const [, iterations, salt, hash] = new RegExp(
      `^${user}:\\$7\\$(\\d+)\\$([^$]+)\\$(.+)$`,
      'm',
    ).exec(read('passwords'))!;
    return (
      pbkdf2Sync(password, Buffer.from(salt!, 'base64'), Number(iterations), 64, 'sha512').toString(
        'base64',
      ) === hash
    );
  }

  test('writes every token with its own topics, and the server', async () => {
    const { id, tokenId, token } = await home.ok(
      'collector',
      'add',
      '--plant',
      plant,
      '--sn',
      'C-1',
    );
    expect(await home.ok('mqtt', 'access', 'access')).toEqual({
      folder: join(home.folder, 'access'),
      users: 1,
      unknown: [],
    });
    expect([knows('helioport', 'p@ss'), knows(tokenId, token), knows(tokenId, 'other')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(read('acl')).toBe(
      [
        'user helioport',
        ...['report', 'backlog', 'result'].map((name) => `topic read helioport/v1/+/${name}`),
        ...['ack', 'command'].map((name) => `topic write helioport/v1/+/${name}`),
        '',
        `user ${tokenId}`,
        ...['report', 'backlog', 'result'].map((name) => `topic write helioport/v1/${id}/${name}`),
        ...['ack', 'command'].map((name) => `topic read helioport/v1/${id}/${name}`),
        '',
      ].join('\n'),
    );
    expect([read('passwords'), read('acl')].join('')).not.toContain(token);
    expect(statSync(join(home.folder, 'access', 'passwords')).mode & 0o077).toBe(0);
  });

  test('leaves mode and owner of the files as they were, so that the broker can still read them', async () => {
    const files = ['passwords', 'acl'].map((name) => join(home.folder, 'access', name));
    const states = (): number[][] =>
      files.map((file) => {
        const { mode, uid, gid } = statSync(file);
        return [mode & 0o7777, uid, gid];
      });
    // Another owner can be given by root alone.
    const [uid, gid] =
      process.getuid!() === 0 ? [12_345, 12_346] : [process.getuid!(), process.getgid!()];
    for (const file of files) {
      chownSync(file, uid, gid);
      chmodSync(file, 0o640);
    }
    const before = files.map((file) => statSync(file).ino);
    await home.ok('mqtt', 'access', 'access');
    expect(states()).toEqual(files.map(() => [0o640, uid, gid]));
    // They were replaced, not written over.
    expect(files.map((file) => statSync(file).ino)).not.toEqual(before);
    expect(readdirSync(join(home.folder, 'access')).toSorted()).toEqual(['acl', 'passwords']);
  });

  test('writes both tokens while a rotated one overlaps, and none that has ended', async () => {
    const { tokenId } = await home.ok('collector', 'rotate', 'C-1', '--overlap', '1d');
    expect(await home.ok('mqtt', 'access', 'access')).toMatchObject({ users: 2 });
    expect(read('acl')).toContain(`user ${tokenId}\n`);
    await home.ok('collector', 'revoke', 'C-1');
    expect(await home.ok('mqtt', 'access', 'access')).toMatchObject({ users: 0 });
    expect(read('acl')).not.toContain('user 1');
  });

  test('leaves out a rotated token as soon as its overlap is over', async () => {
    const clock = settableClock(Date.now());
    const later = createInstallation(home.environment, clock);
    await later.ok(
      'user',
      'add',
      '--email',
      'owner@example.com',
      '--role',
      'owner',
      '--password',
      'correct horse battery',
    );
    const roof = await later.ok(
      'plant',
      'add',
      '--owner',
      'owner@example.com',
      '--name',
      'Roof',
      '--capacity-kwp',
      '10',
      '--time-zone',
      'UTC',
    );
    const { tokenId } = await later.ok('collector', 'add', '--plant', roof.id, '--sn', 'C-1');
    await later.ok('collector', 'rotate', 'C-1', '--overlap', '1h');
    const written = async (): Promise<string[]> => {
      await later.ok('mqtt', 'access', 'access');
      return ['passwords', 'acl'].map((name) =>
        readFileSync(join(later.folder, 'access', name), 'utf8'),
      );
    };
    clock.at += 3_599_999;
    for (const text of await written()) expect(text).toContain(tokenId);
    clock.at += 1;
    for (const text of await written()) expect(text).not.toContain(tokenId);
    later.remove();
  });

  test('needs the address of the broker with the user of the server', async () => {
    for (const url of ['', 'mqtt://127.0.0.1', 'mqtt://helioport@127.0.0.1']) {
      const elsewhere = createInstallation({ HELIOPORT_MQTT_URL: url });
      expect(await elsewhere.helioport('mqtt', 'access', 'access')).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('HELIOPORT_MQTT_URL'),
      });
      elsewhere.remove();
    }
  });
});
