import { useState, type ReactNode } from 'react';
import { useFormats } from '../../../i18n/formats.ts';
import { useAccount } from '../../../session/session-context.ts';
import { useOperation } from '../../../wire/queries.ts';
import styles from '../developer.module.css';
import { texts } from '../texts/index.ts';

/** What a destination has not taken: events that were given up, devices that wait, and what was lost. Asked for when it is opened. */
export function Undelivered({ id }: { readonly id: string }): ReactNode {
  const t = texts.useTexts().destinations;
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.more} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t.more}</summary>
      {isOpen && <Details id={id} />}
    </details>
  );
}

function Details({ id }: { readonly id: string }): ReactNode {
  const t = texts.useTexts().destinations;
  const formats = useFormats();
  const { timeZone } = useAccount();
  const { data: letters = [] } = useOperation('forwarding/deadLetters', { id });
  const { data: gaps } = useOperation('forwarding/gaps', { id });
  return (
    <div className={styles.events}>
      {gaps?.waiting?.map(({ sn, attempts, nextAttemptAt, reason }) => (
        <p key={sn ?? ''}>
          <strong>
            <bdi>{sn ?? '–'}</bdi>
          </strong>{' '}
          {attempts} × <bdi>{reason}</bdi> · {t.nextAttempt(formats.dateTime(nextAttemptAt, timeZone))}
        </p>
      ))}
      {gaps?.lost && gaps.lost.length > 0 && (
        <p>
          {t.lostTitle}: {gaps.lost.map(({ entries, at }) => t.lost(formats.number(entries, 0), formats.dateTime(at, timeZone))).join('; ')}
        </p>
      )}
      <h4>{t.deadLetters}</h4>
      {letters.length === 0 && <p className={styles.note}>{t.noLetters}</p>}
      <ul>
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
      </ul>
    </div>
  );
}
