import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Card, List, Soft } from '../../components/layout.tsx';
import { clearSentText } from '../../parts/clear-sent-text.ts';
import { useChange, useOperation } from '../../wire/queries.ts';
import styles from './screen.module.css';
import { texts } from './texts/index.ts';
import { WebhookCard } from './webhook-card.tsx';
import { addressFault, refusalOf, type WebhookFault } from './webhook-fault.ts';

/** As the server allows. */
const WEBHOOKS_AT_MOST = 5;

/** Programs of one's own that are notified of alarms. */
export function Webhooks(): ReactNode {
  const { webhooks: t } = texts.useTexts();
  const { data = [] } = useOperation('webhook/list', {});
  const adding = useChange('webhook/add');
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<WebhookFault>();
  // By webhook, so that one does not take the place of another that nobody has saved yet.
  const [secrets, setSecrets] = useState<Readonly<Record<string, string | undefined>>>({});
  const keep = (id: string, secret: string | undefined): void =>
    setSecrets((known) => ({ ...known, [id]: secret }));

  const add = (event: FormEvent): void => {
    event.preventDefault();
    const url = typed.trim();
    const found = addressFault(url);
    setFault(found);
    if (found) return;
    adding.mutate(
      { url },
      {
        onSuccess: ({ id = '', secret }) => {
          keep(id, secret);
          setTyped(clearSentText(typed));
        },
        onError: (error) => setFault(refusalOf(url, error)),
      },
    );
  };

  return (
    <Card aria-labelledby="webhooks">
      <h2 id="webhooks">{t.title}</h2>
      <Soft>{t.lead}</Soft>
      {data.length > 0 && (
        <List divided>
          {data.map((webhook) => (
            <WebhookCard
              key={webhook.id}
              webhook={webhook}
              secret={secrets[webhook.id ?? '']}
              onSecret={(secret) => keep(webhook.id ?? '', secret)}
            />
          ))}
        </List>
      )}
      {data.length < WEBHOOKS_AT_MOST && (
        <form className={styles.row} onSubmit={add} noValidate>
          <TextInput
            type="url"
            required
            label={t.url}
            placeholder="https://home.example/alarms"
            value={typed}
            maxLength={2000}
            onChange={({ currentTarget: { value } }) => {
              setTyped(value);
              setFault(undefined);
            }}
            error={fault && t.faults[fault]}
          />
          <Button type="submit" variant="default" loading={adding.isPending}>
            {t.add}
          </Button>
        </form>
      )}
    </Card>
  );
}
