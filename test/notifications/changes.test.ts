import { beforeEach, expect, test } from 'vitest';
import {
  readStop,
  stopMails,
} from '../../packages/server/src/outbound/notifications/settings/stop-link.ts';
import { insertApplication } from '../../packages/server/src/identity/oauth/applications.ts';
import { disableOwner } from '../../packages/server/src/fleet/plants/owners.ts';
import { sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import type { CommandTable } from '../../packages/server/src/platform/storage/tables/commands.ts';
import { describeEngines } from '../support/engines.ts';
import { createNotificationScene, DAY, HOUR, MINUTE } from './scene.ts';

const EVENING_SHIFT = {
  name: 'Evening Shift',
  redirectUri: 'https://shift.example.org/callback',
  scopes: ['control_device'],
} as const;

describeEngines('settings that others changed', (database) => {
  const scene = createNotificationScene(database, '2026-06-10T12:00:00Z');
  const { clock, work, letters, ask, db } = scene;
  const MORNING = Date.parse('2026-06-11T07:00:00Z');
  beforeEach(async () => {
    await scene.clear();
    clock.at = Date.parse('2026-06-10T12:00:00Z');
  });

  /** Somebody with a plant called `name` who wants to be notified. */
  const owner = async (name: string, settings: Record<string, unknown> = { changes: 1 }) => {
    const { person, plantId, device } = await scene.reader(settings, { name });
    clock.at += MINUTE;
    return { person, plantId, deviceId: device.id };
  };
  type Home = Awaited<ReturnType<typeof owner>>;

  /** A write to the device of a home, as it was carried out. */
  const write = ({ plantId, deviceId }: Home, actor: string, change: Partial<CommandTable> = {}) =>
    db()
      .insertInto('command')
      .values({
        id: scene.newId(),
        deviceId,
        plantId,
        action: 'write',
        parameter: '157',
        value: '40',
        state: 'verified',
        step: 'verify',
        nextAt: clock.at,
        expiresAt: clock.at + HOUR,
        queuedAt: clock.at,
        sentAt: clock.at,
        endedAt: clock.at,
        actor,
        door: 'oauth',
        accountId: null,
        ...change,
      } as never)
      .execute();

  test('are sent the next morning: who, where and how often, and nothing of what the owner did or what was never sent', async () => {
    const home = await owner('Meadow Lane');
    const { person: installer } = await scene.reader({}, {});
    const { application } = await scene.write((trx) =>
      insertApplication(trx, scene.act(), EVENING_SHIFT),
    );
    for (let i = 0; i < 3; i++)
      await write(home, `application:${application.id}`, {
        accountId: home.person.id,
        grantId: '1',
      });
    await write(home, `account:${installer.id}`, { accountId: installer.id, door: 'portal' });
    await write(home, 'operator', { door: 'operator' });
    await write(home, 'service', { door: 'service', state: 'failed' });
    await write(home, 'key:1', { accountId: installer.id, door: 'signed' });
    // The owner; a read; one that never left; one on its way.
    await write(home, `account:${home.person.id}`, { accountId: home.person.id, door: 'portal' });
    await write(home, 'operator', { action: 'read' });
    await write(home, 'operator', { sentAt: null, state: 'cancelled' });
    await write(home, 'operator', { endedAt: null, state: 'sent', parameter: '158' });

    clock.at = MORNING - 1;
    await work();
    expect(await letters()).toEqual([]);
    clock.at = MORNING;
    await work();
    const [letter, ...others] = await letters();
    expect(others).toEqual([]);
    expect(letter).toMatchObject({
      address: home.person.email,
      language: 'en',
      subject: 'Settings of your devices changed by others: 7',
    });
    expect(new Set(letter!.rows!.map((row) => row.join(' | ')))).toEqual(
      new Set([
        'Evening Shift | Meadow Lane | 3',
        `${installer.email} | Meadow Lane | 1`,
        'The operator | Meadow Lane | 1',
        'This service, to restore settings | Meadow Lane | 1',
        'An account that is gone | Meadow Lane | 1',
      ]),
    );
    expect(letter!.rows!.length).toBe(5);
    expect(letter!.rows![0]).toEqual(['Evening Shift', 'Meadow Lane', '3']);

    // The one that was on its way is sent when it has ended, although later ones were sent before.
    await db()
      .updateTable('command')
      .set({ endedAt: clock.at, state: 'verified' })
      .where('parameter', '=', '158')
      .where('plantId', '=', home.plantId)
      .execute();
    clock.at = MORNING + DAY;
    await work();
    expect((await letters()).map(({ rows }) => rows)).toEqual([
      [['The operator', 'Meadow Lane', '1']],
    ]);

    // Sent once; the next ones the morning after.
    clock.at = MORNING + 2 * DAY;
    await work();
    expect(await letters()).toEqual([]);
    await write(home, 'operator', { door: 'operator' });
    clock.at = MORNING + 3 * DAY;
    await work();
    expect((await letters()).map(({ rows }) => rows)).toEqual([
      [['The operator', 'Meadow Lane', '1']],
    ]);
  });

  test('of foreign plants are not sent, nor to those who share one, nor to an account that is disabled', async () => {
    const home = await owner('Home');
    const neighbour = await owner('Neighbour');
    const disabled = await owner('Disabled');
    const guest = await scene.person();
    await scene.write((trx) => sharePlant(trx, scene.act(), home.plantId, guest.email, 'control'));
    await ask(guest.id, 'notifications/set', { changes: 1 });
    for (const one of [home, disabled]) await write(one, 'operator', { door: 'operator' });
    await scene.write((trx) => disableOwner(trx, scene.act(), disabled.person.id));
    clock.at = MORNING;
    await work();
    expect((await letters()).map(({ address }) => address)).toEqual([home.person.email]);
    expect(neighbour.person.email).not.toBe(home.person.email);
  });

  test('are not sent of the time before somebody wanted to know, or did not want to', async () => {
    const home = await owner('Home', {});
    await write(home, 'operator', { door: 'operator' });
    clock.at += MINUTE;
    await ask(home.person.id, 'notifications/set', { changes: 1 });
    clock.at = MORNING;
    await work();
    expect(await letters()).toEqual([]);
    await ask(home.person.id, 'notifications/set', {});
    await write(home, 'operator', { door: 'operator' });
    clock.at += MINUTE;
    await ask(home.person.id, 'notifications/set', { changes: 1 });
    clock.at += MINUTE;
    await write(home, 'operator', { door: 'operator' });
    // Saving other settings loses nothing.
    clock.at += MINUTE;
    await ask(home.person.id, 'notifications/set', { changes: 1, minLevel: 3 });
    clock.at = MORNING + DAY;
    await work();
    expect((await letters()).map(({ rows }) => rows)).toEqual([[['The operator', 'Home', '1']]]);
  });

  test('are sent once, no matter which worker races for it or is killed at any statement', async () => {
    const home = await owner('Home');
    await write(home, 'operator', { door: 'operator' });
    clock.at = MORNING;
    await scene.arm('changes');
    await Promise.all([scene.runner(), scene.runner(), scene.runner()].map((one) => one.runDue()));
    expect((await letters()).length).toBe(1);
    await write(home, 'operator', { door: 'operator' });
    clock.at += DAY;
    let killed = 0;
    for (let statement = 1; statement < 24; statement += 2) {
      await scene.arm('changes');
      killed += (await scene.dies(statement)) ? 1 : 0;
      clock.at += 10 * MINUTE;
    }
    await work();
    expect(killed).toBeGreaterThan(3);
    expect((await letters()).length).toBe(1);
  });

  test('are sent until the link in the e-mail is followed', async () => {
    const home = await owner('Home', { changes: 1, language: 'de' });
    await write(home, 'operator', { door: 'operator' });
    clock.at = MORNING;
    await work();
    const [letter] = await letters();
    expect(letter).toMatchObject({
      language: 'de',
      subject: 'Einstellungen Ihrer Geräte, die andere geändert haben: 1',
    });
    const stop = readStop(scene.secretBox, new URL(letter!.stop!.url).searchParams.get('token')!);
    expect(stop).toEqual({ accountId: home.person.id, what: 'changes' });
    for (let i = 0; i < 2; i++) await scene.write((trx) => stopMails(trx, scene.act(), stop!));
    expect(await ask(home.person.id, 'notifications/settings')).toMatchObject({
      changes: false,
      alarmsByMail: true,
    });
    await write(home, 'operator', { door: 'operator' });
    clock.at = MORNING + DAY;
    await work();
    expect(await letters()).toEqual([]);
  });

  test('are sent to others while one account cannot be notified', async () => {
    const broken = await owner('Broken');
    const home = await owner('Home');
    for (const one of [broken, home]) await write(one, 'operator', { door: 'operator' });
    const zone = (timeZone: string) =>
      db().updateTable('account').set({ timeZone }).where('id', '=', broken.person.id).execute();
    await zone('Nowhere/Never');
    clock.at = MORNING;
    await work();
    expect((await letters()).map(({ address }) => address)).toEqual([home.person.email]);
    await zone('UTC');
    clock.at = MORNING + HOUR;
    await work();
    expect((await letters()).map(({ address }) => address)).toEqual([broken.person.email]);
  });

  test('are counted in thirty rows at most', async () => {
    const homes: Home[] = [await owner('Home 0')];
    for (let i = 1; i < 33; i++) {
      const plantId = await scene.plant(homes[0]!.person.id, { name: `Home ${i}` });
      homes.push({ ...homes[0]!, plantId, deviceId: (await scene.device(plantId)).id });
    }
    for (const home of homes) await write(home, 'operator', { door: 'operator' });
    clock.at = MORNING;
    await work();
    const [letter] = await letters();
    expect([letter!.rows!.length, letter!.subject, letter!.paragraphs.at(-1)]).toEqual([
      30,
      expect.stringMatching(/: 33$/),
      'and 3 more',
    ]);
  });
});
