import { Alert, Button } from '@mantine/core';
import type { WireData } from '@helioport/contract';
import { useState, type ReactNode } from 'react';
import { Actions, FaultText, Section, Soft } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { CopyField } from '../../parts/copy-field.tsx';
import { toast } from '../../parts/toast.tsx';
import { useAccount } from '../../session/session-context.ts';
import { useChange } from '../../wire/queries.ts';
import { serverNow } from '../../wire/server-clock.ts';
import { plainReason } from './plain-reason.ts';
import { texts } from './texts/index.ts';

interface WebhookCardProps {
  readonly webhook: WireData<'webhook/list'>[number];
  /** Its new secret, until somebody has saved it. */
  readonly secret: string | undefined;
  readonly onSecret: (secret: string | undefined) => void;
}

/** A webhook: how it fares, its secret while that is new, and what can be done with it. */
export function WebhookCard({ webhook, secret, onSecret }: WebhookCardProps): ReactNode {
  const { webhooks: t, connection } = texts.useTexts();
  const formats = useFormats();
  const {
    id = '',
    url = '',
    deliveredAt,
    failure,
    connectionError,
    nextAttemptAt,
    goneAt,
  } = webhook;
  const { timeZone } = useAccount();
  const rotating = useChange('webhook/rotate');
  const removing = useChange('webhook/remove');
  const [asking, setAsking] = useState<'replace' | 'remove'>();
  const callbacks = {
    onSettled: () => setAsking(undefined),
    onError: () => toast.fault(t.faults.failed),
  };
  const carryOut = (): void => {
    if (asking === 'remove') removing.mutate({ id }, callbacks);
    else
      rotating.mutate({ id }, { ...callbacks, onSuccess: (rotated) => onSecret(rotated.secret) });
  };
  const state =
    deliveredAt === undefined
      ? t.neverDelivered
      : t.delivered(formats.ago(serverNow() - deliveredAt));
  return (
    <li>
      <div>
        <strong>
          <bdi>{url}</bdi>
        </strong>
        <Soft>{goneAt === undefined ? state : t.gone}</Soft>
        {failure !== undefined && goneAt === undefined && (
          <FaultText>
            {t.failed(plainReason(connection, failure, connectionError))}
            {nextAttemptAt !== undefined && (
              <> · {t.nextAttempt(formats.dateTime(nextAttemptAt, timeZone))}</>
            )}
          </FaultText>
        )}
      </div>
      <Actions>
        {(['replace', 'remove'] as const).map((action) => (
          <Button
            key={action}
            variant="default"
            size="sm"
            aria-label={`${t[action]}: ${url}`}
            onClick={() => setAsking(action)}
          >
            {t[action]}
          </Button>
        ))}
      </Actions>
      {secret !== undefined && (
        <Alert color="blue" title={t.secretTitle} w="100%">
          <Section component="div">
            <CopyField label={t.secret} description={t.secretLead} value={secret} />
            <Button size="sm" onClick={() => onSecret(undefined)}>
              {t.secretSeen}
            </Button>
          </Section>
        </Alert>
      )}
      <ConfirmDialog
        opened={asking !== undefined}
        title={asking === 'remove' ? t.removeTitle : t.replaceTitle}
        action={asking === 'remove' ? t.remove : t.replace}
        busy={rotating.isPending || removing.isPending}
        onConfirm={carryOut}
        onClose={() => setAsking(undefined)}
      >
        <p>
          <bdi>{url}</bdi>
        </p>
        {asking === 'replace' && <p>{t.replaceLead}</p>}
      </ConfirmDialog>
    </li>
  );
}
