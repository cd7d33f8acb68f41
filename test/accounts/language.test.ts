import { expect, test } from 'vitest';
import { languageOf } from '../../packages/server/src/interfaces/edges/authorization/pages/languages.ts';
import { findSettings } from '../../packages/server/src/outbound/notifications/settings/settings.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';

describeEngines('the language of an account', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const fleet = createFleet(database, clock);

  test('is that of its messages, wherever it was chosen, and of nobody else’s', async () => {
    const [reader, other] = [await fleet.person(), await fleet.person()];
    const caller = userCaller(reader.id, { keyId: null });
    const spoken = async (id: string) => (await findSettings(database().db, id)).language;
    expect(await spoken(reader.id)).toBe('en');
    await fleet.ask('account/language', caller, { language: 'de' });
    expect([await spoken(reader.id), await spoken(other.id)]).toEqual(['de', 'en']);
    expect(await fleet.ask('notifications/set', caller, { weekly: true })).toMatchObject({
      language: 'de',
    });
    expect(
      await fleet.ask('notifications/set', caller, { weekly: true, language: 'zh' }),
    ).toMatchObject({
      language: 'zh',
    });
    expect(await spoken(reader.id)).toBe('zh');
    // It can be left to the browser again, in either place.
    for (const operation of ['account/language', 'notifications/set'] as const) {
      await fleet.ask('account/language', caller, { language: 'zh' });
      await fleet.ask(operation, caller, { language: 'browser' });
      expect(await spoken(reader.id)).toBe('en');
      const { language } = await database()
        .db.selectFrom('account')
        .select('language')
        .where('id', '=', reader.id)
        .executeTakeFirstOrThrow();
      expect(language).toBe(null);
    }
  });
});

test('the authorization pages prefer what the application asks for, then the account, then the browser', () => {
  expect(languageOf('ui_locales=es', 'de', 'zh')).toBe('es');
  expect(languageOf('ui_locales=xx', 'de', 'zh')).toBe('zh');
  expect(languageOf('', 'de', null)).toBe('de');
  expect(languageOf('', undefined)).toBe('en');
});
