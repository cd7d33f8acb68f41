import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Code, FaultText, More, Soft } from '../../../components/layout.tsx';
import { useFormats } from '../../../i18n/formats.ts';
import { useAccount } from '../../../session/session-context.ts';
import { texts } from '../texts/index.ts';
import { useTail } from './use-tail.ts';

/** What a destination is sent, as it happens. */
export function LiveTail({ id }: { readonly id: string }): ReactNode {
  const t = texts.useTexts().tail;
  const formats = useFormats();
  const { timeZone } = useAccount();
  const [isWatching, setWatching] = useState(false);
  const { isFollowing, events, refusal } = useTail(id, isWatching);
  return (
    <More onToggle={({ currentTarget }) => !currentTarget.open && setWatching(false)}>
      <summary>{t.title}</summary>
      <Soft>{t.lead}</Soft>
      <Button size="xs" variant="default" onClick={() => setWatching(!isWatching)}>
        {isWatching ? t.stop : t.start}
      </Button>
      {refusal !== undefined && (
        <FaultText role="alert">
          {t.ended}
          {refusal}
        </FaultText>
      )}
      {isWatching && isFollowing && refusal === undefined && events.length === 0 && (
        <Soft role="status">{t.waiting}</Soft>
      )}
      {events.length > 0 && (
        <Code component="div" mah="24rem" role="log" aria-label={t.title}>
          {events.map((event) => (
            <details key={`${event.id} ${event.sequence}`}>
              <summary>
                <time>{formats.dateTime(event.recordedAt, timeZone)}</time>{' '}
                <code>{event.kind}</code> <bdi>{event.deviceSn}</bdi> #{event.sequence}
              </summary>
              <pre>{JSON.stringify(event, null, 2)}</pre>
            </details>
          ))}
        </Code>
      )}
    </More>
  );
}
