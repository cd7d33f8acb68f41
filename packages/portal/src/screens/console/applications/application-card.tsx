import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Actions, Card, Stacked } from '../../../components/layout.tsx';
import { useFormats } from '../../../i18n/formats.ts';
import { Badge } from '../../../parts/badge.tsx';
import { useAccount } from '../../../session/session-context.ts';
import { serverNow } from '../../../wire/server-clock.ts';
import { texts } from '../texts/index.ts';
import type { Application, Decision } from './application.ts';

interface ApplicationCardProps {
  readonly application: Application;
  readonly onDecide: (decision: Decision) => void;
}

const KINDS = { submitted: 'warn', approved: 'good', rejected: 'over', disabled: 'over' } as const;
const DECISIONS: Readonly<Record<NonNullable<Application['state']>, readonly Decision[]>> = {
  submitted: ['approve', 'reject'],
  approved: ['disable'],
  disabled: ['enable'],
  rejected: [],
};

/** What somebody applies for. All texts are the developer's, and are shown as text. */
export function ConsoleApplicationCard({ application, onDecide }: ApplicationCardProps): ReactNode {
  const t = texts.useTexts().applications;
  const formats = useFormats();
  const { timeZone } = useAccount();
  const {
    name,
    owner,
    purpose,
    homePage,
    redirectUri,
    scopes = [],
    askedScopes = scopes,
    submittedAt = 0,
    decidedAt,
    requirePkce,
    reason,
  } = application;
  const isGranted = application.state === 'approved' || application.state === 'disabled';
  const state = application.state!;
  return (
    <Card component="article">
      <Stacked component="header">
        <h3>
          <bdi>{name}</bdi>
        </h3>
        <small>
          <bdi>{owner === undefined ? t.byOperator : t.by(owner)}</bdi> ·{' '}
          {t.waits(formats.ago(serverNow() - submittedAt))}
          {decidedAt !== undefined && ` · ${t.decidedAt(formats.dateTime(decidedAt, timeZone))}`}
        </small>
        <Badge kind={KINDS[state]}>{t.states[state]}</Badge>
      </Stacked>
      {purpose !== undefined && <p>{purpose}</p>}
      <Stacked component="div">
        <small>{t.asksFor}</small>
        {askedScopes.map((scope) => (
          <span key={scope}>{t.scopes[scope]}</span>
        ))}
      </Stacked>
      {isGranted && (
        <Stacked component="div">
          <small>{t.granted}</small>
          {scopes.map((scope) => (
            <span key={scope}>{t.scopes[scope]}</span>
          ))}
        </Stacked>
      )}
      <Stacked component="div">
        <small>{t.callback}</small>
        <bdi>{redirectUri}</bdi>
      </Stacked>
      {homePage !== undefined && (
        <Stacked component="div">
          <small>{t.homePage}</small>
          <bdi>{homePage}</bdi>
        </Stacked>
      )}
      <small>{requirePkce ? t.pkce : t.noPkce}</small>
      {reason !== undefined && <p>{reason}</p>}
      <Actions>
        {DECISIONS[state].map((decision) => (
          <Button
            key={decision}
            size="xs"
            variant={decision === 'approve' ? 'filled' : 'default'}
            onClick={() => onDecide(decision)}
            aria-label={`${t[decision]}: ${name}`}
          >
            {t[decision]}
          </Button>
        ))}
      </Actions>
    </Card>
  );
}
