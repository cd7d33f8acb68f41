import { beforeEach, expect, test } from 'vitest';
import { lockAlarm, processAlarm } from '../../packages/server/src/outbound/alarms/processing.ts';
import { htmlOf, letterTextOf } from '../../packages/server/src/identity/mail/letter.ts';
import { disableOwner } from '../../packages/server/src/fleet/plants/owners.ts';
import { archivePlant, transferPlant } from '../../packages/server/src/fleet/plants/plants.ts';
import { sharePlant, unsharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { describeEngines } from '../support/engines.ts';
import { userCaller } from '../support/world.ts';
import { createNotificationScene, HOUR, MINUTE } from './scene.ts';
import {
  headingOf,
  type SaidAlarm,
} from '../../packages/server/src/outbound/notifications/messages/words.ts';

describeEngines('notifications of alarms by e-mail', (database) => {
  const scene = createNotificationScene(database);
  const { clock, work, pass, letters, raise, end, ask, reader } = scene;
  beforeEach(scene.clear);
  /** That access has ended is told, too. */
  const ofAlarms = ({ link }: { readonly link?: { readonly url: string } }): boolean =>
    link?.url.endsWith('/alarms') ?? false;
  const subjects = async () => (await letters()).map(({ subject }) => subject);

  test('tell of an alarm after it was held, in the reader’s language, with the plant’s time, advice and a link that stops them', async () => {
    const { person, device, plantId } = await reader(
      { language: 'de' },
      { timeZone: 'Asia/Tokyo' },
    );
    const { name } = await scene
      .db()
      .selectFrom('plant')
      .select('name')
      .where('id', '=', plantId)
      .executeTakeFirstOrThrow();
    await raise(device.id);
    await work();
    expect(await letters()).toEqual([]);
    await pass(2);
    const [letter, ...others] = await letters();
    expect(others).toEqual([]);
    expect(letter).toMatchObject({
      address: person.email,
      language: 'de',
      subject: `Gerät meldet sich nicht bei ${name}: begann`,
    });
    expect(letter!.paragraphs).toEqual([
      letter!.subject,
      `Gerät ${device.sn}, seit 16.06.2026, 19:00 (Asia/Tokyo)`,
      expect.stringMatching(
        /^Sehen Sie nach, ob .* Liegt es nicht daran, rufen Sie Ihren Installateur an\. Für Ihren Installateur: /,
      ),
    ]);
    expect(letter!.link).toEqual({ text: 'Alarme öffnen', url: `${scene.portalUrl}/alarms` });
    expect(letter!.stop!.url).toMatch(
      /^https:\/\/portal\.example\.org\/portal\/stop\?token=[\w-]+$/,
    );
    await pass(20);
    expect(await letters()).toEqual([]);
    await end(device.id);
    await pass(3);
    expect(await subjects()).toEqual([`Gerät meldet sich nicht bei ${name}: ist beendet`]);
    expect(
      await scene
        .db()
        .selectFrom('newsItem')
        .selectAll()
        .where('accountId', '=', person.id)
        .execute(),
    ).toEqual([]);
  });

  test.each([
    ['Europe/London', '16 Jun 2026'],
    ['America/New_York', 'Jun 16, 2026'],
    ['Europe/Berlin', '16 Jun 2026'],
    ['Australia/Sydney', '16 June 2026'],
    ['UTC', 'Jun 16, 2026'],
  ])('write times as people do where the reader’s clock is: %s', async (timeZone, day) => {
    const { person, device } = await reader({}, { timeZone: 'UTC' });
    await scene
      .db()
      .updateTable('account')
      .set({ timeZone, language: 'en' })
      .where('id', '=', person.id)
      .execute();
    await raise(device.id);
    await pass(3);
    const [letter] = await letters();
    expect(letter!.paragraphs[1]).toContain(day);
  });

  test('do not tell installers to call the installer', async () => {
    const { person, device } = await reader();
    await scene
      .db()
      .updateTable('account')
      .set({ role: 'installer' })
      .where('id', '=', person.id)
      .execute();
    await raise(device.id);
    await pass(3);
    const [letter] = await letters();
    expect(letter!.paragraphs[2]).toMatch(/^Check whether .*Check their supply, the cable/);
    expect(letter!.paragraphs.join(' ')).not.toContain('your installer');
  });

  test('tell of an alarm that ends soon after it began once', async () => {
    const { device } = await reader();
    await raise(device.id);
    await pass(1);
    await end(device.id);
    await pass(30);
    expect(await subjects()).toEqual([
      expect.stringMatching(/^Device not reporting at .*: began and ended$/),
    ]);
  });

  test('tell of an alarm that cannot be put into words by its code, and of the others as ever', async () => {
    const { person, device, plantId } = await reader();
    const other = await scene.device(await scene.plant(person.id, { name: 'Barn' }));
    await raise(device.id, '1015');
    await raise(other.id);
    // A zone that this version of the time zone database does not have.
    await scene
      .db()
      .updateTable('plant')
      .set({ timeZone: 'Mars/Olympus' })
      .where('id', '=', plantId)
      .execute();
    scene.logged.length = 0;
    await pass(3);
    const [letter, ...rest] = await letters();
    expect(rest).toEqual([]);
    const { name } = await scene
      .db()
      .selectFrom('plant')
      .select('name')
      .where('id', '=', plantId)
      .executeTakeFirstOrThrow();
    expect(letter!.paragraphs).toEqual([
      `Alarm 1015 of the device (message of 1015) at ${name}: began\nDevice ${device.sn}`,
      expect.stringMatching(/^Device not reporting at Barn: began\nDevice /),
    ]);
    expect(scene.logged).toEqual([
      expect.objectContaining({ alarm: expect.any(String), language: 'en' }),
    ]);
    scene.logged.length = 0;
  });

  test('tell of one that began and ended before anybody looked once, and of none that is long past', async () => {
    const { device } = await reader();
    await raise(device.id);
    await end(device.id);
    await raise(device.id, 'OLD', 2, clock.at - 40 * HOUR);
    await scene.write((trx) =>
      trx
        .updateTable('alarm')
        .set({ endAt: clock.at - 30 * HOUR, state: 2 })
        .where('code', '=', 'OLD')
        .execute(),
    );
    await pass(30);
    expect(await subjects()).toEqual([expect.stringContaining('began and ended')]);
  });

  test('sum up a storm: hundreds of plants are one e-mail', async () => {
    const { person, device } = await reader();
    const plants = [
      await scene.device(await scene.plant(person.id, { name: 'Zenith <1>' })),
      device,
    ];
    for (let i = 0; i < 58; i++) plants.push(await scene.device(await scene.plant(person.id)));
    // Some are noticed a little later, and each within the hold of the one before.
    for (const { id } of plants.slice(0, 40)) await raise(id);
    await pass(1);
    for (const { id } of plants.slice(40)) await raise(id);
    await raise(device.id, 'H104');
    await pass(3);
    const [letter, ...others] = await letters();
    expect(others).toEqual([]);
    expect(letter!.subject).toBe('61 alarms at 60 plants');
    expect(letter!.paragraphs.slice(1, 3)).toEqual([
      'Device not reporting, began: 60',
      'Grid voltage out of range, began: 1',
    ]);
    expect(letter!.paragraphs.at(-1)).toMatch(/and 50 more$/);
    // The end of it all is one e-mail as well, a quarter of an hour later at the earliest.
    for (const { id } of plants) await end(id);
    await pass(10);
    expect(await letters()).toEqual([]);
    await pass(6);
    expect(await subjects()).toEqual(['60 alarms at 60 plants']);
  });

  test('are only of the levels and plants that were chosen', async () => {
    const { person, plantId, device } = await reader({ minLevel: 3 });
    const other = await scene.device(await scene.plant(person.id));
    await ask(person.id, 'notifications/set', { alarmsByMail: 1, minLevel: 2, plantIds: plantId });
    await raise(device.id, 'TIP', 1);
    await raise(other.id, 'ELSEWHERE');
    await pass(20);
    expect(await letters()).toEqual([]);
    await raise(device.id, 'RIGHT');
    await pass(20);
    expect(await subjects()).toEqual([expect.stringContaining('RIGHT')]);
  });

  test('keep quiet at night, and tell in the morning what is still worth telling; emergencies pass if chosen', async () => {
    clock.at = Date.parse('2026-07-01T22:30:00Z');
    const { device } = await reader({ quietFrom: '22:00', quietTo: '06:00' });
    const strict = await reader({ quietFrom: '22:00', quietTo: '06:00', urgentPasses: 0 });
    await raise(device.id);
    await raise(strict.device.id, 'H107', 3);
    await pass(3);
    expect(await letters()).toEqual([]);
    await raise(device.id, 'H107', 3);
    await pass(3);
    expect(await subjects()).toEqual([expect.stringContaining('Battery too hot')]);
    await end(device.id);
    clock.at = Date.parse('2026-07-02T05:59:00Z');
    await work();
    expect(await letters()).toEqual([]);
    await pass(2);
    expect((await subjects()).toSorted()).toEqual([
      expect.stringContaining('Battery too hot'),
      expect.stringContaining('Device not reporting'),
    ]);
  });

  test('are of each reader’s own choice, at each reader’s own time', async () => {
    clock.at = Date.parse('2026-07-01T22:30:00Z');
    const { person, plantId, device } = await reader();
    const guest = await scene.person();
    await scene.write((trx) => sharePlant(trx, scene.act(), plantId, guest.email, 'read'));
    await ask(guest.id, 'notifications/set', {
      alarmsByMail: 1,
      minLevel: 1,
      quietFrom: '22:00',
      quietTo: '06:00',
    });
    await raise(device.id, 'TIP', 1);
    await raise(device.id, 'RIGHT');
    await pass(3);
    const [began, ...more] = await letters();
    expect([began!.address, more]).toEqual([person.email, []]);
    expect(letterTextOf(began!)).toContain('RIGHT');
    expect(letterTextOf(began!)).not.toContain('Alarm TIP');
    for (const code of ['RIGHT', 'TIP']) await end(device.id, code);
    await pass(30);
    expect((await letters()).map(({ address }) => address)).toEqual([person.email]);
    clock.at = Date.parse('2026-07-02T06:00:00Z');
    await work();
    const [morning, ...others] = await letters();
    expect([morning!.address, others]).toEqual([guest.email, []]);
    expect(letterTextOf(morning!)).toContain('RIGHT');
    expect(letterTextOf(morning!)).toContain('TIP');
  });

  test('are not of an alarm that somebody has dealt with before they were sent', async () => {
    const { person, device } = await reader();
    await raise(device.id);
    const { id } = await scene
      .db()
      .selectFrom('alarm')
      .select('id')
      .where('deviceId', '=', device.id)
      .executeTakeFirstOrThrow();
    await scene.write(async (trx) =>
      processAlarm(trx, scene.act(), await lockAlarm(trx, userCaller(person.id), id)),
    );
    await pass(5);
    await end(device.id);
    await pass(20);
    expect(await letters()).toEqual([]);
  });

  test.each(['unshared', 'sold', 'archived', 'disabled', 'switched off'])(
    'end at once when access or the wish for them does: %s',
    async (how) => {
      const { plantId, device } = await reader();
      const [guest, buyer] = [await scene.person(), await scene.person()];
      await scene.write((trx) => sharePlant(trx, scene.act(), plantId, guest.email, 'read'));
      await ask(guest.id, 'notifications/set', { alarmsByMail: 1 });
      await raise(device.id);
      await pass(3);
      expect((await letters()).map(({ address }) => address)).toContain(guest.email);
      // One waits for the guest, and one is yet to come.
      await raise(device.id, 'WAITS');
      await pass(1);
      await scene.write(async (trx) => {
        if (how === 'unshared') await unsharePlant(trx, scene.act(), plantId, guest.email);
        if (how === 'sold') await transferPlant(trx, scene.act(), plantId, buyer.id);
        if (how === 'archived') await archivePlant(trx, scene.act(), plantId);
        if (how === 'disabled') await disableOwner(trx, scene.act(), guest.id);
      });
      if (how === 'switched off') await ask(guest.id, 'notifications/set', {});
      if (how !== 'archived') await raise(device.id, 'LATER');
      await pass(30);
      expect((await letters()).filter(ofAlarms).map(({ address }) => address)).not.toContain(
        guest.email,
      );
    },
  );

  test('hold names of plants as text, whatever they are', async () => {
    const name = '<img src=x onerror=alert(1)> & "Co" \u202e\u2028Bcc: eve@example.org';
    const { device } = await reader({}, { name });
    await raise(device.id);
    await pass(3);
    const [letter] = await letters();
    expect(htmlOf(letter!)).not.toContain('<img');
    expect(htmlOf(letter!)).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;Co&quot;');
    expect(letterTextOf(letter!)).toContain('<img src=x onerror=alert(1)> & "Co"');
    // Nothing turns the text around or breaks its line, and programs make no link of a part of it.
    expect(letterTextOf(letter!)).toContain('Bcc: eve@example.\u200borg');
    expect(letterTextOf(letter!)).not.toMatch(/[\u202e\u2028]/);
    // The subject stays one line: names hold no control characters.
    expect(letter!.subject).not.toMatch(/[\r\n]/);
  });

  test('and the week speak of a device’s own code, whatever that is, and of what else is wrong', async () => {
    const { person, device } = await reader();
    const codes = Object.getOwnPropertyNames(Object.prototype);
    for (const code of codes) await raise(device.id, code);
    await raise(device.id);
    await pass(3);
    const [letter] = await letters();
    const text = letterTextOf(letter!);
    for (const code of ['constructor', '__proto__']) expect(text).toContain(code);
    expect(text).toContain('Device not reporting');
    expect(JSON.stringify(await ask(person.id, 'notifications/week'))).toContain('constructor');
  });

  test('are sent once by two workers that race, and by the next when one is killed at any statement', async () => {
    const { device, person } = await reader();
    await raise(device.id);
    await work();
    clock.at += 2 * MINUTE;
    const [a, b] = [scene.runner(), scene.runner()];
    await Promise.all([a.runDue(), b.runDue()]);
    expect((await letters()).length).toBe(1);
    await end(device.id);
    clock.at += 20 * MINUTE;
    await work();
    clock.at += 2 * MINUTE;
    let killed = 0;
    // Each worker gets one statement further than the one before.
    for (let statement = 1; statement < 40; statement++) {
      killed += (await scene.dies(statement)) ? 1 : 0;
      clock.at += HOUR;
    }
    await work();
    expect(killed).toBeGreaterThan(3);
    expect((await letters()).filter(({ address }) => address === person.email).length).toBe(1);
  });

  test('tell of each alarm once, no matter which of many workers passes it on or is killed at any statement, of an ammeter’s too', async () => {
    const { person, plantId } = await reader();
    const meter = await scene.device(plantId, { kind: 'ammeter' });
    let killed = 0;
    for (let statement = 1; statement < 40; statement++) {
      await raise(meter.id, `A${statement}`);
      await scene.arm('alarms');
      killed += (await scene.dies(statement)) ? 1 : 0;
      clock.at += HOUR;
      await work();
      clock.at += HOUR;
      await work();
      const about = (await letters()).filter(({ address }) => address === person.email);
      expect(
        about.map(({ subject }) => /\bA\d+\b/.exec(subject)?.[0]),
        `${statement}`,
      ).toEqual([`A${statement}`]);
    }
    expect(killed).toBeGreaterThan(5);
    for (let i = 0; i < 12; i++) {
      await raise(meter.id, `B${i}`);
      await scene.arm('alarms');
      await Promise.all(Array.from({ length: 12 }, () => scene.runner().runDue()));
    }
    await pass(30);
    expect((await letters()).map(({ subject }) => subject)).toEqual(['12 alarms at 1 plant']);
  });
});

test.each([
  ['en', '2 alarms at 1 plant'],
  ['de', '2 Alarme an 1 Anlage'],
  ['es', '2 alarmas en 1 planta'],
] as const)('the heading of several alarms at a single plant, in %s', (language, heading) => {
  const said = { alarm: { plantId: '1300000000000000001' } } as SaidAlarm;
  expect(headingOf({ language, advice: 'owner' }, [said, said])).toBe(heading);
});
