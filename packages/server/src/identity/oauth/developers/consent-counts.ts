import type { ConsentCounts } from '@helioport/contract';
import { sql } from 'kysely';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { livesUntil } from '../grant-life.ts';
import { bitsOf } from '../scopes.ts';

const LATELY_MS = 30 * 86_400_000;

/** How many owners have allowed an application something: numbers alone. */
export async function countConsents(
  db: Db,
  applicationId: string,
  now: Instant,
): Promise<ConsentCounts> {
  const lives = sql<boolean>`g."revokedAt" is null and coalesce(${livesUntil}, 0) > ${now}`;
  const [control, since] = [bitsOf(['control_device']), now - LATELY_MS];
  const { rows } = await sql<ConsentCounts>`select
      count(case when lives then 1 end) as living,
      count(case when lives and scopes & ${control} > 0 then 1 end) as "withControl",
      count(case when lives and "plantIds" is not null then 1 end) as "forSomePlants",
      count(case when "createdAt" > ${since} then 1 end) as "givenLately",
      count(case when "revokedAt" > ${since} then 1 end) as "endedLately"
    from (select g.scopes, g."plantIds", g."createdAt", g."revokedAt", ${lives} as lives from "oauthGrant" as g where g."applicationId" = ${applicationId}) as c`.execute(
    db,
  );
  return rows[0]!;
}
