import { Suspense, useState, type ReactNode } from 'react';
import { Facts, List, Section, Soft } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { Loading } from '../../parts/states.tsx';
import { useAccount } from '../../session/session-context.ts';
import type { Grant } from './application-card.tsx';
import styles from './authorizations.module.css';
import { ActivityList, type ApplicationActivity } from './activity-list.tsx';
import { DayUses } from './day-uses.tsx';
import { texts } from './texts/index.ts';

interface EndedListProps {
  readonly grants: readonly Grant[];
  readonly activityOf: (grant: Grant) => readonly ApplicationActivity[];
  readonly plantName: (id: string) => string;
}

/** Authorizations that have ended, the latest first: when and by whom, and what the applications did until then. */
export function EndedList({ grants, activityOf, plantName }: EndedListProps): ReactNode {
  const t = texts.useTexts();
  return (
    <Section>
      <h2>{t.ended}</h2>
      <Soft>{t.endedLead}</Soft>
      <List divided boxed>
        {grants
          .toSorted((a, b) => b.revokedAt! - a.revokedAt!)
          .map((grant) => (
            <li key={grant.id}>
              <EndedGrant grant={grant} activity={activityOf(grant)} plantName={plantName} />
            </li>
          ))}
      </List>
    </Section>
  );
}

interface EndedGrantProps extends Pick<EndedListProps, 'plantName'> {
  readonly grant: Grant;
  readonly activity: readonly ApplicationActivity[];
}

function EndedGrant({ grant, activity, plantName }: EndedGrantProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { id: accountId, timeZone } = useAccount();
  const [isOpen, setOpen] = useState(false);
  const { applicationName, scopes = [], plantIds, createdAt, usedAt, revokedAt, revokedBy } = grant;
  const by =
    revokedBy === 'service'
      ? 'expiry'
      : revokedBy === `account:${accountId}`
        ? 'self'
        : revokedBy?.startsWith('key:')
          ? 'key'
          : 'operator';
  return (
    <details
      className={styles.ended}
      onToggle={({ currentTarget, target }) =>
        target === currentTarget && setOpen(currentTarget.open)
      }
    >
      <summary>
        <bdi>{applicationName}</bdi>
        <small>{t.endedBy[by](formats.dateTime(revokedAt, timeZone))}</small>
      </summary>
      {isOpen && (
        <Suspense fallback={<Loading />}>
          <Section component="div">
            <Facts>
              <dt>{t.permissionsThen}</dt>
              <dd>
                {formats.list(
                  scopes.map((scope) => t.scopes[scope as keyof typeof t.scopes] ?? scope),
                )}
              </dd>
              <dt>{t.plantsThen}</dt>
              <dd>
                {plantIds
                  ? plantIds.map((id) => <bdi key={id}>{plantName(id)}</bdi>)
                  : t.allPlantsThen}
              </dd>
              <dt>{t.since}</dt>
              <dd>{formats.dateTime(createdAt, timeZone)}</dd>
              <dt>{t.lastAccess}</dt>
              <dd>{usedAt === undefined ? t.notKnown : formats.dateTime(usedAt, timeZone)}</dd>
            </Facts>
            <DayUses grantId={grant.id ?? ''} isOver />
            {activity.length > 0 && (
              <>
                <h3>{t.whatItDid}</h3>
                <ActivityList activity={activity} name={applicationName ?? ''} />
              </>
            )}
          </Section>
        </Suspense>
      )}
    </details>
  );
}
