import { expect, test } from 'vitest';
import { readSources } from '../../lint/sources.ts';
import { bounds, kept } from '../../packages/server/src/platform/storage/bounds/bounds.ts';

const SERVER = 'packages/server/src/';
const sources = new Map(
  [...readSources('packages/server/src/**/*.ts')].map(([path, text]) => [
    path.slice(SERVER.length),
    text,
  ]),
);

/**
 * Why a table that is written to needs no bound of its own: how its rows are limited instead. Tables that are not listed must have a bound, or be kept to
 * their newest rows.
 */
const LIMITED_OTHERWISE: Readonly<Record<string, string>> = {
  account: 'made by operators, or by the person who followed a link in an e-mail, which are paced',
  accountClosing: 'one per account',
  applicationRefusal: 'one per application, endpoint and reason; the oldest make room',
  applicationUse: 'one per account, application, operation and day',
  auditEvent: 'one per change, whose requests are limited; deleted after a time',
  binding: 'one per move of a device, which operators make and requests for which are limited',
  bindingStart: 'one per device and plant',
  collectorConnection: 'one per collector',
  collectorRefusal: 'the oldest of a collector make room',
  company: 'one per account that founds one, since it belongs to one at most',
  companyFormer: 'one per company and account that was invited to it',
  deadLetter: 'one per event, which are deleted after a time',
  destinationProgress: 'one per destination',
  endedAccess: 'one per account and plant that it could see; deleted after months',
  event: 'deleted after a time, and beyond a number',
  exportChunk: 'parts of the one export of an account',
  exportEntry: 'parts of the one export of an account',
  fieldList: 'a fixed number for each owner of plants, and in all',
  historyMonth: 'one per device and month',
  installation: 'one per name',
  logInAttempt: 'one per key, deleted after minutes',
  lostStretch: 'one per gap in the log of a destination',
  mail: 'paced where people trigger it; news are folded',
  mailToken: 'one per address and purpose',
  mailTokenRequest: 'paced per network, and deleted when answered',
  newsItem: 'one per account and alarm',
  newsMessage: 'as many as outlets of an account; news are folded',
  newsSetting: 'one per account',
  oauthGrant: 'one standing per account and application',
  onceMark: 'one per write, whose requests are limited; deleted after a day',
  pageEnd: 'limited in number',
  snapshot: 'one per destination',
  performanceDay: 'one per plant and day',
  performanceLoss: 'one per plant, day, cause and inverter',
  inverterDay: 'one per inverter and day',
  learnedInverter: 'one per inverter',
  plantAccess: 'one per plant and person who accepted it, whose invitations are bounded and paced',
  plantStanding: 'one per plant',
  recalculation: 'one per plant or device',
  recoveryCode: 'a fixed number per account',
  seriesClaim: 'one per part of the series',
  seriesComparison: 'one per part of the series',
  seriesHome: 'one per part of the series',
  weatherCell: 'one per square of 0.1 degrees with plants, and deleted with them',
  weatherDay: 'one per such square and day',
  waitingReading: 'the newest 10,000 of a collector, for a week',
  strategyDevice: 'as many as a strategy may have devices',
  strategyLimits: 'one per change by an owner, who must always be able to restrict strategies',
  strategyPause: 'one per write that paused a strategy and was followed by its owner resuming it',
  strategySetting: 'one per parameter of a device of a strategy',
  strategyShare: 'one per division of a set point, which are paced',
  strategyVersion: 'one per amendment, whose requests are limited; a settlement rests on them',
  supportLook: 'one per permission, operator, operation and subject',
  task: 'one per kind and key',
  tokenAnswer: 'one per exchange of tokens, deleted after a time',
  tokenFamily: 'one per code, whose requests are limited; deleted after a time',
  totp: 'one per account',
  visibleCount: 'folded',
};

const BOUNDED = new Set<string>(Object.values({ ...bounds, ...kept }).map(({ table }) => table));

const insertionsIn = (text: string): string[] =>
  [...text.matchAll(/insertInto\(\s*'(\w+)/g)].map(([, table]) => table!);

test('every table that is written to has a bound, or a reason why it needs none', () => {
  const written = new Set([...sources.values()].flatMap(insertionsIn));
  expect([...written].filter((table) => !BOUNDED.has(table) && !LIMITED_OTHERWISE[table])).toEqual(
    [],
  );
  expect(Object.keys(LIMITED_OTHERWISE).filter((table) => !written.has(table))).toEqual([]);
  expect(Object.keys(LIMITED_OTHERWISE).filter((table) => BOUNDED.has(table))).toEqual([]);
});

test('room is asked for before a table with a bound is written to', () => {
  for (const [path, text] of sources)
    for (const table of insertionsIn(text)) {
      if (
        !BOUNDED.has(table) ||
        /(withinBounds|roomWithin)\(/.test(text) ||
        text.includes('keepNewest(')
      )
        continue;
      // A plant begins with its first time zone; applications and devices are inserted for a caller that asked for room.
      expect([path, table]).toBeOneOf([
        ['identity/oauth/applications.ts', 'application'],
        ['fleet/devices/devices.ts', 'device'],
      ]);
    }
  const used = [...sources.values()].join('\n');
  for (const name of Object.keys(bounds))
    expect(used).toMatch(new RegExp(`(withinBounds|roomWithin)\\(\\s*trx,\\s*'${name}'`));
  for (const name of Object.keys(kept))
    expect(used).toMatch(new RegExp(`keepNewest\\(\\w+, '${name}'`));
});

/** Files that count rows, and how often, in order to show or compare the number. A number that decides whether something may be added is `withinBounds`’s to count. */
const COUNTED: Readonly<Record<string, number>> = {
  'identity/accounts/search.ts': 4,
  'measurements/bindings/reading-retention.ts': 1,
  'outbound/alarms/list.ts': 1,
  'outbound/alarms/pending.ts': 1,
  'outbound/notifications/webhooks-failing.ts': 1,
  'data-rights/closing/consequences.ts': 2,
  'fleet/collectors/collectors.ts': 1,
  'fleet/collectors/search.ts': 3,
  'fleet/devices/waiting-readings.ts': 1,
  // Writes to the memory of a device within a day, counted while it is locked.
  'control/commands/budget.ts': 1,
  'control/commands/by-others.ts': 1,
  'data-rights/exports/content/readings.ts': 1,
  'outbound/forwarding/destinations/reports.ts': 2,
  'identity/mail/outbox.ts': 1,
  'outbound/notifications/settings/webhooks.ts': 1,
  'outbound/notifications/weekly/review.ts': 1,
  'identity/oauth/uses/list-uses.ts': 1,
  'fleet/plants/access.ts': 1,
  'fleet/plants/archived.ts': 3,
  'fleet/plants/companies/companies.ts': 2,
  'fleet/plants/companies/giving.ts': 1,
  'fleet/plants/companies/plants.ts': 2,
  'fleet/plants/companies/view.ts': 1,
  'fleet/plants/fleet/counters.ts': 1,
  'fleet/plants/fleet/selection-counts.ts': 1,
  'fleet/plants/fleet/visible-counts.ts': 1,
  'measurements/moving/devices.ts': 2,
  'fleet/plants/invitations/list.ts': 2,
  'fleet/plants/invitations/remains.ts': 1,
  'fleet/plants/tariffs/recalculation.ts': 2,
  'fleet/plants/managed-devices.ts': 1,
  'fleet/plants/ranking/ranking.ts': 1,
  'fleet/plants/ranking/walk.ts': 1,
  'control/strategies/list.ts': 1,
};

test('rows are counted to be shown; numbers that bound something are counted in one place', () => {
  const counting = Object.fromEntries(
    [...sources]
      .map(
        ([path, text]) =>
          [path, [...text.matchAll(/countAll\b|\bcount\((\*|distinct)/g)].length] as const,
      )
      .filter(([path, times]) => times > 0 && path !== 'platform/storage/bounds/within.ts')
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
  expect(counting).toEqual(COUNTED);
});

test('a file that adds rows compares no number of rows with a limit of its own', () => {
  const suspects = [...sources].flatMap(([path, text]) =>
    insertionsIn(text).length > 0
      ? [...text.matchAll(/[<>]=?\s*([A-Z][A-Z_]*)\b/g)].flatMap(([, limit]) =>
          /AT_MOST|MAX/.test(limit!) ? [`${path}: ${limit}`] : [],
        )
      : [],
  );
  // Values and lists of a request, not rows.
  expect(suspects.toSorted()).toEqual([
    'control/strategies/create.ts: TARGETS_AT_MOST',
    'fleet/devices/devices.ts: RATED_POWER_AT_MOST_W',
  ]);
});
