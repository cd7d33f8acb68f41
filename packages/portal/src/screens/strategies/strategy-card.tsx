import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Actions, Card, Note, Row, Soft } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { Badge } from '../../parts/badge.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { strategyState } from '../../parts/plants/strategy-state.ts';
import { toast } from '../../parts/toast.tsx';
import { useChange, useOperation } from '../../wire/queries.ts';
import { StrategyDetails } from './details.tsx';
import { Reason } from './reason.tsx';
import styles from './strategies.module.css';
import { texts } from './texts/index.ts';
import { useWords, type Strategy } from './words.ts';

const GOOD = new Set<string | undefined>(['active', 'completed']);
const BAD = new Set<string | undefined>(['failed', 'partlyApplied']);

/** How well a state is, for its colour. */
export const toneOf = (state: string | undefined): 'good' | 'fault' | 'plain' =>
  GOOD.has(state) ? 'good' : BAD.has(state) ? 'fault' : 'plain';

interface CardProps {
  readonly strategy: Strategy;
  readonly plantId: string;
  readonly zone: string;
  readonly isOwner: boolean;
  /** Whether it does nothing any more in the plant. */
  readonly isOver: boolean;
}

/** One strategy: who dispatched it, what it does in words, and how it goes. */
export function StrategyCard({ strategy, plantId, zone, isOwner, isOver }: CardProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const words = useWords();
  const { data: limits } = useOperation('strategy/limits', { plantId });
  const stop = useChange('strategy/stop');
  const resume = useChange('strategy/resume');
  const [isAsking, setAsking] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const {
    id = '',
    name = '',
    applicationName = '',
    program,
    state = 'draft',
    reason,
    startAt,
    endAt,
    endedAt,
    intervals,
    devices,
  } = strategy as Strategy & { readonly devices?: Readonly<Record<string, number>> };
  const reserve = limits?.reserveSocPercent;
  const endsAt =
    endedAt === undefined || state === 'completed'
      ? undefined
      : t.ended(formats.dateTime(endedAt, zone));
  return (
    <Card component="article" data-strategy={id} aria-label={name}>
      <Row>
        <h3>
          <bdi>{name}</bdi>
        </h3>
        <Badge kind={toneOf(strategyState(strategy))}>{t.states[strategyState(strategy)]}</Badge>
      </Row>
      <Soft>
        <bdi>{t.by(applicationName)}</bdi>
        {program !== undefined && (
          <>
            {' · '}
            <bdi>{t.program(program)}</bdi>
          </>
        )}
        {' · '}
        {t.period(formats.dateTime(startAt, zone), formats.dateTime(endAt, zone))}
        {endsAt && ` · ${endsAt}`}
      </Soft>
      {reason && (
        <Note>
          <Reason reason={reason} isOwner={isOwner} />
        </Note>
      )}
      <dl className={styles.plan} aria-label={t.does}>
        {words
          .linesOf(strategy, isOver ? undefined : reserve, isOwner)
          .map(({ key, when, what }) => (
            <div key={key}>
              {when && <dt>{when}</dt>}
              <dd>{what}</dd>
            </div>
          ))}
      </dl>
      {intervals !== undefined && <Note>{t.otherTimes}</Note>}
      <Actions>
        {isOwner && !isOver && (
          <Button
            variant="default"
            c="var(--hp-fault)"
            size="sm"
            aria-label={t.stopName(name)}
            onClick={() => setAsking(true)}
          >
            {t.stop}
          </Button>
        )}
        {isOwner && !isOver && (devices?.['paused'] ?? 0) > 0 && (
          <Button
            size="sm"
            loading={resume.isPending}
            aria-label={`${t.resume}: ${name}`}
            onClick={() =>
              resume.mutate(
                { id, plantId },
                {
                  onSuccess: () => toast.show(t.resumed),
                  onError: () => toast.fault(t.notResumed),
                },
              )
            }
          >
            {t.resume}
          </Button>
        )}
        <Button variant="default" size="sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t.hideDetails : t.details}
        </Button>
      </Actions>
      {isOpen && <StrategyDetails id={id} plantId={plantId} zone={zone} isOwner={isOwner} />}
      <ConfirmDialog
        opened={isAsking}
        title={t.stopTitle}
        action={t.stop}
        dangerous
        busy={stop.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          stop.mutate(
            { id, plantId },
            {
              onSuccess: () => toast.show(t.stoppedOne),
              onError: ({ message }) => toast.fault(message),
              onSettled: () => setAsking(false),
            },
          )
        }
      >
        <p>
          <bdi>{t.stopLead(name)}</bdi>
        </p>
        <p>
          {t.handStays} {reserve !== undefined && t.reserveStays(`${formats.number(reserve)} %`)}
        </p>
      </ConfirmDialog>
    </Card>
  );
}
