import type { ReactNode } from 'react';
import { useOperation } from '../../../wire/queries.ts';
import styles from '../developer.module.css';
import { texts } from '../texts/index.ts';
import { DestinationCard } from './destination-card.tsx';

const REFRESH_MS = 5_000;

/** How an application adds a destination; a session alone does not, so that a stolen one sends nothing elsewhere. */
const addition = (clientId: string): string => `curl -sS "$OAUTH_URL/oauth/forwarding/add" -u "${clientId}:$CLIENT_SECRET" \\
  -H 'Content-Type: application/json' \\
  --data '{"url": "https://receiver.example/events"}'`;

/** Where events of an application go, and how far each destination is. */
export function Destinations({ clientId }: { readonly clientId: string }): ReactNode {
  const t = texts.useTexts().destinations;
  const { data: destinations = [], isSuccess } = useOperation('forwarding/list', { application: clientId }, { refreshMs: REFRESH_MS });
  return (
    <section className={styles.section} aria-labelledby="destinations">
      <h2 id="destinations">{t.title}</h2>
      <p className={styles.note}>{t.lead}</p>
      {isSuccess && destinations.length === 0 && (
        <div className={styles.card}>
          <p className={styles.note}>{t.none}</p>
          <pre className={styles.code}>{addition(clientId)}</pre>
        </div>
      )}
      {destinations.map((destination) => (
        <DestinationCard key={destination.id} destination={destination} />
      ))}
    </section>
  );
}
