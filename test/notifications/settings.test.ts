import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { describeEngines } from '../support/engines.ts';
import { startPortal, type TestPortal } from '../support/portal.ts';
import { createNotificationScene } from './scene.ts';

describeEngines('what somebody wants to be notified of', (database) => {
  const scene = createNotificationScene(database);
  const { ask, clock } = scene;
  beforeEach(scene.clear);

  test('is nothing by default, and what was set afterwards', async () => {
    const person = await scene.person({ timeZone: 'Europe/Berlin' });
    const before = await ask(person.id, 'notifications/settings');
    expect(before).toEqual({
      email: person.email,
      mailAvailable: true,
      pushKey: expect.stringMatching(/^B[\w-]{86}$/),
      alarmsByMail: false,
      weekly: false,
      changes: false,
      minLevel: 2,
      plantIds: null,
      quietFrom: null,
      quietTo: null,
      urgentPasses: true,
      webhooksQuiet: false,
      language: 'en',
      timeZone: 'Europe/Berlin',
    });
    const change = {
      alarmsByMail: 1,
      weekly: 1,
      minLevel: 3,
      plantIds: ['1', '2'],
      quietFrom: '22:00',
      quietTo: '06:30',
      urgentPasses: 0,
      webhooksQuiet: 1,
      language: 'zh',
    };
    const after = await ask(person.id, 'notifications/set', change);
    expect(after).toEqual({
      ...before,
      ...change,
      alarmsByMail: true,
      weekly: true,
      urgentPasses: false,
      webhooksQuiet: true,
    });
    expect(await ask(person.id, 'notifications/settings')).toEqual(after);
    // The key of browsers stays.
    expect((await ask((await scene.person()).id, 'notifications/settings')).pushKey).toBe(
      before.pushKey,
    );
    // The language is the account's, and stays.
    expect(await ask(person.id, 'notifications/set', {})).toEqual({ ...before, language: 'zh' });
    const trail = await scene
      .db()
      .selectFrom('auditEvent')
      .select(['kind', 'actor'])
      .where('accountId', '=', person.id)
      .where('kind', '=', 'news.set')
      .execute();
    expect(trail).toEqual([
      { kind: 'news.set', actor: `account:${person.id}` },
      { kind: 'news.set', actor: `account:${person.id}` },
    ]);
  });

  test.each([
    [{ quietFrom: '22:00' }, { code: 'missingParameter', data: { field: 'quietTo' } }],
    [
      { quietFrom: '24:00', quietTo: '06:00' },
      { code: 'invalidValue', data: { field: 'quietFrom' } },
    ],
    [
      { quietFrom: '22:00', quietTo: '6:00' },
      { code: 'invalidValue', data: { field: 'quietTo' } },
    ],
    [{ minLevel: 4 }, { code: 'invalidValue', data: { field: 'minLevel' } }],
    [{ language: 'tlh' }, { code: 'invalidValue', data: { field: 'language' } }],
  ])('%j is refused, and nothing is changed', async (request, refusal) => {
    const { id } = await scene.person();
    const before = await ask(id, 'notifications/set', { alarmsByMail: 1 });
    await expect(ask(id, 'notifications/set', request)).rejects.toMatchObject(refusal);
    expect(await ask(id, 'notifications/settings')).toEqual(before);
  });

  let portal: TestPortal;
  beforeAll(async () => void (portal = await startPortal(database(), clock)));
  afterAll(() => portal.close());

  /** An e-mail about alarms to somebody who wants the weekly summary too; its link, at this server. */
  const stopLink = async () => {
    const { person } = await scene.reader({ weekly: 1, language: 'de' });
    await ask(person.id, 'notifications/test');
    const [letter] = await scene.letters();
    return { person, url: letter!.stop!.url.replace(scene.portalUrl, portal.url) };
  };

  test('is ended by the link in an e-mail: not by opening it, but by one request without a session, which may be repeated', async () => {
    const { person, url } = await stopLink();
    const opened = await fetch(url, {
      headers: { Accept: 'text/html', 'Sec-Fetch-Site': 'cross-site' },
    });
    expect([opened.status, opened.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(opened.headers.get('content-security-policy')).toContain("form-action 'self'");
    const page = await opened.text();
    expect(page).toContain('<html lang="de">');
    expect(page).toContain('<form method="post"><button>Beenden</button></form>');
    expect(await ask(person.id, 'notifications/settings')).toMatchObject({
      alarmsByMail: true,
      weekly: true,
    });
    for (let i = 0; i < 2; i++) {
      const stopped = await fetch(url, {
        method: 'POST',
        headers: { Accept: 'text/html' },
        body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
      });
      expect([stopped.status, await stopped.text()]).toEqual([
        200,
        expect.stringContaining('Sie sind beendet'),
      ]);
    }
    expect(await ask(person.id, 'notifications/settings')).toMatchObject({
      alarmsByMail: false,
      weekly: true,
    });
    const trail = await scene
      .db()
      .selectFrom('auditEvent')
      .select(['data', 'actor'])
      .where('accountId', '=', person.id)
      .where('kind', '=', 'news.stopped')
      .execute();
    expect(trail).toEqual([{ data: '{"what":"alarms"}', actor: `account:${person.id}` }]);
  });

  test('is not ended by a link that was changed', async () => {
    const { person, url } = await stopLink();
    for (const other of [
      url.slice(0, -3),
      url.replace('token=', 'token=A'),
      url.replace(/token=.*/, ''),
      `${url}&token=x`,
    ]) {
      const answer = await fetch(other, { method: 'POST', headers: { Accept: 'text/html' } });
      expect([answer.status, await answer.text()]).toEqual([
        400,
        expect.stringContaining('not complete'),
      ]);
    }
    expect(await ask(person.id, 'notifications/settings')).toMatchObject({ alarmsByMail: true });
    expect((await fetch(url, { method: 'PUT' })).status).toBe(405);
  });
});
