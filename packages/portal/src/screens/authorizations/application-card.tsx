import type { WireData } from '@helioport/contract';
import { Button } from '@mantine/core';
import { Suspense, useState, type ReactNode } from 'react';
import { Actions, Card, Facts, More, Soft } from '../../components/layout.tsx';
import { Badge } from '../../parts/badge.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { Loading } from '../../parts/states.tsx';
import { useAccount } from '../../session/session-context.ts';
import { serverNow } from '../../wire/server-clock.ts';
import styles from './authorizations.module.css';
import { ActivityList, type ApplicationActivity } from './activity-list.tsx';
import { DayUses } from './day-uses.tsx';
import { texts } from './texts/index.ts';

/** An authorization as listed. */
export type Grant = WireData<'grant/list'>[number];

interface ApplicationCardProps {
  readonly grant: Grant;
  readonly activity: readonly ApplicationActivity[];
  readonly plantName: (id: string) => string;
  readonly onNarrow: () => void;
  readonly onRevoke: () => void;
}

/** What an application may do, since when, and what it did; with the ways to take that away. */
export function ApplicationCard({
  grant,
  activity,
  plantName,
  onNarrow,
  onRevoke,
}: ApplicationCardProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { timeZone } = useAccount();
  const [isOpen, setOpen] = useState(false);
  const {
    applicationName,
    purpose,
    homePage,
    scopes = [],
    plantIds,
    createdAt,
    usedAt,
    refreshedAt,
    livesUntil,
    forwardedKinds,
    forwardedSince,
  } = grant;
  const name = applicationName ?? '';
  const writes = activity.filter(({ kind }) => kind === 'device.commanded').length;
  return (
    <Card component="article">
      <h3>
        <bdi>{name}</bdi>
      </h3>
      {(purpose || homePage) && (
        <Soft>
          {purpose && <bdi>{t.says(name, purpose)}</bdi>}
          {homePage && (
            <a href={homePage} target="_blank" rel="noreferrer">
              {t.homePage}: <bdi>{homePage}</bdi>
            </a>
          )}
        </Soft>
      )}
      <Actions component="ul">
        {scopes.map((scope) => (
          <li key={scope}>
            <Badge kind={scope === 'control_device' ? 'warn' : 'plain'}>
              {t.scopes[scope as keyof typeof t.scopes] ?? scope}
            </Badge>
          </li>
        ))}
      </Actions>
      <Facts>
        <dt>{t.plants}</dt>
        <dd>
          {plantIds ? plantIds.map((id) => <bdi key={id}>{plantName(id)}</bdi>) : t.allPlants}
        </dd>
        <dt>{t.since}</dt>
        <dd>{formats.dateTime(createdAt, timeZone)}</dd>
        <dt>{t.lastAccess}</dt>
        <dd>{usedAt === undefined ? t.notYet : formats.ago(serverNow() - usedAt)}</dd>
        <dt>{t.renewed}</dt>
        <dd>{refreshedAt === undefined ? t.notYet : formats.ago(serverNow() - refreshedAt)}</dd>
        {livesUntil !== undefined && (
          <>
            <dt>{t.ends}</dt>
            <dd>{t.endsUnless(formats.dateTime(livesUntil, timeZone))}</dd>
          </>
        )}
        {forwardedKinds && forwardedKinds.length > 0 && (
          <>
            <dt>{t.forwarded}</dt>
            <dd>
              {formats.list([...new Set(forwardedKinds.map((kind) => t.eventKinds[kind] ?? kind))])}
              <small className={styles.kinds}>
                {t.sinceTime(formats.dateTime(forwardedSince, timeZone))}
              </small>
            </dd>
          </>
        )}
        <dt>{t.wrote}</dt>
        <dd>{t.writes(writes)}</dd>
      </Facts>
      <DayUses grantId={grant.id ?? ''} />
      {activity.length > 0 && (
        <More onToggle={({ currentTarget: { open } }) => setOpen(open)}>
          <summary>{t.whatItDid}</summary>
          {isOpen && (
            <Suspense fallback={<Loading />}>
              <ActivityList activity={activity} name={name} />
            </Suspense>
          )}
        </More>
      )}
      <Actions end>
        <Button variant="default" onClick={onNarrow} aria-label={`${t.narrow}: ${name}`}>
          {t.narrow}
        </Button>
        <Button
          variant="default"
          onClick={onRevoke}
          c="var(--hp-fault)"
          aria-label={`${t.revoke}: ${name}`}
        >
          {t.revoke}
        </Button>
      </Actions>
    </Card>
  );
}
