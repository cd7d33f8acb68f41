import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Card, More, Section, Soft } from '../../../components/layout.tsx';
import { useSession } from '../../../session/session-context.ts';
import { useOperation } from '../../../wire/queries.ts';
import { CommandLineExamples } from '../commands.tsx';
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
    <Section aria-labelledby="destinations">
      <h2 id="destinations">{t.title}</h2>
      <Soft>{t.lead}</Soft>
      {destinations.map((destination) => (
        <DestinationCard key={destination.id} destination={destination} />
      ))}
      {isSuccess && (
        <Card component="div">
          {destinations.length === 0 && <Soft>{t.none}</Soft>}
          <div>
            <Button variant="default" onClick={() => setAdding(true)}>
              {t.add}
            </Button>
          </div>
          <More>
            <summary>{t.byRequest}</summary>
            <Soft>{t.addLead}</Soft>
            <CommandLineExamples
              label={t.byRequest}
              text={destinationRequest(session?.oauthUrl ?? '', clientId)}
            />
          </More>
        </Card>
      )}
      {isAdding && <AddDialog clientId={clientId} onClose={() => setAdding(false)} />}
    </Section>
  );
}
