import type { WireData } from '@helioport/contract';
import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Actions, Card, Facts, FaultText } from '../../../components/layout.tsx';
import { useFormats } from '../../../i18n/formats.ts';
import { Badge } from '../../../parts/badge.tsx';
import { toast } from '../../../parts/toast.tsx';
import { useAccount } from '../../../session/session-context.ts';
import { useChange, useQuestion } from '../../../wire/queries.ts';
import { serverNow } from '../../../wire/server-clock.ts';
import styles from '../developer.module.css';
import { texts } from '../texts/index.ts';
import { LiveTail } from './live-tail.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import { Undelivered } from './undelivered.tsx';

type Destination = WireData<'forwarding/list'>[number];

const KINDS = { active: 'good', paused: 'warn', failing: 'fault', disabled: 'fault' } as const;

/** A destination: how far it is, what failed last, and what can be done about it. */
export function DestinationCard({ destination }: { readonly destination: Destination }): ReactNode {
  const t = texts.useTexts().destinations;
  const formats = useFormats();
  const { timeZone } = useAccount();
  const [isReplaying, setReplaying] = useState(false);
  const test = useQuestion('forwarding/test');
  const pause = useChange('forwarding/pause');
  const resume = useChange('forwarding/resume');
  const {
    id = '',
    url = '',
    state = 'active',
    behindSeconds = 0,
    waitingDevices = 0,
    deadLetters = 0,
  } = destination;
  const onError = (fault: Error): void => toast.fault(fault.message);
  const isFailing = state === 'active' && destination.failingSince !== undefined;
  const shown = isFailing ? 'failing' : state;
  // Events of the stream, and those that wait beside it for another attempt.
  const { oldestWaitingAt = Infinity } = destination;
  const oldestMs = Math.max(behindSeconds * 1000, serverNow() - oldestWaitingAt);
  const [switching, verb] = state === 'active' ? [pause, t.pause] : [resume, t.resume];
  return (
    <Card component="article">
      <Actions component="span">
        <h3>
          <bdi>{url}</bdi>
        </h3>
        <Badge kind={KINDS[shown]}>{t.states[shown]}</Badge>
      </Actions>
      {destination.reason !== undefined && <FaultText>{destination.reason}</FaultText>}
      <Facts>
        {isFailing && (
          <>
            <dt>{t.failingSince}</dt>
            <dd>{formats.dateTime(destination.failingSince, timeZone)}</dd>
          </>
        )}
        <dt>{t.oldest}</dt>
        <dd>
          {behindSeconds > 0 || waitingDevices > 0
            ? formats.ago(Math.max(0, oldestMs))
            : t.upToDate}
        </dd>
        <dt>{t.delivered}</dt>
        <dd>{formats.number(destination.delivered, 0)}</dd>
        <dt>{t.last}</dt>
        <dd>
          {destination.deliveredAt === undefined
            ? t.never
            : formats.ago(serverNow() - destination.deliveredAt)}
        </dd>
        <dt>{t.failed}</dt>
        <dd>
          {formats.number(destination.failures, 0)}
          {waitingDevices > 0 && <small>{t.waiting(waitingDevices)}</small>}
          {deadLetters > 0 && <small>{t.letters(deadLetters)}</small>}
        </dd>
        {destination.failure !== undefined && (
          <>
            <dt>{t.lastError}</dt>
            <dd>
              <bdi>{destination.failure}</bdi>
              {destination.excerpt !== undefined && (
                <code className={styles.excerpt}>{destination.excerpt}</code>
              )}
              <small>
                {formats.dateTime(destination.failedAt, timeZone)}
                {state === 'active' && destination.nextAttemptAt !== undefined && (
                  <> · {t.nextAttempt(formats.dateTime(destination.nextAttemptAt, timeZone))}</>
                )}
              </small>
            </dd>
          </>
        )}
        <dt>{t.kinds}</dt>
        <dd>
          <small>{destination.kinds?.join(', ')}</small>
        </dd>
      </Facts>
      <Actions component="span">
        <Button
          size="xs"
          variant="default"
          loading={test.isPending}
          onClick={() => test.mutate({ id }, { onError })}
          aria-label={`${t.test}: ${url}`}
        >
          {t.test}
        </Button>
        <Button
          size="xs"
          variant="default"
          loading={switching.isPending}
          onClick={() => switching.mutate({ id }, { onError })}
          aria-label={`${verb}: ${url}`}
        >
          {verb}
        </Button>
        <Button
          size="xs"
          variant="default"
          onClick={() => setReplaying(true)}
          aria-label={`${t.replay}: ${url}`}
        >
          {t.replay}
        </Button>
      </Actions>
      {test.data && (
        <p className={test.data.delivered ? styles.note : styles.fault} role="status">
          {test.data.delivered
            ? t.tested(formats.number(test.data.tookMs, 0))
            : t.notTaken(test.data.reason ?? '')}
          {test.data.excerpt !== undefined && (
            <code className={styles.excerpt}>{test.data.excerpt}</code>
          )}
        </p>
      )}
      <Undelivered id={id} isActive={state === 'active'} />
      <LiveTail id={id} />
      {isReplaying && <ReplayDialog id={id} onClose={() => setReplaying(false)} />}
    </Card>
  );
}
