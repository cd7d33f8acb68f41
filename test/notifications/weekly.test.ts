import { beforeEach, expect, test } from 'vitest';
import { htmlOf } from '../../packages/server/src/identity/mail/letter.ts';
import {
  readStop,
  stopMails,
} from '../../packages/server/src/outbound/notifications/settings/stop-link.ts';
import { weekText } from '../../packages/server/src/outbound/notifications/weekly/week-text.ts';
import { disableOwner } from '../../packages/server/src/fleet/plants/owners.ts';
import { unsharePlant, sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { keepLosses } from '../../packages/server/src/outbound/performance/stored-losses.ts';
import { describeEngines } from '../support/engines.ts';
import type { Installation } from '../telemetry/installation.ts';
import { createNotificationScene, DAY, HOUR, MINUTE } from './scene.ts';

// A Wednesday.
const NOW = '2026-06-10T12:00:00Z';

/** Formats have spaces of many widths. */
const spaced = (text: string): string => text.replaceAll(/\p{Zs}/gu, ' ');

describeEngines('the summary of a week', (database) => {
  const scene = createNotificationScene(database, NOW);
  const { clock, work, letters, ask } = scene;
  beforeEach(scene.clear);
  const monday = Date.parse('2026-06-15T00:00:00Z');

  /** The days of a counter that grows around noon, from a day on, by some kWh each. */
  const produce = async (to: Installation, from: number, perDay: readonly number[]) => {
    let total = 100;
    const readings = perDay.flatMap((kwh, i) => [
      { at: from + i * DAY + 11 * HOUR, values: { acPowerW: 0, energyTotalKwh: total } },
      { at: from + i * DAY + 13 * HOUR, values: { acPowerW: 0, energyTotalKwh: (total += kwh) } },
    ]);
    expect((await scene.report(to, readings)).refused).toEqual([]);
  };

  const ownerOf = async ({ plantId }: Installation) =>
    (
      await scene
        .db()
        .selectFrom('plant')
        .select('ownerId')
        .where('id', '=', plantId)
        .executeTakeFirstOrThrow()
    ).ownerId;

  /** A house with a week of 70 kWh, after weeks of 35, 35 and 14. */
  const house = async (settings: Record<string, unknown> = {}) => {
    clock.at = monday - 40 * DAY;
    const to = await scene.install({ pricePerKwh: 0.1 });
    const owner = await ownerOf(to);
    clock.at = monday - MINUTE;
    const week = (kwh: number): number[] => Array.from({ length: 7 }, () => kwh);
    await produce(to, monday - 28 * DAY, [
      ...week(2),
      ...week(5),
      ...week(5),
      10,
      10,
      10,
      15,
      5,
      10,
      10,
    ]);
    await ask(owner, 'notifications/set', { weekly: 1, ...settings });
    return { to, owner };
  };

  test('comes on Monday at seven: yield against the weeks before, best day, income, CO2, alarms, and what to do', async () => {
    const { to, owner } = await house();
    await scene.raise(to.deviceId, 'H103', 2, monday - 2 * DAY);
    clock.at = monday + 7 * HOUR - 1;
    await work();
    expect(await letters()).toEqual([]);
    clock.at = monday + 7 * HOUR;
    await work();
    const [letter, ...others] = await letters();
    expect(others).toEqual([]);
    const { email } = await scene
      .db()
      .selectFrom('account')
      .select('email')
      .where('id', '=', owner)
      .executeTakeFirstOrThrow();
    expect([letter!.address, spaced(letter!.subject)]).toEqual([
      email,
      'Your week of June 8 – 14, 2026',
    ]);
    expect(letter!.paragraphs[0]).toBe(
      'Your plants produced 70 kWh, +150% against the average of the weeks before.',
    );
    expect(letter!.paragraphs[1]).toMatch(
      /^To do: 1 open\nString far below the others at Plant .*Look for shade/,
    );
    expect(letter!.rows).toEqual([
      ['Produced', '70 kWh'],
      ['The week before', '35 kWh'],
      ['Average of the weeks before', '28 kWh'],
      ['Best day', 'Thursday, June 11, 15 kWh'],
      ['Saved + sold', expect.stringContaining('7.00')],
      ['CO₂ avoided', '33.3 kg'],
      ['Alarms that began', '1'],
    ]);
    expect(letter!.stop!.url).toContain('/portal/stop?token=');
    expect(htmlOf(letter!)).toContain('<th scope="row"');
    await scene.pass(3);
    expect(await letters()).toEqual([]);
    clock.at += 7 * DAY;
    await work();
    expect((await letters()).map(({ subject }) => spaced(subject))).toEqual([
      'Your week of June 15 – 21, 2026',
    ]);
  });

  test('ends with its link, for its reader alone and once, and when it is switched off', async () => {
    const [first, other, off] = [await house(), await house(), await house()];
    await ask(off.owner, 'notifications/set', { weekly: 0, alarmsByMail: 1 });
    clock.at = monday + 7 * HOUR;
    await work();
    const sent = await letters();
    expect(sent.length).toBe(2);
    const stops = sent.map((letter) =>
      readStop(scene.secretBox, new URL(letter.stop!.url).searchParams.get('token')!)!,
    );
    const stop = stops.find(({ accountId }) => accountId === first.owner)!;
    for (let i = 0; i < 2; i++) await scene.write((trx) => stopMails(trx, scene.act(), stop));
    expect(await ask(first.owner, 'notifications/settings')).toMatchObject({ weekly: false });
    expect(await ask(other.owner, 'notifications/settings')).toMatchObject({ weekly: true });
    expect(await ask(off.owner, 'notifications/settings')).toMatchObject({ alarmsByMail: true });
    const recorded = await scene
      .db()
      .selectFrom('auditEvent')
      .select(['accountId', 'data'])
      .where('kind', '=', 'news.stopped')
      .execute();
    expect(recorded).toEqual([{ accountId: first.owner, data: '{"what":"weekly"}' }]);
    await scene.pass(3);
    clock.at = monday + 7 * DAY + 7 * HOUR;
    await letters();
    await work();
    const { email } = await scene
      .db()
      .selectFrom('account')
      .select('email')
      .where('id', '=', other.owner)
      .executeTakeFirstOrThrow();
    expect((await letters()).map(({ address }) => address)).toEqual([email]);
  });

  test('is written in the reader’s language', async () => {
    await house({ language: 'de' });
    clock.at = monday + 7 * HOUR;
    await work();
    const [letter] = await letters();
    expect(spaced(letter!.subject)).toBe('Ihre Woche vom 8.–14. Juni 2026');
    expect(letter!.paragraphs.map(spaced)).toEqual([
      'Ihre Anlagen haben 70 kWh erzeugt, +150 % gegenüber dem Mittel der Wochen davor.',
      'Kein Alarm ist offen: Es ist nichts zu tun.',
    ]);
  });

  test('says in a sentence what was lost, and through what most', async () => {
    const { to, owner } = await house();
    clock.at = monday + 7 * HOUR;
    const lostOn = (day: number) => ({
      day,
      digest: '',
      expectedKwh: 20,
      clippedKwh: 0,
      producedKwh: 10,
      uncertaintyPercent: 8,
      missing: null,
      price: null,
      ratios: {},
      dueSteps: null,
      ranSteps: null,
      dueKwh: null,
      ranKwh: null,
      losses: [
        { cause: 'standstill', sn: 'A', kwh: 3, confidence: 'high' },
        { cause: 'standstill', sn: 'B', kwh: 4, confidence: 'high' },
        { cause: 'snow', kwh: 1, confidence: 'medium' },
      ] as const,
    });
    await keepLosses(
      database().db,
      to.plantId,
      [20_260_607, 20_260_608, 20_260_614, 20_260_615].map(lostOn),
    );
    const { paragraphs } = await ask(owner, 'notifications/week', { language: 'en' });
    expect(paragraphs[1]).toMatch(
      /^Known losses: 16 kWh. The largest cause was “Inverter down” with 14 kWh, most of it at /,
    );
  });

  test('can be read beforehand, in any language: the last week with what is to do now, and earlier ones', async () => {
    const { to, owner } = await house();
    await scene.raise(to.deviceId, 'H103', 2, monday - 2 * DAY);
    clock.at = monday + 7 * HOUR;
    await work();
    const [letter] = await letters();
    const last = await ask(owner, 'notifications/week');
    expect(last).toMatchObject({ title: letter!.subject, earlier: '2026-06-01', later: null });
    const toDo = (last.toDo as Record<string, string>[]).map(
      ({ what, where, advice }) => `${what}. ${where}. ${advice}`,
    );
    expect([...last.paragraphs, [last.toDoLead, ...toDo].join('\n')]).toEqual(letter!.paragraphs);
    expect(
      last.figures.map(({ name, value }: { name: string; value: string }) => [name, value]),
    ).toEqual(letter!.rows);
    expect(last.days).toEqual(
      [10, 10, 10, 15, 5, 10, 10].map((kwh, i) => ({
        day: `2026-06-${String(8 + i).padStart(2, '0')}`,
        kwh,
      })),
    );
    // Any of its days means a week. What is open now is not sent of earlier ones.
    const before = await ask(owner, 'notifications/week', { week: '2026-06-07', language: 'de' });
    expect(before).toMatchObject({
      toDoLead: null,
      toDo: [],
      earlier: '2026-05-25',
      later: '2026-06-08',
    });
    expect(before.paragraphs.map(spaced)).toEqual([
      'Ihre Anlagen haben 35 kWh erzeugt, +43 % gegenüber dem Mittel der Wochen davor.',
    ]);
    // Figures and days follow the region, where one is named.
    const british = await ask(owner, 'notifications/week', { language: 'en', region: 'GB' });
    expect(british.title).toMatch(/8\s–\s14 June 2026/);
    expect(last.title).toMatch(/June 8\s–\s14, 2026/);
    await expect(ask(owner, 'notifications/week', { region: 'G' })).rejects.toMatchObject({
      data: { field: 'region' },
    });
    // Before there was anything, there is nothing to go back to.
    expect(await ask(owner, 'notifications/week', { week: '2026-05-18' })).toMatchObject({
      earlier: null,
      paragraphs: [expect.stringContaining('14 kWh')],
    });
    await expect(ask(owner, 'notifications/week', { week: '2026-06-15' })).rejects.toMatchObject({
      data: { field: 'week' },
    });
    expect(await ask((await scene.person()).id, 'notifications/week')).toMatchObject({
      paragraphs: ['Nothing was measured at your plants in this week.'],
      figures: [],
    });
  });

  test('comes once, no matter which worker races for it or is killed at any statement', async () => {
    await house();
    clock.at = monday + 7 * HOUR;
    await scene.arm('weeks');
    await Promise.all([scene.runner(), scene.runner(), scene.runner()].map((one) => one.runDue()));
    expect((await letters()).length).toBe(1);
    clock.at += 7 * DAY;
    let killed = 0;
    for (let statement = 1; statement < 60; statement += 3) {
      await scene.arm('weeks');
      killed += (await scene.dies(statement)) ? 1 : 0;
      clock.at += 10 * MINUTE;
    }
    await work();
    expect(killed).toBeGreaterThan(3);
    expect((await letters()).length).toBe(1);
  });

  test('is not sent days late, but again the next Monday', async () => {
    await house();
    clock.at = monday + 7 * HOUR + 2 * DAY;
    await work();
    expect(await letters()).toEqual([]);
    clock.at = monday + 7 * HOUR + 7 * DAY;
    await work();
    expect((await letters()).length).toBe(1);
  });

  test('comes on the Monday of a zone that the account was given meanwhile', async () => {
    const { owner } = await house();
    await scene
      .db()
      .updateTable('account')
      .set({ timeZone: 'America/Los_Angeles' })
      .where('id', '=', owner)
      .execute();
    clock.at = monday + 7 * HOUR;
    await work();
    expect(await letters()).toEqual([]);
    clock.at = monday + 14 * HOUR;
    await work();
    expect((await letters()).length).toBe(1);
  });

  test('is of the plants that were chosen and may be seen; nobody without one gets any, nor does a disabled account', async () => {
    const { to, owner } = await house();
    const guest = await scene.person();
    await scene.write((trx) => sharePlant(trx, scene.act(), to.plantId, guest.email, 'read'));
    await ask(guest.id, 'notifications/set', { weekly: 1 });
    const second = await scene.install();
    await ask(owner, 'notifications/set', { weekly: 1, plantIds: second.plantId });
    clock.at = monday + 7 * HOUR;
    await work();
    expect((await letters()).map(({ address, rows }) => [address, rows![0]])).toEqual([
      [guest.email, ['Produced', '70 kWh']],
    ]);
    await scene.write((trx) => unsharePlant(trx, scene.act(), to.plantId, guest.email));
    await ask(owner, 'notifications/set', { weekly: 1 });
    await scene.write((trx) => disableOwner(trx, scene.act(), owner));
    clock.at += 7 * DAY;
    await work();
    // That access has ended is told, too.
    expect((await letters()).filter(({ stop }) => stop !== undefined)).toEqual([]);
  });

  test('comes to others while one account cannot be notified', async () => {
    const [broken, home] = [await house(), await house()];
    const zone = (timeZone: string) =>
      scene.db().updateTable('account').set({ timeZone }).where('id', '=', broken.owner).execute();
    const addressOf = async (id: string) =>
      (
        await scene
          .db()
          .selectFrom('account')
          .select('email')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).email;
    const readers = async () => (await letters()).map(({ address }) => address);
    await zone('Nowhere/Never');
    clock.at = monday + 7 * HOUR;
    await work();
    expect(await readers()).toEqual([await addressOf(home.owner)]);
    await zone('UTC');
    clock.at = monday + 8 * HOUR;
    await work();
    expect(await readers()).toEqual([await addressOf(broken.owner)]);
  });
});

test('a week in which an alarm cannot be put into words tells of it by its code, and of the rest as ever', () => {
  const logged: unknown[] = [];
  const alarm = (code: string, timeZone: string) =>
    ({
      id: code,
      code,
      level: 2,
      message: `message of ${code}`,
      sn: `SN-${code}`,
      kind: 'inverter',
      state: 0,
      beginAt: 0,
      endAt: null,
      plantId: '1',
      plantName: 'Barn',
      timeZone,
      lostKwh: null,
      lostAmount: null,
      currency: 'EUR',
    }) as const;
  const { toDo } = weekText(
    { language: 'en', advice: 'owner' },
    {
      fromDay: 20260608,
      toDay: 20260614,
      producedKwh: 1,
      weekBeforeKwh: 1,
      averageKwh: 1,
      days: new Map(),
      bestDay: undefined,
      worth: new Map(),
      lost: undefined,
      alarms: 2,
      openAlarms: 2,
      toDo: [alarm('1015', 'Mars/Olympus'), alarm('H101', 'UTC')],
      onlyFirst: undefined,
    },
    { error: (about: unknown) => void logged.push(about) },
  );
  expect(toDo.alarms).toEqual([
    { what: 'Alarm 1015 of the device (message of 1015) at Barn', where: 'Device SN-1015' },
    expect.objectContaining({ what: 'Device not reporting at Barn' }),
  ]);
  expect(logged).toEqual([expect.objectContaining({ alarm: '1015' })]);
});
