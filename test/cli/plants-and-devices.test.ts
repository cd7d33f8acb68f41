import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quantities } from '@helioport/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rememberRefusals } from '../../packages/server/src/fleet/collectors/refusals.ts';
import { insertSession } from '../../packages/server/src/identity/accounts/sessions.ts';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { recordConsent } from '../../packages/server/src/identity/oauth/grants.ts';
import {
  invite,
  type NewInvitation,
} from '../../packages/server/src/fleet/plants/invitations/invite.ts';
import { addClient } from '../oauth/fixture.ts';
import { createInstallation, type Installation } from '../support/command.ts';
import { describeEngines, settingsOf } from '../support/engines.ts';
import { everythingStored } from '../support/stored.ts';
import { createWorld } from '../support/world.ts';

const OWNER = 'owner@example.com';
const OTHER = 'other@example.com';

describeEngines('plants, devices and people on the command line', (database) => {
  const world = createWorld(database, { at: Date.now(), now: () => systemClock.now() });
  let home: Installation;
  beforeAll(async () => {
    home = createInstallation(settingsOf(database()));
    for (const email of [OWNER, OTHER])
      await ok(
        'user',
        'add',
        '--email',
        email,
        '--password',
        'sun on the barn roof',
        '--time-zone',
        'Europe/Berlin',
      );
  });
  afterAll(() => home.remove());

  const ok: Installation['ok'] = (...args) => home.ok(...args);
  /** What is said, in the one sentence of a command that changed nothing. */
  const ending =
    (code: number) =>
    async (...args: string[]): Promise<string> => {
      const before = await everythingStored(database());
      const { exitCode, stdout, stderr } = await home.helioport(...args);
      expect([args, exitCode, stdout]).toEqual([args, code, '']);
      expect(await everythingStored(database())).toEqual(before);
      return stderr.replace(/^helioport: /, '');
    };
  const [refused, wronglyUsed] = [ending(1), ending(2)];
  let files = 0;
  const csv = (...lines: string[]): string => {
    const name = `rows-${++files}.csv`;
    writeFileSync(join(home.folder, name), lines.join('\n'));
    return name;
  };
  const addPlant = async (owner = OWNER): Promise<string> =>
    (await ok('plant', 'add', '--owner', owner, '--name', 'Roof', '--capacity-kwp', '5')).id;
  const addDevice = async (plant: string, ...more: string[]): Promise<string> => {
    const sn = world.uniqueSn();
    await ok('device', 'add', '--plant', plant, '--kind', 'inverter', '--sn', sn, ...more);
    return sn;
  };
  const addCollector = async (plant: string): Promise<string> =>
    (await ok('collector', 'add', '--plant', plant, '--sn', world.uniqueSn('COL'))).sn;
  const plantOf = async (id: string): Promise<any> =>
    (await ok('plant', 'list')).find((plant: { id: string }) => plant.id === id);
  const devicesOf = async (plant: string): Promise<string[]> =>
    (await ok('device', 'list', '--plant', plant)).map(({ sn }: { sn: string }) => sn);
  const account = (email: string) =>
    database()
      .db.selectFrom('account')
      .selectAll()
      .where('email', '=', email)
      .executeTakeFirstOrThrow();

  test('a serial number that a collector has reported is listed and bound', async () => {
    const plant = await addPlant();
    const collector = await addCollector(plant);
    const { db } = database();
    const { id } = await db
      .selectFrom('device')
      .select('id')
      .where('sn', '=', collector)
      .executeTakeFirstOrThrow();
    const [sn, other] = [world.uniqueSn('NEW'), world.uniqueSn('NEW')];
    await world.write((trx) =>
      rememberRefusals(
        trx,
        id,
        [
          { sn, reason: 'unknown' },
          { sn: other, reason: 'unknown' },
        ],
        world.clock.now(),
      ),
    );
    for (const options of [['--user', OWNER], ['--plant', plant], []])
      expect(await ok('discovery', 'list', ...options)).toContainEqual(
        expect.objectContaining({ sn, collectorSn: collector, plantId: plant, count: 1 }),
      );
    expect(await ok('discovery', 'list', '--user', OTHER)).toEqual([]);
    expect((await home.helioport('discovery', 'list')).stdout).toContain(sn);
    expect(await ok('discovery', 'bind', sn)).toEqual({ sn, plantId: plant });
    const elsewhere = await addPlant();
    expect(
      await ok('discovery', 'bind', '--sn', other, '--plant', elsewhere, '--kind', 'ammeter'),
    ).toEqual({ sn: other, plantId: elsewhere });
    expect(await devicesOf(plant)).toEqual(expect.arrayContaining([sn]));
    expect(await refused('discovery', 'bind', sn)).toContain('there is no such ');
    expect(await refused('discovery', 'list', '--plant', '1')).toContain('there is no such ');
    expect((await home.helioport('discovery', 'bind')).exitCode).toBe(2);
  });

  test('a plant is renamed, and edited in what is given alone', async () => {
    const id = await addPlant();
    const before = await plantOf(id);
    expect(await ok('plant', 'rename', id, '--name', 'Barn')).toEqual({ id, name: 'Barn' });
    expect(await plantOf(id)).toEqual({ ...before, name: 'Barn' });
    expect(
      await ok(
        'plant',
        'edit',
        '--plant',
        id,
        '--capacity-kwp',
        '7.5',
        '--time-zone',
        'America/Denver',
      ),
    ).toEqual({ id, changed: true });
    expect(await plantOf(id)).toEqual({
      ...before,
      name: 'Barn',
      capacityKwp: 7.5,
      timeZone: 'America/Denver',
    });
    await ok(
      'plant',
      'edit',
      id,
      ...'--tilt 30 --azimuth 180 --nmi NMI1 --latitude 52.5 --longitude 13.4 --currency USD --type 1 --address Lane'.split(
        ' ',
      ),
    );
    expect(
      await database()
        .db.selectFrom('plant')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
    ).toMatchObject({
      name: 'Barn',
      capacityKwp: 7.5,
      tiltDegrees: 30,
      azimuthDegrees: 180,
      nmiCode: 'NMI1',
      latitude: 52.5,
      longitude: 13.4,
      currency: 'USD',
      type: 1,
      address: 'Lane',
    });
  });

  test('a plant is not edited by halves, nor one that is not there', async () => {
    const id = await addPlant();
    expect(
      await wronglyUsed('plant', 'edit', id, '--name', 'Half', '--time-zone', 'Mars/Olympus'),
    ).toContain('timeZone');
    expect(await wronglyUsed('plant', 'edit', id, '--name', 'Half', '--latitude', '91')).toContain(
      'latitude',
    );
    expect(
      await wronglyUsed('plant', 'edit', id, '--name', 'Half', '--latitude', '52.5'),
    ).toContain('longitude, sent together with latitude');
    expect(
      await wronglyUsed('plant', 'edit', id, '--name', 'Half', '--longitude', '13.4'),
    ).toContain('latitude, sent together with longitude');
    expect(
      await wronglyUsed(
        'plant',
        'add',
        '--owner',
        OWNER,
        '--name',
        'Half',
        '--capacity-kwp',
        '1',
        '--latitude',
        '52.5',
      ),
    ).toContain('longitude');
    expect((await plantOf(id)).name).not.toBe('Half');
    expect(await refused('plant', 'rename', '1300000000000000009', '--name', 'Nowhere')).toContain(
      'there is no such plant: 1300000000000000009',
    );
    expect((await home.helioport('plant', 'edit', id)).exitCode).toBe(2);
    expect((await home.helioport('plant', 'rename', id)).exitCode).toBe(2);
  });

  test('a device is moved, a collector alone or with its devices, and taken out and added again', async () => {
    const [from, to] = [await addPlant(), await addPlant()];
    const collector = await addCollector(from);
    const [alone, behind] = [
      await addDevice(from),
      await addDevice(from, '--collector', collector),
    ];
    expect(await ok('device', 'move', alone, '--plant', to)).toEqual({
      plantId: to,
      moved: [alone],
    });
    expect([await devicesOf(from), await devicesOf(to)]).toEqual([[collector, behind], [alone]]);
    const { moved } = await ok('device', 'move', collector, '--plant', to, '--with-devices');
    expect(moved.toSorted()).toEqual([collector, behind].toSorted());
    expect(await devicesOf(from)).toEqual([]);
    expect(await ok('device', 'move', collector, '--plant', from)).toEqual({
      plantId: from,
      moved: [collector],
    });
    expect((await devicesOf(to)).toSorted()).toEqual([alone, behind].toSorted());
    expect(await ok('device', 'remove', alone)).toEqual({ sn: alone, plantId: null });
    expect(await devicesOf(to)).toEqual([behind]);
    await ok('device', 'add', '--plant', from, '--kind', 'inverter', '--sn', alone);
    expect((await devicesOf(from)).toSorted()).toEqual([collector, alone].toSorted());
  });

  test('a device that is nowhere, and a plant that is not there, are said', async () => {
    const plant = await addPlant();
    const sn = await addDevice(plant);
    expect(await refused('device', 'move', 'NONE', '--plant', plant)).toMatch(
      /there is no such|does not exist/,
    );
    expect(await refused('device', 'move', sn, '--plant', '1300000000000000009')).toContain(
      `there is no such device or plant: ${sn}, 1300000000000000009`,
    );
    expect(await refused('device', 'remove', 'NONE')).toMatch(/there is no such|does not exist/);
    await ok('device', 'remove', sn);
    expect(await refused('device', 'remove', sn)).not.toBe('');
  });

  test('collectors are listed, all or those of a plant, with how many devices they report for and never their tokens', async () => {
    const plant = await addPlant();
    const sn = await addCollector(plant);
    const elsewhere = await addCollector(await addPlant());
    for (let i = 0; i < 2; i++) await addDevice(plant, '--collector', sn);
    expect(await ok('collector', 'list', '--plant', plant)).toEqual([
      {
        id: expect.stringMatching(/^\d{19}$/),
        sn,
        name: null,
        model: null,
        plantId: plant,
        deviceCount: 2,
        lastReportAt: null,
        clockOffsetSeconds: null,
        createdAt: expect.any(Number),
      },
    ]);
    const all = await ok('collector', 'list');
    expect(all.map((one: { sn: string }) => one.sn)).toEqual(
      expect.arrayContaining([sn, elsewhere]),
    );
    expect(all.find((one: { sn: string }) => one.sn === elsewhere)).toMatchObject({
      deviceCount: 0,
    });
    expect((await home.helioport('collector', 'list', '--plant', plant)).stdout).toMatch(
      new RegExp(`\\n.* ${sn} .* 2 `),
    );
  });

  test('a collector whose clock is off by more than messages take is listed as such', async () => {
    const plant = await addPlant();
    const sn = await addCollector(plant);
    for (const [clockOffsetSeconds, said] of [
      [5, 'correct'],
      [6, '6 s ahead'],
      [-90, '90 s behind'],
    ] as const) {
      await database()
        .db.updateTable('device')
        .set({ clockOffsetSeconds })
        .where('sn', '=', sn)
        .execute();
      expect((await home.helioport('collector', 'list', '--plant', plant)).stdout).toContain(
        `  ${said}  `,
      );
      expect((await home.helioport('collector', 'show', sn)).stdout).toMatch(
        new RegExp(`  ${said}$`, 'm'),
      );
    }
  });

  test('quantities are listed with their units and what they mean', async () => {
    const listed = await ok('quantities');
    expect(listed).toHaveLength(quantities.size);
    expect(listed).toContainEqual({
      name: 'acPowerW',
      unit: 'W',
      description: expect.stringMatching(/./),
    });
    expect(listed).toContainEqual(
      expect.objectContaining({ name: 'batterySocPercent', atLeast: 0, atMost: 100 }),
    );
    const { stdout } = await home.helioport('quantities');
    for (const { name, unit } of quantities.values())
      expect(stdout).toMatch(
        new RegExp(`^${name} +${unit === '' ? '-' : unit.replace(/[^\w]/g, '\\$&')} `, 'm'),
      );
  });

  test('invitations are listed for either side, accepted, declined and withdrawn', async () => {
    const [owner, other] = [await account(OWNER), await account(OTHER)];
    const plant = await addPlant();
    const ask = (change: Partial<NewInvitation> = {}): Promise<string> =>
      world.write((trx) =>
        invite(trx, world.act(), {
          plantId: plant,
          fromAccountId: owner.id,
          to: { email: OTHER },
          kind: 'share',
          level: 'read',
          ...change,
        }),
      );
    const stateOf = async (user: string, id: string) =>
      (await ok('invitation', 'list', '--user', user)).find((one: { id: string }) => one.id === id);
    const declined = await ask();
    expect(await stateOf(OWNER, declined)).toMatchObject({
      direction: 'sent',
      kind: 'share',
      level: 'read',
      plantId: plant,
      from: OWNER,
      to: OTHER,
      state: 'open',
    });
    expect(await stateOf(OTHER, declined)).toMatchObject({ direction: 'received', state: 'open' });
    expect(await ok('invitation', 'decline', declined)).toEqual({
      id: declined,
      state: 'declined',
    });
    expect(await stateOf(OTHER, declined)).toMatchObject({ state: 'declined' });
    const withdrawn = await ask();
    expect(await ok('invitation', 'withdraw', withdrawn)).toEqual({
      id: withdrawn,
      state: 'withdrawn',
    });
    expect((await plantOf(plant)).shares).toEqual([]);
    const accepted = await ask();
    expect(await ok('invitation', 'accept', accepted)).toEqual({ id: accepted, state: 'accepted' });
    expect((await plantOf(plant)).shares).toEqual([{ email: OTHER, level: 'read' }]);
    for (const [id, verb] of [declined, withdrawn, accepted, '1300000000000000009'].flatMap((one) =>
      ['accept', 'decline', 'withdraw'].map((v) => [one, v] as const),
    ))
      expect(await refused('invitation', verb, id)).toContain('there is no such ');
    const unknown = await ask({ to: { email: 'nobody@example.com' } });
    expect(await refused('invitation', 'accept', unknown)).toContain('the user does not exist');
    expect(await refused('invitation', 'list', '--user', 'nobody@example.com')).toContain(
      'the user does not exist',
    );
    expect(
      (await ok('invitation', 'list', '--user', OWNER, '--limit', '1')).map(
        ({ id }: { id: string }) => id,
      ),
    ).toEqual([unknown]);
    const installing = await ask({ kind: 'owner', to: { accountId: other.id } });
    await ok('invitation', 'accept', installing);
    expect((await plantOf(plant)).owner).toBe(OTHER);
    expect(await stateOf(OWNER, unknown)).toMatchObject({ state: 'withdrawn' });
  });

  test.each([
    ['ends sessions alone', [], { sessions: 0, keys: 1, grants: 1 }],
    [
      'with --end-all-access ends sessions, key pairs and authorizations',
      ['--end-all-access'],
      { sessions: 0, keys: 0, grants: 0 },
    ],
  ])('a new password %s, of that user only', async (name, options, expected) => {
    const { db } = database();
    const [user, bystander] = [
      `changed-${name.length}@example.com`,
      `beside-${name.length}@example.com`,
    ];
    const { application } = await addClient(world);
    for (const email of [user, bystander]) {
      const { id: accountId } = await ok(
        'user',
        'add',
        '--email',
        email,
        '--password',
        'sun on the barn roof',
      );
      await ok('key', 'create', '--user', email);
      await world.write(async (trx) => {
        await insertSession(trx, world.act(), {
          accountId,
          entrance: 'portal',
          freshFor: null,
          userAgent: null,
        });
        await recordConsent(trx, world.act(), {
          accountId,
          applicationId: application.id,
          asked: 1,
          approved: 1,
          plantIds: null,
        });
      });
    }
    const left = async (email: string): Promise<unknown> => ({
      sessions: (
        await db
          .selectFrom('session')
          .selectAll()
          .where('accountId', '=', (await account(email)).id)
          .execute()
      ).length,
      keys: (await ok('key', 'list', '--user', email)).filter(
        ({ disabledAt }: { disabledAt: unknown }) => disabledAt === null,
      ).length,
      grants: (await ok('grant', 'list', '--user', email)).filter(
        ({ revokedAt }: { revokedAt: unknown }) => revokedAt === null,
      ).length,
    });
    const before = { sessions: 1, keys: 1, grants: 1 };
    expect(await left(user)).toEqual(before);
    expect(
      await wronglyUsed('user', 'password', user, '--password', 'short', ...options),
    ).toContain('10 to 1024 characters');
    expect(
      await ok('user', 'password', user, '--password', 'another on the roof', ...options),
    ).toMatchObject({ email: user });
    expect([await left(user), await left(bystander)]).toEqual([expected, before]);
  });

  test('forty plants are imported from a file, in the file’s order, with the owner of those whose row names nobody', async () => {
    const before = (await ok('plant', 'list')).length;
    const rows = Array.from(
      { length: 40 },
      (_, i) => `Imported ${i},${i === 7 ? OTHER : ''},${i + 1},Europe/Paris`,
    );
    const imported = await ok(
      'plant',
      'import',
      csv('name,owner,capacityKwp,timeZone', ...rows),
      '--owner',
      OWNER,
    );
    expect(imported.map(({ line, name }: { line: number; name: string }) => [line, name])).toEqual(
      rows.map((_, i) => [i + 2, `Imported ${i}`]),
    );
    const plants = await ok('plant', 'list');
    expect(plants).toHaveLength(before + 40);
    for (const [i, { id }] of imported.entries())
      expect(plants.find((plant: { id: string }) => plant.id === id)).toMatchObject({
        name: `Imported ${i}`,
        owner: i === 7 ? OTHER : OWNER,
        capacityKwp: i + 1,
        timeZone: 'Europe/Paris',
      });
  });

  test('a file of plants needs no column for their owner where the command names one', async () => {
    const [{ id }] = await ok(
      'plant',
      'import',
      csv('capacityKwp,name', '3,Shed'),
      '--owner',
      OTHER,
    );
    expect(await plantOf(id)).toMatchObject({ name: 'Shed', owner: OTHER, capacityKwp: 3 });
  });

  test.each<[what: string, lines: (good: readonly string[]) => string[], said: RegExp]>([
    [
      'a bad value among forty',
      (good) => good.with(23, 'Bad,much'),
      /^line 25: capacityKwp: expected .*; nothing was imported$/,
    ],
    [
      'an owner that nobody is',
      (good) => good.with(23, 'Bad,3,nobody@example.com'),
      /^line 25: the user does not exist.*; nothing was imported$/,
    ],
    [
      'an empty cell that must not be',
      (good) => good.with(39, 'Bad,'),
      /^line 41: .*capacityKwp.*; nothing was imported$/,
    ],
    [
      'more cells than columns',
      (good) => good.with(0, 'a,1,,b'),
      /^line 2: more cells than columns; nothing was imported$/,
    ],
    [
      'a quote that is not closed',
      (good) => good.with(30, '"open,3'),
      /^line 32: a quote is not closed; nothing was imported$/,
    ],
    [
      'letters that are not UTF-8',
      (good) => good.with(3, 'M\u{fffd}hle,3'),
      /^line 5: .*UTF-8.*; nothing was imported$/,
    ],
  ])('%s lets a file of plants in none of its rows, and names the line', async (_, lines, said) => {
    const good = Array.from({ length: 40 }, (__, i) => `Plant ${i},${i + 1}`);
    expect(
      await refused(
        'plant',
        'import',
        csv('name,capacityKwp,owner', ...lines(good)),
        '--owner',
        OWNER,
      ),
    ).toMatch(said);
  });

  test.each<[what: string, args: () => string[], said: RegExp]>([
    [
      'without a column that is needed',
      () => [csv('name,owner', `A,${OWNER}`)],
      /^the column capacityKwp is missing/,
    ],
    [
      'without a column for owners, and without --owner',
      () => [csv('name,capacityKwp', 'A,1')],
      /^the column owner is missing.*--owner/,
    ],
    [
      'with a column that nothing reads',
      () => [csv('name,capacityKwp,owner,kWp', `A,1,${OWNER},1`)],
      /^unknown column: "kWp"; known: owner, name,/,
    ],
    [
      'with a column that is there twice',
      () => [csv('name,capacityKwp,owner,name', `A,1,${OWNER},B`)],
      /^the column name occurs twice$/,
    ],
    ['without rows', () => [csv('name,capacityKwp,owner')], /^the file has no data rows$/],
    ['that is empty', () => [csv('')], /^the file has no data rows$/],
    ['that is not there', () => ['none.csv'], /none\.csv cannot be read: there is no such file$/],
    ['that is a folder', () => ['.'], /cannot be read: /],
  ])('a file of plants %s is said to be so', async (_, args, said) => {
    expect(await refused('plant', 'import', ...args())).toMatch(said);
  });

  test('devices are imported to the plant of their row or of all, known ones that stand nowhere too', async () => {
    const [plant, other] = [await addPlant(), await addPlant()];
    const collector = await addCollector(plant);
    const [first, second, known] = [world.uniqueSn(), world.uniqueSn(), await addDevice(plant)];
    await ok('device', 'remove', known);
    // As a spreadsheet writes it where commas are decimal points.
    const file = csv(
      '\ufeffsn;kind;plantId;collector;ratedPowerW\r',
      `${first};inverter;;${collector};5000\r`,
      `${second};epm;${other};;\r`,
      `${known};inverter;;;\r`,
    );
    const imported = await ok('device', 'import', file, '--plant', plant);
    expect(imported.map(({ line, sn }: { line: number; sn: string }) => [line, sn])).toEqual([
      [2, first],
      [3, second],
      [4, known],
    ]);
    expect([(await devicesOf(plant)).toSorted(), await devicesOf(other)]).toEqual([
      [collector, first, known].toSorted(),
      [second],
    ]);
    expect(
      (await ok('device', 'list', '--plant', plant)).find(({ sn }: { sn: string }) => sn === first),
    ).toMatchObject({
      collectorSn: collector,
      ratedPowerW: 5000,
    });
  });

  test('a file of devices with one bad row is not imported at all, and the line is named', async () => {
    const plant = await addPlant();
    const bound = await addDevice(await addPlant());
    const stems = Array.from({ length: 5 }, () => world.uniqueSn());
    const rows = stems.map((sn) => `${sn},inverter,${plant}`);
    const said = (...lines: string[]): Promise<string> =>
      refused('device', 'import', csv('sn,kind,plantId,collector', ...lines));
    expect(await said(...rows.with(4, rows[1]!))).toMatch(
      new RegExp(`^line 6: "${stems[1]}" already occurs in line 3; nothing was imported$`),
    );
    expect(await said(...rows.with(3, `${bound},inverter,${plant}`))).toMatch(
      /^line 5: .*already bound.*; nothing was imported$/,
    );
    expect(await said(...rows.with(3, `${stems[3]},toaster,${plant}`))).toMatch(
      /^line 5: kind: expected .*; nothing was imported$/,
    );
    expect(await said(...rows.with(3, `${stems[3]},inverter,1300000000000000009`))).toMatch(
      /^line 5: .*; nothing was imported$/,
    );
    expect(await said(...rows.with(3, `${stems[3]},inverter,${plant},NONE`))).toMatch(
      /^line 5: .*collector.*; nothing was imported$/,
    );
    expect(await said(...rows.with(3, `,inverter,${plant}`))).toMatch(
      /^line 5: .*sn.*; nothing was imported$/,
    );
    expect(await refused('device', 'import', csv('sn,plantId', `X,${plant}`))).toMatch(
      /^the column kind is missing/,
    );
  });
});
