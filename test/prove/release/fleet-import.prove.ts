import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInstallation, type Installation } from '../../support/command.ts';
import { describeEngines, settingsOf } from '../../support/engines.ts';

const PLANTS = 3000;

describeEngines('a fleet of 3,000 plants', (database, engine) => {
  let home: Installation;
  beforeAll(() => {
    home = createInstallation(settingsOf(database()));
  });
  afterAll(() => home.remove());

  test('is set up within a minute, each with an owner, a collector and an inverter', async () => {
    const rows = Array.from(
      { length: PLANTS },
      (_, i) => `owner-${i}@example.org,Plant ${i},5,Europe/Berlin,LOG-${i},INV-${i},inverter`,
    );
    const header = 'owner,plant,capacityKwp,timeZone,collector,device,kind';
    writeFileSync(join(home.folder, 'fleet.csv'), [header, ...rows].join('\n'));
    const begun = performance.now();
    const added = await home.ok('fleet', 'import', 'fleet.csv');
    const seconds = (performance.now() - begun) / 1000;
    console.log(`${engine}: ${PLANTS} plants in ${seconds.toFixed(1)} s`);
    for (const list of ['owners', 'plants', 'collectors', 'devices'])
      expect(added[list]).toHaveLength(PLANTS);
    expect(seconds).toBeLessThan(60);
  }, 300_000);
});
