import type { ReactNode } from 'react';
import { useSession } from '../../../session/session-context.ts';
import { useOperation } from '../../../wire/queries.ts';
import { Commands } from '../commands.tsx';
import styles from '../developer.module.css';
import { destinationRequest } from '../requests.ts';
import { texts } from '../texts/index.ts';
import { DestinationCard } from './destination-card.tsx';

const REFRESH_MS = 5_000;

/** Where events of an application go, and how far each destination is. */
export function Destinations({ clientId }: { readonly clientId: string }): ReactNode {
  const t = texts.useTexts().destinations;
  const { session } = useSession();
  const { data: destinations = [], isSuccess } = useOperation(
    'forwarding/list',
    { application: clientId },
    { refreshMs: REFRESH_MS },
  );
  return (
    <section className={styles.section} aria-labelledby="destinations">
      <h2 id="destinations">{t.title}</h2>
      <p className={styles.note}>{t.lead}</p>
      {destinations.map((destination) => (
        <DestinationCard key={destination.id} destination={destination} />
      ))}
      {isSuccess && (
        <div className={styles.card}>
          {destinations.length === 0 && <p className={styles.note}>{t.none}</p>}
          {/* Open for a person who has none. */}
          <details className={styles.more} {...(destinations.length === 0 && { open: true })}>
            <summary>{t.add}</summary>
            <p className={styles.note}>{t.addLead}</p>
            <Commands label={t.add} text={destinationRequest(session?.oauthUrl ?? '', clientId)} />
          </details>
        </div>
      )}
    </section>
  );
}
