import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useSession } from '../../../session/session-context.ts';
import { useOperation } from '../../../wire/queries.ts';
import { CommandLineExamples } from '../commands.tsx';
import styles from '../developer.module.css';
import { destinationRequest } from '../requests.ts';
import { texts } from '../texts/index.ts';
import { AddDialog } from './add-dialog.tsx';
import { DestinationCard } from './destination-card.tsx';

const REFRESH_MS = 5_000;

/** Where events of an application go, and how far each destination is. */
export function Destinations({ clientId }: { readonly clientId: string }): ReactNode {
  const t = texts.useTexts().destinations;
  const { session } = useSession();
  const [isAdding, setAdding] = useState(false);
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
          <div>
            <Button variant="default" onClick={() => setAdding(true)}>
              {t.add}
            </Button>
          </div>
          <details className={styles.more}>
            <summary>{t.byRequest}</summary>
            <p className={styles.note}>{t.addLead}</p>
            <CommandLineExamples
              label={t.byRequest}
              text={destinationRequest(session?.oauthUrl ?? '', clientId)}
            />
          </details>
        </div>
      )}
      {isAdding && <AddDialog clientId={clientId} onClose={() => setAdding(false)} />}
    </section>
  );
}
