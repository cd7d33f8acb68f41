import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../../../packages/server/src/identity/accounts/accounts.ts';
import {
  allowSupport,
  listSupport,
  supportOf,
} from '../../../packages/server/src/identity/accounts/support.ts';
import { addApp } from '../../accounts/factors/fixture.ts';
import { findChromium, fitsItsWidth, picture, seriousBarriers } from '../../support/browser.ts';
import { settableClock } from '../../support/world.ts';
import { desk, openScene, phone, type PortalScene } from './fixture.ts';

const english = { ...desk, locale: 'en', colorScheme: 'light' } as const;
const german = { ...phone, locale: 'de', colorScheme: 'dark' } as const;
const PLANT = 'House by the lake';

describe.skipIf(!findChromium())('support with consent in Chromium', () => {
  const clock = settableClock('2026-11-06T11:05:00Z');
  let scene: PortalScene;
  let operator: Account;
  let owner: Account;
  beforeAll(async () => {
    scene = await openScene(clock);
    const { fleet } = scene;
    operator = await fleet.person({ email: 'op@example.com', role: 'operator' });
    await addApp(fleet, scene.database().db, operator.id);
    owner = await fleet.person({ email: 'maria@example.com' });
    await fleet.device(await fleet.plant(owner.id, { name: PLANT }));
    await scene.settle();
  });
  afterAll(() => scene?.close());
  const present = () => supportOf(scene.database().db, clock.at, owner.id);

  test('an owner lets operators look, sees it on each page and what was looked at, and ends it', async () => {
    const { page, complaints } = await scene.visit(owner, '/account', english);
    await page.getByRole('button', { name: 'Let operators look' }).click();
    expect(await present()).toBeUndefined();
    await picture(page, 'support ask en');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: 'Let them look for an hour' })
      .click();
    const banner = page.getByRole('region', { name: 'Help by operators' });
    await banner.getByText('Operators of this service may look at your own plants').waitFor();
    expect(await present()).toMatchObject({ email: owner.email });
    expect(await page.getByRole('button', { name: 'Let operators look' }).count()).toBe(0);
    expect(await seriousBarriers(page)).toEqual([]);

    const visit = await scene.visit(operator, '/operator/accounts', english);
    const theirs = visit.page;
    await theirs.getByText('maria@example.com lets you look until').waitFor();
    expect(await seriousBarriers(theirs)).toEqual([]);
    await theirs.getByRole('button', { name: 'View as this person: maria@example.com' }).click();
    await theirs.getByText('You are seeing the portal as maria@example.com does').waitFor();
    await theirs.getByRole('link', { name: PLANT }).first().click();
    await theirs.getByRole('heading', { level: 1, name: PLANT }).waitFor();
    await theirs.waitForLoadState('networkidle').catch(() => undefined);
    await picture(theirs, 'support plant en');
    expect(await seriousBarriers(theirs)).toEqual([]);
    // Nothing of the owner's stays on the operator's device.
    expect(await theirs.evaluate('JSON.stringify({ ...localStorage })')).not.toContain(PLANT);
    expect(visit.complaints).toEqual([]);

    await page.reload();
    await banner.waitFor();
    await page.getByText(/items viewed/).click();
    await page.getByText(`Plants ${PLANT}`).first().waitFor();
    await picture(page, 'support looks en');
    expect(await seriousBarriers(page)).toEqual([]);
    await banner.getByRole('button', { name: 'End' }).click();
    await banner.waitFor({ state: 'detached' });
    expect(await present()).toBeUndefined();
    expect(await listSupport(scene.database().db, owner.id)).toMatchObject([{ endedBy: 'owner' }]);
    await theirs.reload();
    await theirs.getByRole('alert').first().waitFor();
    expect(await theirs.content()).not.toContain(PLANT);
    expect(complaints).toEqual([]);
  });

  test('both see it on a phone, and the operator ends it and is back at the console', async () => {
    const { fleet } = scene;
    await fleet.write((trx) => allowSupport(trx, fleet.act(), owner.id));
    const { page, complaints } = await scene.visit(owner, '/', german);
    await page.getByText('Betreiber dieses Dienstes dürfen').waitFor();
    await picture(page, 'support owner de');
    expect(await fitsItsWidth(page)).toBe(true);
    expect(await seriousBarriers(page)).toEqual([]);
    const visit = await scene.visit(operator, '/operator/accounts', german);
    await visit.page
      .getByRole('button', { name: 'View as this person: maria@example.com' })
      .click();
    await visit.page.getByText('so wie maria@example.com').waitFor();
    await visit.page.getByText(PLANT).first().waitFor();
    await picture(visit.page, 'support operator de');
    expect(await fitsItsWidth(visit.page)).toBe(true);
    expect(await seriousBarriers(visit.page)).toEqual([]);
    await visit.page.getByRole('button', { name: 'Beenden' }).click();
    await visit.page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    expect(await present()).toBeUndefined();
    expect(await visit.page.getByText(PLANT).count()).toBe(0);
    expect([complaints, visit.complaints]).toEqual([[], []]);
  });

  test('the banner goes by itself when the hour is over', async () => {
    const { fleet } = scene;
    const { expiresAt } = await fleet.write((trx) => allowSupport(trx, fleet.act(), owner.id));
    clock.at = expiresAt - 1;
    const { page } = await scene.visit(owner, '/account', english);
    const banner = page.getByRole('region', { name: 'Help by operators' });
    await banner.waitFor();
    clock.at = expiresAt;
    await banner.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Let operators look' }).waitFor();
  });
});
