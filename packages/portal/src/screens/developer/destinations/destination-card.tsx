import type { WireData } from '@helioport/contract';
import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useFormats } from '../../../i18n/formats.ts';
import { toast } from '../../../parts/toast.tsx';
import { useAccount } from '../../../session/session-context.ts';
import { useChange } from '../../../wire/queries.ts';
import { serverNow } from '../../../wire/server-clock.ts';
import styles from '../developer.module.css';
import { texts } from '../texts/index.ts';
import { LiveTail } from './live-tail.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import { Undelivered } from './undelivered.tsx';

type Destination = WireData<'forwarding/list'>[number];

/** A destination: how far it is, what failed last, and what can be done about it. */
export function DestinationCard({ destination }: { readonly destination: Destination }): ReactNode {
  const t = texts.useTexts().destinations;
  const formats = useFormats();
  const { timeZone } = useAccount();
  const [isReplaying, setReplaying] = useState(false);
  const test = useChange('forwarding/test');
  const pause = useChange('forwarding/pause');
  const resume = useChange('forwarding/resume');
  const { id = '', url = '', state = 'active', behindSeconds = 0, waitingDevices = 0, deadLetters = 0 } = destination;
  const onError = (fault: Error): void => toast.fault(fault.message);
  const tryIt = (): void =>
    test.mutate(
      { id },
      {
        onSuccess: ({ delivered, reason, tookMs }) => (delivered ? toast.show(t.tested(formats.number(tookMs, 0))) : toast.fault(t.notTaken(reason ?? ''))),
        onError,
      },
    );
  const [switching, verb] = state === 'active' ? [pause, t.pause] : [resume, t.resume];
  return (
    <article className={styles.card}>
      <span className={styles.row}>
        <h3>
          <bdi>{url}</bdi>
        </h3>
        <span className={styles.badge} data-state={state}>
          {t.states[state]}
        </span>
      </span>
      {destination.reason !== undefined && <p className={styles.fault}>{destination.reason}</p>}
      <dl className={styles.facts}>
        <dt>{t.behind}</dt>
        <dd>{behindSeconds === 0 ? t.upToDate : t.seconds(formats.number(behindSeconds, 0))}</dd>
        <dt>{t.delivered}</dt>
        <dd>{formats.number(destination.delivered, 0)}</dd>
        <dt>{t.last}</dt>
        <dd>{destination.deliveredAt === undefined ? t.never : formats.ago(serverNow() - destination.deliveredAt)}</dd>
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
              {destination.excerpt !== undefined && <code className={styles.excerpt}>{destination.excerpt}</code>}
              <small>
                {formats.dateTime(destination.failedAt, timeZone)}
                {destination.nextAttemptAt !== undefined && <> · {t.nextAttempt(formats.dateTime(destination.nextAttemptAt, timeZone))}</>}
              </small>
            </dd>
          </>
        )}
        <dt>{t.kinds}</dt>
        <dd>
          <small>{destination.kinds?.join(', ')}</small>
        </dd>
      </dl>
      <span className={styles.buttons}>
        <Button size="xs" variant="default" loading={test.isPending} onClick={tryIt} aria-label={`${t.test}: ${url}`}>
          {t.test}
        </Button>
        <Button size="xs" variant="default" loading={switching.isPending} onClick={() => switching.mutate({ id }, { onError })} aria-label={`${verb}: ${url}`}>
          {verb}
        </Button>
        <Button size="xs" variant="default" onClick={() => setReplaying(true)} aria-label={`${t.replay}: ${url}`}>
          {t.replay}
        </Button>
      </span>
      <Undelivered id={id} />
      <LiveTail id={id} />
      {isReplaying && <ReplayDialog id={id} onClose={() => setReplaying(false)} />}
    </article>
  );
}
