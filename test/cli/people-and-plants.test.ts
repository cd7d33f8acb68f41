import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createInstallation, type Installation, type Outcome } from '../support/command.ts';

describe('people, keys, plants and devices on the command line', () => {
  let home: Installation;
  beforeAll(async () => {
    home = createInstallation();
    await ok(
      'user',
      'add',
      '--email',
      'owner@example.com',
      '--role',
      'owner',
      '--password',
      'correct horse',
      '--time-zone',
      'Europe/Berlin',
    );
    await ok(
      'user',
      'add',
      '--email',
      'installer@example.com',
      '--role',
      'installer',
      '--password',
      'correct horse',
    );
  });
  afterAll(() => home.remove());

  const run = (...args: string[]): Promise<Outcome> => home.helioport(...args, '--json');
  const ok: Installation['ok'] = (...args) => home.ok(...args);
  const ending =
    (code: number) =>
    async (...args: string[]): Promise<string> => {
      const { exitCode, stdout, stderr } = await run(...args);
      expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: '' });
      return stderr;
    };
  const [refused, wronglyUsed] = [ending(1), ending(2)];
  const addPlant = (...more: string[]): Promise<{ id: string }> =>
    ok(
      'plant',
      'add',
      '--owner',
      'owner@example.com',
      '--name',
      'Roof',
      '--capacity-kwp',
      '9.9',
      '--time-zone',
      'America/Denver',
      ...more,
    );

  test('a user without a password gets one that is shown once', async () => {
    const shown = await ok('user', 'add', '--email', 'Anna@Example.com', '--role', 'developer');
    expect(shown).toEqual({
      id: expect.stringMatching(/^\d{19}$/),
      email: 'anna@example.com',
      role: 'developer',
      password: expect.stringMatching(/^[A-Za-z0-9]{20}$/),
    });
    const list = await ok('user', 'list');
    expect(list.map((user: { email: string }) => user.email)).toEqual([
      'owner@example.com',
      'installer@example.com',
      'anna@example.com',
    ]);
    expect(JSON.stringify(list)).not.toMatch(/argon2|password/i);
  });

  test('what cannot be done is one sentence and exit code 1, a value that cannot be and bad usage exit code 2', async () => {
    expect(await refused('user', 'add', '--email', 'owner@example.com')).toContain(
      'owner@example.com already has an account',
    );
    expect(await wronglyUsed('user', 'add', '--email', 'nonsense')).toContain(
      'a single e-mail address',
    );
    expect(await refused('user', 'disable', 'nobody@example.com')).toContain(
      'the user does not exist',
    );
    expect(await refused('plant', 'share', '1', '--with', 'installer@example.com')).toContain(
      'there is no such ',
    );
    expect(await refused('collector', 'show', 'NONE')).toContain(
      'there is no such collector: NONE',
    );
    for (const args of [
      ['user', 'add'],
      ['user', 'add', '--email', 'a@b.c', '--role', 'king'],
      ['key', 'disable'],
      ['plant', 'add', '--owner', 'owner@example.com', '--name', 'x', '--capacity-kwp', 'big'],
    ]) {
      expect((await run(...args)).exitCode).toBe(2);
    }
  });

  test('a user is disabled and enabled, and gets a new password', async () => {
    expect(await ok('user', 'disable', 'installer@example.com')).toMatchObject({ disabled: true });
    expect((await ok('user', 'list'))[1].disabledAt).toEqual(expect.any(Number));
    expect(await ok('user', 'disable', '--email', 'installer@example.com', '--undo')).toMatchObject(
      { disabled: false },
    );
    expect(
      await ok('user', 'password', 'installer@example.com', '--password', 'a new passphrase'),
    ).toEqual({
      id: expect.any(String),
      email: 'installer@example.com',
    });
  });

  test('an account is closed, listed with the day of its removal, and taken back', async () => {
    await ok('user', 'add', '--email', 'leaving@example.com', '--password', 'correct horse');
    const day = 86_400_000;
    const { removeAt } = await ok('user', 'close', 'leaving@example.com');
    expect(Math.abs(removeAt - Date.now() - 14 * day)).toBeLessThan(day / 2);
    const listed = async () =>
      (await ok('user', 'list')).find(
        ({ email }: { email: string }) => email === 'leaving@example.com',
      );
    expect(await listed()).toMatchObject({ removeAt });
    expect(await refused('user', 'close', '--email', 'leaving@example.com')).toContain(
      'an account that is not closed',
    );
    expect(await refused('user', 'disable', 'leaving@example.com', '--undo')).toContain(
      'reopen it',
    );
    const { stdout } = await home.helioport('user', 'reopen', 'leaving@example.com');
    expect(stdout).toContain('leaving@example.com can log in again');
    expect((await listed()).removeAt ?? null).toBeNull();
    expect((await home.helioport('user', 'close', 'leaving@example.com')).stdout).toContain(
      'takes this back',
    );
  });

  test('second factors are reset', async () => {
    const { stdout } = await home.helioport('user', 'reset-factors', 'owner@example.com');
    expect(stdout).toContain('owner@example.com logs in with the password alone');
    expect(await refused('user', 'reset-factors', 'nobody@example.com')).toContain(
      'the user does not exist',
    );
  });

  test('an operator has no plants, and loses what the account had', async () => {
    expect(await ok('user', 'role', 'installer@example.com', 'operator')).toMatchObject({
      email: 'installer@example.com',
      role: 'operator',
    });
    expect(await ok('user', 'role', 'installer@example.com', 'installer')).toMatchObject({
      role: 'installer',
    });
    await addPlant();
    expect(await refused('user', 'role', 'owner@example.com', 'operator')).toContain(
      'an account without plants and shares',
    );
    expect((await run('user', 'role', 'owner@example.com', 'king')).exitCode).toBe(2);
  });

  test('what happened to an account is listed, newest first, page by page', async () => {
    await ok('user', 'add', '--email', 'watched@example.com', '--password', 'correct horse');
    await ok('key', 'create', '--user', 'watched@example.com');
    await ok('user', 'disable', 'watched@example.com');
    const events = await ok('user', 'audit', 'watched@example.com');
    const kinds = events.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(
      expect.arrayContaining(['account.disabled', 'key.created', 'account.created']),
    );
    expect(kinds.indexOf('account.disabled')).toBeLessThan(kinds.indexOf('key.created'));
    expect(events.every(({ actor }: { actor: string }) => actor === 'operator')).toBe(true);
    expect(
      await ok(
        'user',
        'audit',
        '--email',
        'watched@example.com',
        '--limit',
        '1',
        '--before',
        events[0].id,
      ),
    ).toEqual([events[1]]);
    expect(JSON.stringify(events)).not.toMatch(/argon2|secret/i);
    for (const limit of ['0', '-1', '1.5', 'many'])
      expect((await run('user', 'audit', 'watched@example.com', '--limit', limit)).exitCode).toBe(
        2,
      );
  });

  test('a key pair is made, listed without its secret, and disabled', async () => {
    const pair = await ok(
      'key',
      'create',
      '--user',
      'owner@example.com',
      '--label',
      'home',
      '--no-control',
      '--cidr',
      '10.0.0.0/8',
      '--expires',
      '2100-01-01',
    );
    expect(pair).toEqual({
      keyId: expect.stringMatching(/^\d{19}$/),
      keySecret: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    const plain = await ok('key', 'create', '--user', 'owner@example.com');
    const list = await ok('key', 'list', '--user', 'owner@example.com');
    expect(list).toMatchObject([
      {
        keyId: pair.keyId,
        email: 'owner@example.com',
        label: 'home',
        canControl: false,
        cidrs: ['10.0.0.0/8'],
        expiresAt: Date.UTC(2100, 0, 1),
        pending: false,
      },
      { keyId: plain.keyId, canControl: true, plantIds: null, cidrs: null, expiresAt: null },
    ]);
    expect(JSON.stringify(list)).not.toContain(pair.keySecret);
    await ok('key', 'disable', pair.keyId);
    expect((await home.helioport('key', 'list')).stdout).toMatch(
      new RegExp(`${pair.keyId} .*disabled`),
    );
    expect(await refused('key', 'disable', '1300000000000000000')).toContain('no such key pair');
  });

  test('a key pair is narrowed to plants that its user may see', async () => {
    const { id: plant } = await addPlant();
    const { keyId } = await ok('key', 'create', '--user', 'owner@example.com', '--plant', plant);
    expect(
      (await ok('key', 'list')).find((key: { keyId: string }) => key.keyId === keyId).plantIds,
    ).toEqual([plant]);
    expect(
      await refused(
        'key',
        'create',
        '--user',
        'owner@example.com',
        '--plant',
        plant,
        '1300000000000000000',
      ),
    ).toContain('no such plant');
    expect(
      await refused('key', 'create', '--user', 'installer@example.com', '--plant', plant),
    ).toContain('no such plant');
  });

  test('a plant is added, shared, transferred and archived', async () => {
    const { id } = await addPlant(
      '--installer',
      'installer@example.com',
      '--price-per-kwh',
      '0.08',
      '--currency',
      'USD',
    );
    expect(id).toMatch(/^\d{19}$/);
    const shown = async () =>
      (await ok('plant', 'list')).find((plant: { id: string }) => plant.id === id);
    expect(await shown()).toMatchObject({
      name: 'Roof',
      owner: 'owner@example.com',
      timeZone: 'America/Denver',
      shares: [{ email: 'installer@example.com', level: 'control' }],
    });
    expect(await ok('plant', 'share', id, '--with', 'installer@example.com')).toEqual({
      id,
      with: 'installer@example.com',
      level: 'read',
    });
    expect((await shown()).shares).toEqual([{ email: 'installer@example.com', level: 'read' }]);
    await ok('plant', 'unshare', '--plant', id, '--with', 'installer@example.com');
    expect((await shown()).shares).toEqual([]);
    await ok('plant', 'transfer', id, '--to', 'installer@example.com');
    expect(await ok('plant', 'list', '--owner', 'installer@example.com')).toMatchObject([
      { id, archivedAt: null },
    ]);
    await ok('plant', 'archive', id);
    expect((await shown()).archivedAt).toEqual(expect.any(Number));
  });

  test('the zone at its position is the plant’s where none is named', async () => {
    const add = [
      'plant',
      'add',
      '--owner',
      'owner@example.com',
      '--name',
      'Harbour',
      '--capacity-kwp',
      '1',
      '--latitude',
      '-33.87',
      '--longitude',
      '151.2',
    ] as const;
    for (const [more, zone] of [
      [[], 'Australia/Sydney'],
      [['--time-zone', 'Asia/Kathmandu'], 'Asia/Kathmandu'],
    ] as const) {
      const { id } = await ok(...add, ...more);
      expect(
        (await ok('plant', 'list')).find((plant: { id: string }) => plant.id === id).timeZone,
      ).toBe(zone);
    }
  });

  test('the owner’s zone is the plant’s where none is named and no position', async () => {
    const { id } = await ok(
      'plant',
      'add',
      '--owner',
      'owner@example.com',
      '--name',
      'Zoneless',
      '--capacity-kwp',
      '1',
    );
    expect(
      (await ok('plant', 'list')).find((plant: { id: string }) => plant.id === id).timeZone,
    ).toBe('Europe/Berlin');
  });

  test('a collector gets a token once, devices are bound to plant and collector', async () => {
    const { id: plant } = await addPlant();
    const collector = await ok('collector', 'add', '--plant', plant, '--sn', 'Col-1');
    expect(collector).toEqual({
      id: expect.stringMatching(/^\d{19}$/),
      sn: 'Col-1',
      tokenId: expect.stringMatching(/^\d{19}$/),
      token: expect.stringMatching(/^[A-Za-z0-9]{43}$/),
      gatewayUrl: 'http://127.0.0.1:8083',
    });
    const inverter = await ok(
      'device',
      'add',
      '--plant',
      plant,
      '--kind',
      'inverter',
      '--sn',
      'Inv-a',
      '--collector',
      'Col-1',
      '--model',
      'M-5',
      '--rated-power-w',
      '5000',
    );
    expect(inverter).toEqual({ id: expect.stringMatching(/^\d{19}$/), sn: 'Inv-a' });
    expect(await ok('device', 'list', '--plant', plant)).toMatchObject([
      { id: collector.id, sn: 'Col-1', kind: 'collector', plantId: plant },
      {
        id: inverter.id,
        sn: 'Inv-a',
        kind: 'inverter',
        model: 'M-5',
        plantId: plant,
        collectorSn: 'Col-1',
        ratedPowerW: 5000,
      },
    ]);
    expect(await ok('collector', 'show', 'Col-1')).toEqual({
      id: collector.id,
      sn: 'Col-1',
      model: null,
      plantId: plant,
      lastReportAt: null,
      clockOffsetSeconds: null,
      tokens: [
        { id: expect.stringMatching(/^\d{19}$/), createdAt: expect.any(Number), expiresAt: null },
      ],
      devices: ['Inv-a'],
      refusals: [],
    });
    expect((await home.helioport('collector', 'show', 'Col-1')).stdout).toContain(
      'recently refused: nothing',
    );
    expect((await run('device', 'list')).stdout).not.toContain(collector.token);
  });

  test('a serial number is one device; refused steps leave nothing behind', async () => {
    const [{ id: first }, { id: second }] = [await addPlant(), await addPlant()];
    const add = ['device', 'add', '--kind', 'inverter', '--sn', 'Twice'];
    await ok(...add, '--plant', first);
    expect(await refused(...add, '--plant', second)).toContain('already bound');
    expect(
      await refused('device', 'add', '--kind', 'epm', '--sn', 'Twice', '--plant', first),
    ).toContain('inverter');
    expect(await refused('collector', 'add', '--sn', 'Twice')).toContain('not taken');
    expect(
      await refused(
        'device',
        'add',
        '--kind',
        'epm',
        '--sn',
        'New',
        '--plant',
        first,
        '--collector',
        'Missing',
      ),
    ).toContain('collector');
    expect(
      await wronglyUsed('device', 'add', '--kind', 'epm', '--sn', 'a,b', '--plant', first),
    ).toContain('serial number');
    expect(
      (await ok('device', 'list', '--plant', first)).map(({ sn }: { sn: string }) => sn),
    ).toEqual(['Twice']);
    await ok('plant', 'archive', first);
    await ok(...add, '--plant', second);
    expect(
      (await ok('device', 'list', '--plant', second)).map(({ sn }: { sn: string }) => sn),
    ).toEqual(['Twice']);
  });
});
