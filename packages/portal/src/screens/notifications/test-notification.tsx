import { Button } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { Card, FaultText, List, Soft } from '../../components/layout.tsx';
import { CheckIcon, WarningIcon } from '../../parts/icons.tsx';
import { useQuestion } from '../../wire/queries.ts';
import { plainReason } from './plain-reason.ts';
import styles from './screen.module.css';
import { texts } from './texts/index.ts';

/** Sends a test message now, and says what became of it. */
export function TestNotification(): ReactNode {
  const { test: t, connection } = texts.useTexts();
  const testing = useQuestion('notifications/test');
  const answer = useRef<HTMLDivElement>(null);
  const isAnswered = !testing.isPending && !testing.isIdle;
  useEffect(() => {
    if (isAnswered) answer.current?.scrollIntoView({ block: 'nearest' });
  }, [isAnswered]);
  return (
    <Card aria-labelledby="test-notification">
      <h2 id="test-notification">{t.title}</h2>
      <Soft>{t.lead}</Soft>
      <Button variant="default" loading={testing.isPending} onClick={() => testing.mutate({})}>
        {t.send}
      </Button>
      <div ref={answer} role="status" className={styles.answer}>
        {testing.error && <FaultText>{testing.error.message}</FaultText>}
        {testing.data?.length === 0 && <p>{t.nothing}</p>}
        <List>
          {testing.data?.map(({ channel, id, delivered, reason, connectionError }) => (
            <li key={`${channel} ${id}`}>
              {delivered ? <CheckIcon size={18} /> : <WarningIcon size={18} />}
              <span>
                {t.channels[channel ?? 'mail']}:{' '}
                {delivered
                  ? t.taken
                  : t.notTaken(plainReason(connection, reason ?? '', connectionError))}
              </span>
            </li>
          ))}
        </List>
      </div>
    </Card>
  );
}
