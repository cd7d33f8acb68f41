import { expect, test } from 'vitest';
import { insertDestination } from '../../packages/server/src/outbound/forwarding/destinations/destinations.ts';
import { partsOf } from '../../packages/server/src/outbound/forwarding/destinations/settings.ts';
import {
  BEGINNING,
  headPosition,
  isAfter,
  settledPosition,
} from '../../packages/server/src/platform/events/position.ts';
import { readEntriesOfPlants } from '../../packages/server/src/platform/events/read.ts';
import { credentials } from '../support/credentials.ts';
import { describeStrategies, type Battery, type Partner } from './scene.ts';

const HOUR_MS = 3_600_000;

describeStrategies('events of strategies', (scene) => {
  const { database, settle, wait, write, act } = scene;
  const db = () => database().db;

  const forwarded = async (
    kinds: readonly ('strategy.state' | 'device.state')[] = ['strategy.state'],
  ): Promise<{ here: Battery; partner: Partner }> => {
    const here = await scene.battery();
    const partner = await scene.partner(here.ownerId);
    const box = await credentials.secretBox();
    const url = 'https://receiver.example/events';
    await write((trx) =>
      insertDestination(trx, act(), box, partner.client.application, {
        ...partsOf({ url }),
        url,
        kinds,
      }),
    );
    return { here, partner };
  };
  /** State and reason of each event, in their order. */
  const statesOf = async (here: Battery, id: string) => {
    await expect
      .poll(async () => isAfter(await headPosition(db()), await settledPosition(db())), {
        timeout: 60_000,
        interval: 5,
      })
      .toBe(false);
    const events = (await readEntriesOfPlants(db(), BEGINNING, [here.plantId], 100)).flatMap(
      (entry) => entry.events,
    );
    expect(events.map(({ kind, sn, sequence }) => [kind, sn, sequence])).toEqual(
      events.map((_, i) => ['strategy.state', here.sn, i + 1]),
    );
    return events.map((event) => {
      const data = JSON.parse(event.data()) as Record<string, unknown>;
      return data['strategyId'] === id ? [data['state'], data['reason']] : data;
    });
  };

  test('say how a strategy went on a device, and how it ended', async () => {
    const { here, partner } = await forwarded();
    const id = await partner.dispatch({ sn: here.sn });
    expect(await statesOf(here, id)).toEqual([['dispatching', null]]);
    await settle(here);
    await settle(here);
    const active = [
      ['dispatching', null],
      ['active', null],
    ];
    expect(await statesOf(here, id)).toEqual(active);
    await wait(2 * HOUR_MS, here);
    expect(await statesOf(here, id)).toEqual([...active, ['completed', null]]);
  });

  test('say that it gives way to a write by hand, and that it was cancelled', async () => {
    const { here, partner } = await forwarded();
    const id = await partner.dispatch({ sn: here.sn });
    await settle(here);
    await scene.send(here, '230', '2000');
    await settle(here);
    await partner.ask('strategy/cancel', { id });
    expect((await statesOf(here, id)).slice(2)).toEqual([
      ['paused', 'parameter 230 was written by hand'],
      ['cancelled', expect.any(String)],
    ]);
  });

  test('say that it failed', async () => {
    const { here, partner } = await forwarded();
    here.lost.add('230');
    const id = await partner.dispatch({ sn: here.sn });
    for (let i = 0; i < 5; i++) await wait(5_000, here);
    expect((await statesOf(here, id)).at(-1)).toEqual(['failed', expect.any(String)]);
  });

  test('are none of a draft, and nothing where no destination takes them', async () => {
    const { here, partner } = await forwarded();
    const { id } = (await partner.ask('strategy/create', scene.request({ sn: here.sn }))).body.data;
    await partner.ask('strategy/cancel', { id });
    expect(await statesOf(here, id)).toEqual([]);
    const other = await forwarded(['device.state']);
    const second = await other.partner.dispatch({ sn: other.here.sn });
    await settle(other.here);
    expect(await statesOf(other.here, second)).toEqual([]);
  });
});
