// How soon the portal's first page can be used, compared with a blank page of the same server (/healthz), in turns, in Chromium. A page can be used once
// what it is there for has been drawn and can be seen: the form to sign in with, which can be sent off before the app is there, or the list of plants. Needs Chromium; HELIOPORT_TEST_CHROMIUM names another one.
// HELIOPORT_BENCH_ROUNDS makes it shorter, in which case nothing is written.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { insertAccount } from '../packages/server/src/identity/accounts/accounts.ts';
import { insertSession } from '../packages/server/src/identity/accounts/sessions.ts';
import { systemClock } from '../packages/server/src/platform/kernel/clock.ts';
import { createIdSource } from '../packages/server/src/platform/kernel/ids.ts';
import { insertPlant } from '../packages/server/src/fleet/plants/plants.ts';
import { migrate } from '../packages/server/src/platform/storage/migrate.ts';
import { openStorage } from '../packages/server/src/platform/storage/open.ts';
import { buildPortal } from '../scripts/lib/portal.mjs';
import { launchChromium } from '../test/support/browser.ts';
import { serve } from '../test/support/server-process.ts';
import { barePlant } from '../test/support/world.ts';
import { median, quantile } from './support/quantiles.ts';
import { writeResults } from './support/results.ts';

const FULL_ROUNDS = 15;
const ROUNDS = Number(process.env['HELIOPORT_BENCH_ROUNDS'] ?? FULL_ROUNDS);
const LIMIT = 3;

/** Bandwidths in bytes a second, times in ms. */
const networks = [
  { name: 'none in between', conditions: undefined },
  {
    name: 'a good phone network: 60 ms, 10 Mbit/s',
    conditions: { latency: 60, downloadThroughput: 1_250_000, uploadThroughput: 625_000 },
  },
] as const;

interface Visit {
  readonly name: string;
  readonly path: string;
  /** What it is there for; undefined = it is blank. */
  readonly wanted?: string;
  readonly signedIn?: boolean;
  /** Whether the browser has been there before. */
  readonly again?: boolean;
}

const BLANK: Visit = { name: 'blank page', path: '/healthz' };
const visits: readonly Visit[] = [
  { name: 'sign-in, first visit', path: '/', wanted: 'button[type=submit]' },
  { name: 'plants, first visit', path: '/', wanted: 'main table td', signedIn: true },
  { name: 'plants, later visit', path: '/', wanted: 'main table td', signedIn: true, again: true },
];

const folder = mkdtempSync(join(tmpdir(), 'helioport-bench-'));
await buildPortal(fileURLToPath(new URL('..', import.meta.url)), console.log);
const session = await install();
const server = serve(folder, { HELIOPORT_ROLES: 'portal' });
const browser = await launchChromium();
try {
  const url = (await server.started)['portal']!;
  const parts: string[] = [];
  for (const { name, conditions } of networks) {
    const { rows, above } = await inTurns(url, conditions);
    parts.push(
      `| network: ${name} | ms (p50) | p90 | times a blank page | of which scripts, ms | all work of the page, ms | files asked for |\n|---|---|---|---|---|---|---|\n${rows.join('\n')}${above.length === 0 ? '' : `\n\nAbove the target: ${above.join(', ')}.`}`,
    );
  }
  const text = `### Until it can be used

From the beginning of the visit until what the page is there for has been drawn; for the blank page, until it is. ${ROUNDS} visits of each, in turns, each in a window without
cache or with what one earlier visit has left there. Target: at most ${LIMIT} times a blank page. Work is that of the page's main thread, by Chromium's own count: what is beyond
it is waiting for the server and for the processor. The form to sign in with comes with the page and works without the app. The list of plants is drawn by the app, and its first
answers come with the page: what separates it from the target is the work of starting React, the router and the components, which no part of the network shortens
([0069](../docs/adr/0069-performance.md)).

${parts.join('\n\n')}`;
  console.log(text);
  if (ROUNDS === FULL_ROUNDS) writeResults('Portal load', 'portal-load', text);
} finally {
  await browser.close();
  server.kill('SIGTERM');
  await server.ended;
  rmSync(folder, { recursive: true, force: true });
}

/** An owner with a few plants; resolves to the session that the browser shows. */
async function install(): Promise<string> {
  const { db, engine, close } = openStorage(join(folder, 'data', 'helioport.db'));
  await migrate(db, engine, 0);
  const act = {
    at: systemClock.now(),
    actor: 'operator' as const,
    address: null,
    newId: createIdSource(systemClock),
  };
  const id = await db.transaction().execute(async (trx) => {
    const facts = {
      email: 'owner@example.com',
      role: 'owner',
      timeZone: 'UTC',
      passwordHash: '',
      legacyHash: null,
    } as const;
    const owner = await insertAccount(trx, act, facts);
    for (const name of ['House', 'Barn', 'Shop'])
      await insertPlant(trx, act, { ...barePlant, ownerId: owner.id, name });
    return insertSession(trx, act, {
      accountId: owner.id,
      entrance: 'portal',
      freshFor: null,
      userAgent: null,
    });
  });
  await close();
  return id;
}

type Conditions = (typeof networks)[number]['conditions'];

interface Measured {
  readonly ms: number;
  /** Time that the page's main thread spent in scripts, and in all it did, ms. */
  readonly scriptMs: number;
  readonly workMs: number;
  readonly files: number;
}

async function inTurns(
  url: string,
  conditions: Conditions,
): Promise<{ readonly rows: string[]; readonly above: string[] }> {
  const all = [BLANK, ...visits];
  const times = new Map<Visit, Measured[]>(all.map((visit) => [visit, []]));
  for (let round = -1; round < ROUNDS; round++) {
    for (const visit of all) {
      const measured = await measure(browser, url, visit, conditions);
      if (round >= 0) times.get(visit)!.push(measured);
    }
  }
  const of = (visit: Visit, what: keyof Measured): number[] =>
    times.get(visit)!.map((measured) => measured[what]);
  const blank = median(of(BLANK, 'ms'));
  const timesBlank = (visit: Visit): number => median(of(visit, 'ms')) / blank;
  const above = visits
    .filter((visit) => timesBlank(visit) > LIMIT)
    .map((visit) => `${visit.name} by ${Math.round(blank * (timesBlank(visit) - LIMIT))} ms`);
  const rows = all.map((visit) => {
    const own = of(visit, 'ms');
    const [scripts, work, files] = (['scriptMs', 'workMs', 'files'] as const).map((what) =>
      median(of(visit, what)).toFixed(0),
    );
    return `| ${visit.name} | ${median(own).toFixed(0)} | ${quantile(own, 0.9).toFixed(0)} | ${timesBlank(visit).toFixed(1)} | ${scripts} | ${work} | ${files} |`;
  });
  return { rows, above };
}

async function measure(
  chromium: Browser,
  url: string,
  visit: Visit,
  conditions: Conditions,
): Promise<Measured> {
  const context = await chromium.newContext();
  try {
    if (visit.signedIn)
      await context.addCookies([
        {
          name: 'helioport_portal_session',
          value: session,
          url,
          httpOnly: true,
          sameSite: 'Strict',
        },
      ]);
    if (visit.again) await readyAt(await openPage(context, visit), url, visit);
    const page = await openPage(context, visit);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Performance.enable');
    if (conditions)
      await devtools.send('Network.emulateNetworkConditions', { offline: false, ...conditions });
    const ms = await readyAt(page, url, visit);
    const { metrics } = await devtools.send('Performance.getMetrics');
    const msOf = (name: string): number =>
      (metrics.find((metric) => metric.name === name)?.value ?? 0) * 1000;
    const files = await page.evaluate<number>("performance.getEntriesByType('resource').length");
    return { ms, scriptMs: msOf('ScriptDuration'), workMs: msOf('TaskDuration'), files };
  } finally {
    await context.close();
  }
}

/** Notes when what is wanted has been drawn: the second frame after it is there, in which it can be seen. From outside the page, whose policy allows no such script. */
async function openPage(context: BrowserContext, { wanted }: Visit): Promise<Page> {
  const page = await context.newPage();
  await page.addInitScript(
    `(() => {
      const wanted = ${JSON.stringify(wanted ?? null)};
      const isSeen = () => wanted === null || document.querySelector(wanted)?.checkVisibility({ visibilityProperty: true });
      const note = () => (isSeen() ? setTimeout(() => { window.readyAt ??= performance.now(); }) : drawn());
      const drawn = () => requestAnimationFrame(() => requestAnimationFrame(note));
      if (wanted === null) return addEventListener('load', drawn);
      const look = () => { if (document.querySelector(wanted)) { watch.disconnect(); drawn(); } };
      const watch = new MutationObserver(look);
      watch.observe(document, { childList: true, subtree: true });
    })()`,
  );
  return page;
}

async function readyAt(page: Page, url: string, { path }: Visit): Promise<number> {
  await page.goto(url + path, { waitUntil: 'commit' });
  const handle = await page.waitForFunction(
    () => (globalThis as { readyAt?: number }).readyAt,
    undefined,
    { timeout: 60_000 },
  );
  return (await handle.jsonValue()) as number;
}
