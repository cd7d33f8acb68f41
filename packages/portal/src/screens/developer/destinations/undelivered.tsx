import { useState, type ReactNode } from 'react';
import { Code, Log, More, Soft } from '../../../components/layout.tsx';
import { useFormats } from '../../../i18n/formats.ts';
import { useAccount } from '../../../session/session-context.ts';
import { useOperation } from '../../../wire/queries.ts';
import { texts } from '../texts/index.ts';

const REFRESH_MS = 5_000;

interface UndeliveredProps {
  /** Of the destination. */
  readonly id: string;
  /** Whether anything is tried again; while it is paused, nothing is. */
  readonly isActive: boolean;
}

/** What a destination has not taken: events that were given up, devices that wait, and what was lost. Asked for when it is opened. */
export function Undelivered(props: UndeliveredProps): ReactNode {
  const t = texts.useTexts().destinations;
  const [isOpen, setOpen] = useState(false);
  return (
    <More onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t.more}</summary>
      {isOpen && <Details {...props} />}
    </More>
  );
}

function Details({ id, isActive }: UndeliveredProps): ReactNode {
  const t = texts.useTexts().destinations;
  const formats = useFormats();
  const { timeZone } = useAccount();
  const { data: letters = [] } = useOperation(
    'forwarding/deadLetters',
    { id },
    { refreshMs: REFRESH_MS },
  );
  const { data: gaps } = useOperation('forwarding/gaps', { id }, { refreshMs: REFRESH_MS });
  return (
    <Code component="div" mah="24rem">
      {gaps?.waiting?.map(({ sn, attempts, nextAttemptAt, reason }) => (
        <p key={sn ?? ''}>
          <strong>
            <bdi>{sn ?? '–'}</bdi>
          </strong>{' '}
          {attempts} × <bdi>{reason}</bdi>
          {/* 0: it was due when the destination was resumed. */}
          {isActive && nextAttemptAt > 0 && (
            <> · {t.nextAttempt(formats.dateTime(nextAttemptAt, timeZone))}</>
          )}
        </p>
      ))}
      {gaps?.lost && gaps.lost.length > 0 && (
        <p>
          {t.lostTitle}:{' '}
          {gaps.lost
            .map(({ entries, at }) =>
              t.lost(formats.number(entries, 0), formats.dateTime(at, timeZone)),
            )
            .join('; ')}
        </p>
      )}
      <h4>{t.deadLetters}</h4>
      {letters.length === 0 && <Soft>{t.noLetters}</Soft>}
      <Log>
        {letters.map(({ eventId, kind, sn, reason, at }) => (
          <li key={eventId}>
            <time>{formats.dateTime(at, timeZone)}</time>
            <span>
              <code>{kind}</code> <bdi>{sn}</bdi>
              <small>
                <bdi>{reason}</bdi>
              </small>
              <small>
                <code>{eventId}</code>
              </small>
            </span>
          </li>
        ))}
      </Log>
    </Code>
  );
}
