import { Alert, Button, TextInput } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { CopyField } from '../../parts/copy-field.tsx';
import { toast } from '../../parts/toast.tsx';
import { useChange, useOperation } from '../../wire/queries.ts';
import { serverNow } from '../../wire/server-clock.ts';
import { plainReason } from './plain-reason.ts';
import styles from './screen.module.css';
import { texts } from './texts/index.ts';

/** Programs of one's own that are told of alarms. */
export function Webhooks(): ReactNode {
  const { webhooks: t, connection } = texts.useTexts();
  const formats = useFormats();
  const { data = [] } = useOperation('webhook/list', {});
  const adding = useChange('webhook/add');
  const rotating = useChange('webhook/rotate');
  const removing = useChange('webhook/remove');
  const [url, setUrl] = useState('');
  const [secret, setSecret] = useState<string>();
  const [leaving, setLeaving] = useState<{ readonly id: string; readonly url: string }>();

  const add = (event: FormEvent): void => {
    event.preventDefault();
    adding.mutate(
      { url: url.trim() },
      {
        onSuccess: (added) => {
          setSecret(added.secret);
          setUrl('');
        },
      },
    );
  };
  const replace = (id: string): void =>
    rotating.mutate({ id }, { onSuccess: (rotated) => setSecret(rotated.secret), onError: (error) => toast.fault(error.message) });
  const remove = (): void => removing.mutate({ id: leaving!.id }, { onSettled: () => setLeaving(undefined), onError: (error) => toast.fault(error.message) });

  return (
    <section className={styles.card} aria-labelledby="webhooks">
      <h2 id="webhooks">{t.title}</h2>
      <p className={styles.soft}>{t.lead}</p>
      {secret !== undefined && (
        <Alert color="blue" title={t.secretTitle} withCloseButton closeButtonLabel={t.secretSeen} onClose={() => setSecret(undefined)}>
          <CopyField label={t.secret} description={t.secretLead} value={secret} />
        </Alert>
      )}
      {data.length > 0 && (
        <ul className={styles.things}>
          {data.map(({ id = '', url: address = '', deliveredAt, failure, connectionError, goneAt }) => (
            <li key={id}>
              <div>
                <strong>
                  <bdi>{address}</bdi>
                </strong>
                <p className={styles.soft}>
                  {goneAt === undefined ? (deliveredAt === undefined ? t.neverDelivered : t.delivered(formats.ago(serverNow() - deliveredAt))) : t.gone}
                </p>
                {failure !== undefined && goneAt === undefined && <p className={styles.fault}>{t.failed(plainReason(connection, failure, connectionError))}</p>}
              </div>
              <div className={styles.actions}>
                <Button variant="default" size="sm" aria-label={`${t.replace}: ${address}`} onClick={() => replace(id)}>
                  {t.replace}
                </Button>
                <Button variant="default" size="sm" aria-label={`${t.remove}: ${address}`} onClick={() => setLeaving({ id, url: address })}>
                  {t.remove}
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      <form className={styles.row} onSubmit={add}>
        <TextInput
          type="url"
          required
          label={t.url}
          placeholder="https://home.example/alarms"
          value={url}
          maxLength={2000}
          onChange={({ currentTarget: { value } }) => setUrl(value)}
          error={adding.error?.message}
        />
        <Button type="submit" variant="default" loading={adding.isPending}>
          {t.add}
        </Button>
      </form>
      <ConfirmDialog
        opened={leaving !== undefined}
        title={t.removeTitle}
        action={t.remove}
        busy={removing.isPending}
        onConfirm={remove}
        onClose={() => setLeaving(undefined)}
      >
        <bdi>{leaving?.url}</bdi>
      </ConfirmDialog>
    </section>
  );
}
