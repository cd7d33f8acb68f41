import { expect, test } from 'vitest';
import { createFleet } from '../operations/fleet.ts';
import { createRichScene, SCENE_NOW } from '../operations/scene.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';

const DETAILS = {
  inverter: 'inverterDetail',
  collector: 'collectorDetail',
  epm: 'epmDetail',
  weather: 'weatherDetail',
  ammeter: 'ammeterDetail',
} as const;

describeEngines('a device', (database) => {
  const clock = settableClock(SCENE_NOW);
  const fleet = createFleet(database, clock);

  test.each(Object.keys(DETAILS) as (keyof typeof DETAILS)[])(
    'of the kind %s is shown in one answer, with its plant’s connection and its collector’s signal',
    async (kind) => {
      const { owner, other, plantId, devices } = await createRichScene(fleet);
      const { id, sn } = devices[kind];
      const caller = userCaller(owner);
      const { device, ...more } = await fleet.wire('device/show', caller, { id });
      expect(device).toMatchObject({ kind, id, sn, plant: { id: plantId, ownerId: owner } });
      // The record from which existing clients are answered, without what is unknown.
      const record = await fleet.ask(DETAILS[kind], caller, { id });
      expect({ kind, ...JSON.parse(JSON.stringify(record)) }).toMatchObject(device);
      expect(more).toEqual({
        level: 'owner',
        connection: 'live',
        measuredAt: Date.parse('2026-06-01T11:59:00Z'),
        ...(kind !== 'collector' && { signalDbm: 9 }),
      });
      const stranger = userCaller(other);
      await expect(fleet.ask('device/show', stranger, { id })).rejects.toMatchObject({
        code: 'noPermission',
      });
    },
  );
});
