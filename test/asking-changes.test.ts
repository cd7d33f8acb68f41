import { expect, test } from 'vitest';
import { askingChanges } from '../lint/statements.ts';
import { readSources } from '../lint/sources.ts';

const OLD = 'what is old enough to be swept stays so, and any other deleter wants the same';
const CLAIMED = 'the subquery locks the rows that it finds';
const OWN_RUN =
  'one run of the task at a time does this, and the rows belong to an account that is closed';

/**
 * Under PostgreSQL’s READ COMMITTED, a change that waits for a row looks at the row’s own columns again, but not at what a subquery of its condition found
 * before. So state is tested in the row itself, or what the subquery reads is locked before. These are the statements with a query in a condition,
 * and why none of them decides by something that may have changed while it waited.
 */
const reasons: Readonly<Record<string, string>> = {
  'identity/accounts/audit.ts: auditEvent': OLD,
  'identity/accounts/mail-tokens/tokens.ts: mailToken': OLD,
  'identity/accounts/mail-tokens/tokens.ts: mailTokenRequest': OLD,
  'identity/accounts/once.ts: onceMark': OLD,
  'identity/accounts/page-ends.ts: pageEnd': OLD,
  'identity/accounts/support.ts: supportPermission': OLD,
  'control/commands/history.ts: command': OLD,
  'control/commands/history.ts: command 2': OLD,
  'identity/oauth/housekeeping.ts: ${': 'the condition is repeated on the row itself',
  'identity/oauth/uses/list-uses.ts: applicationUse': OLD,
  'fleet/plants/companies/invitations.ts: companyInvitation': OLD,
  'fleet/plants/invitations/list.ts: invitation': OLD,
  'data-rights/closing/end-control.ts: newsItem': OWN_RUN,
  'data-rights/closing/end-control.ts: newsMessage': OWN_RUN,
  'data-rights/closing/forget.ts: command': OWN_RUN,
  'data-rights/closing/forget.ts: alarm': OWN_RUN,
  'fleet/devices/placement.ts: device': 'the device is locked, and with it its bindings',
  'data-rights/closing/forget.ts: endedAccess': OWN_RUN,
  'fleet/plants/ended-access.ts: endedAccess':
    'the plant is locked, and with it who has access; what was ended before is noted anew',
  'fleet/devices/waiting-readings.ts: waitingReading':
    'what is beyond the bound only grows older; what another removes meanwhile is gone either way',
  'fleet/devices/waiting-readings.ts: waitingReading 2':
    'what has waited for too long never gets younger',
  'platform/events/position.ts: eventLog': 'the position is under the lock of the log',
  'outbound/forwarding/dispatcher/progress.ts: destinationProgress': 'given values, no query',
  'outbound/forwarding/dispatcher/progress.ts: waitingDevice': 'given values, no query',
  'platform/storage/installation/values.ts: installation': 'given values, no query',
  'measurements/ingest/claims.ts: seriesClaim': CLAIMED,
  'measurements/ingest/claims.ts: seriesClaim 2': CLAIMED,
  'measurements/ingest/claims.ts: seriesClaim 3': CLAIMED,
  'fleet/plants/binding-starts.ts: binding':
    'what it misses makes a start be searched for once more, and nothing else',
  'fleet/plants/companies/access.ts: plantAccess':
    'the company is locked, and with it who belongs to it',
  'fleet/plants/companies/access.ts: plantAccess 2':
    'the company is locked, and with it who belongs to it',
  'fleet/plants/companies/members.ts: plant': 'the company is locked with its plants',
  'measurements/series/cassandra/marks.ts: ${': 'another engine, which has no such queries',
  'measurements/series/cassandra/rollups.ts: ${': 'another engine, which has no such queries',
  'measurements/series/cassandra/rollups.ts: ${ 2': 'another engine, which has no such queries',
  'measurements/series/cassandra/rollups.ts: ${ 3': 'another engine, which has no such queries',
  'measurements/series/cassandra/samples.ts: ${': 'another engine, which has no such queries',
  'platform/storage/migrate.ts: schema_migration': 'under the lock that all instances wait for',
  'platform/storage/bounds/within.ts: ${':
    'the rows that are over the bound are the oldest, and stay so',
  'platform/work/claim.ts: task': CLAIMED,
  'platform/work/mend.ts: task': CLAIMED,
};

const SERVER = 'packages/server/src/';

test('no change decides by what a subquery found before it waited for its row', () => {
  const found = askingChanges(readSources(`${SERVER}**/*.ts`));
  expect(found.map(({ place }) => place.replace(SERVER, '')).toSorted()).toEqual(
    Object.keys(reasons).toSorted(),
  );
});

test.each([
  [
    'a subquery',
    `await trx
      .updateTable('invitation')
      .set({ state: 'withdrawn' })
      .where('id', '=', id)
      .where('id', 'in', trx.selectFrom('invitation').select('id').where('state', '=', 'open'))
      .execute();`,
  ],
  [
    'a query made elsewhere',
    `await trx.deleteFrom('invitation').where('id', 'in', openInvitations(trx)).execute();`,
  ],
  [
    'one that is added later',
    `let open = trx.updateTable('invitation').set({ state });
    open = open.where(({ exists, selectFrom }) => exists(selectFrom('plant')));`,
  ],
  ['one in SQL', 'sql`update invitation set state = 1 where id in (select id from plant)`'],
])('%s is found', (_, text) => {
  expect(askingChanges(new Map([['a.ts', text]]))).toMatchObject([{ place: 'a.ts: invitation' }]);
});

test('conditions of the row itself are none of these', () => {
  const own = `await trx.updateTable('invitation').where('state', 'in', ['open']).where((eb) => eb.or([eb('a', '=', 1)])).execute();`;
  expect(askingChanges(new Map([['a.ts', own]]))).toEqual([]);
});
