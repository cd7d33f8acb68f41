import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInstallation, type Installation } from '../../support/command.ts';
import { describeEngines, settingsOf } from '../../support/engines.ts';
import { everythingStored } from '../../support/stored.ts';

const HEADER =
  'owner,ownerName,plant,capacityKwp,timeZone,collector,device,kind,ratedPowerW,deviceName';
const FLEET = [
  HEADER,
  'ada@example.org,Ada,Meadow,9.8,Europe/Berlin,C-1,INV-1,inverter,8000,Roof',
  'ADA@example.org,,Meadow,,,C-1,EPM-1,epm,,',
  'ada@example.org,,Shed,3,,,INV-2,inverter,,',
  'bob@example.org,Bob,Meadow,5,Asia/Tokyo,C-2,,,,',
];

describeEngines('helioport fleet import', (database) => {
  let home: Installation;
  beforeAll(() => {
    home = createInstallation(settingsOf(database()));
  });
  afterAll(() => home.remove());

  let files = 0;
  const csv = (...lines: readonly string[]): string => {
    const name = `fleet-${++files}.csv`;
    writeFileSync(join(home.folder, name), lines.join('\n'));
    return name;
  };
  const refused = async (...lines: readonly string[]): Promise<string> => {
    const before = await everythingStored(database());
    const { exitCode, stdout, stderr } = await home.helioport('fleet', 'import', csv(...lines));
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(await everythingStored(database())).toEqual(before);
    return stderr;
  };

  test('a dry run counts what would be added, and adds nothing', async () => {
    const before = await everythingStored(database());
    expect(await home.ok('fleet', 'import', csv(...FLEET), '--dry-run')).toEqual({
      dryRun: true,
      owners: 2,
      plants: 3,
      collectors: 2,
      devices: 3,
    });
    expect(await everythingStored(database())).toEqual(before);
  });

  test.each<[what: string, lines: readonly string[], said: RegExp]>([
    [
      'several faults',
      [...FLEET, 'ada@example.org,,Barn,much,,,,,,', 'ada@example.org,,Attic,1,,,INV-9,,,'],
      /2 lines are wrong; nothing was imported\n {2}line 6: capacityKwp: .*\n {2}line 7: .*kind/,
    ],
    ['no owner', [...FLEET, ',,Barn,1,,,,,,'], /line 6: owner is missing; nothing was imported/],
    [
      'a device twice',
      [...FLEET, 'bob@example.org,,Meadow,,,,INV-1,inverter,,'],
      /line 6: the device INV-1 already occurs in line 2/,
    ],
    [
      'a collector in two plants',
      [...FLEET, 'bob@example.org,,Meadow,,,C-1,,,,'],
      /line 6: the collector C-1 is in another plant in line 2/,
    ],
    [
      'a plant described in two ways',
      [...FLEET, 'bob@example.org,,Meadow,6,,,,,,'],
      /line 6: capacityKwp is 6, but 5 in line 5/,
    ],
    [
      'a kind without a device',
      [...FLEET, 'bob@example.org,,Meadow,,,,,inverter,,'],
      /line 6: kind is given, but no device/,
    ],
    [
      'an address that is none',
      [...FLEET, 'nobody,,Meadow,1,,,,,,'],
      /line 6: .*single e-mail address/,
    ],
    ['an unknown column', ['owner,plant,kWp', 'a@example.org,A,1'], /unknown column: "kWp"/],
    ['no column of plants', ['owner', 'a@example.org'], /the column plant is missing/],
  ])('a file with %s adds nothing, and the lines are named', async (_, lines, said) => {
    expect(await refused(...lines)).toMatch(said);
  });

  test('owners, plants, collectors and devices are added, with the tokens of the collectors', async () => {
    const added = await home.ok('fleet', 'import', csv(...FLEET));
    expect(added.owners).toEqual([
      { line: 2, id: expect.any(String), email: 'ada@example.org' },
      { line: 5, id: expect.any(String), email: 'bob@example.org' },
    ]);
    const plants = await home.ok('plant', 'list');
    expect(plants).toMatchObject([
      { owner: 'ada@example.org', name: 'Meadow', capacityKwp: 9.8, timeZone: 'Europe/Berlin' },
      { owner: 'ada@example.org', name: 'Shed', capacityKwp: 3 },
      { owner: 'bob@example.org', name: 'Meadow', capacityKwp: 5, timeZone: 'Asia/Tokyo' },
    ]);
    expect(added.plants.map(({ id }: { id: string }) => id)).toEqual(
      plants.map(({ id }: { id: string }) => id),
    );
    const devices = await home.ok('device', 'list');
    expect(devices.filter(({ kind }: { kind: string }) => kind !== 'collector')).toMatchObject([
      { sn: 'INV-1', plantId: plants[0].id, collectorSn: 'C-1', ratedPowerW: 8000, name: 'Roof' },
      { sn: 'EPM-1', plantId: plants[0].id, collectorSn: 'C-1' },
      { sn: 'INV-2', plantId: plants[1].id, collectorSn: null },
    ]);
    expect(added.collectors).toMatchObject([
      { sn: 'C-1', plantId: plants[0].id },
      { sn: 'C-2', plantId: plants[2].id },
    ]);
    for (const { sn, tokenId, token } of added.collectors) {
      expect(token).toMatch(/^\S{20,}$/);
      const { tokens } = await home.ok('collector', 'show', sn);
      expect(tokens.map(({ id }: { id: string }) => id)).toEqual([tokenId]);
    }
  });

  test('the same file again is refused, since its plants are there', async () => {
    expect(await refused(...FLEET)).toMatch(
      /line 2: ada@example.org already has a plant with the name Meadow; nothing was imported/,
    );
  });

  test('an owner who is known keeps the account, and one who is new gets a password if asked', async () => {
    const file = csv(
      'owner,plant,capacityKwp',
      'bob@example.org,Barn,1',
      'cleo@example.org,Barn,2',
    );
    const { owners } = await home.ok('fleet', 'import', file, '--passwords');
    expect(owners).toEqual([
      {
        line: 3,
        id: expect.any(String),
        email: 'cleo@example.org',
        password: expect.stringMatching(/^\w{20}$/),
      },
    ]);
  });

  test('a device that is bound elsewhere refuses the file', async () => {
    expect(
      await refused(
        'owner,plant,capacityKwp,device,kind',
        'dan@example.org,Loft,1,,',
        'dan@example.org,Loft,,INV-1,inverter',
      ),
    ).toMatch(/line 3: the device is already bound; nothing was imported/);
  });
});
