import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Actions, Card, List, Soft } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { CopyField } from '../../parts/copy-field.tsx';
import { toast } from '../../parts/toast.tsx';
import { useAccount } from '../../session/session-context.ts';
import { useChange } from '../../wire/queries.ts';
import { serverNow } from '../../wire/server-clock.ts';
import { applicationStateOf, type ShownApplication } from './application-state.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { texts } from './texts/index.ts';

/** client_id and secrets of an application; secrets without their text, which is shown once. */
export function Credentials({
  application,
}: {
  readonly application: ShownApplication;
}): ReactNode {
  const t = texts.useTexts().credentials;
  const formats = useFormats();
  const { timeZone } = useAccount();
  const [isReplacing, setReplacing] = useState(false);
  const [ended, setEnded] = useState<string>();
  const end = useChange('developer/endSecret');
  const now = serverNow();
  const secrets = application.secrets ?? [];
  const isLiving = ({ expiresAt }: { readonly expiresAt: number | null }): boolean =>
    expiresAt === null || expiresAt > now;
  const hasLiving = secrets.some((secret) => isLiving(secret));
  const nameOf = ({
    ending,
    createdAt,
  }: {
    readonly ending: string | null;
    readonly createdAt: number;
  }): string =>
    ending === null ? t.secretOf(formats.dateTime(createdAt, timeZone)) : t.secret(ending);
  const toEnd = secrets.find(({ id }) => id === ended);
  const carryOut = (): void =>
    end.mutate(
      { clientId: application.clientId ?? '', secretId: ended ?? '' },
      { onError: (fault) => toast.fault(fault.message), onSettled: () => setEnded(undefined) },
    );
  const validity = (expiresAt: number | null): string => {
    if (expiresAt === null) return t.stays;
    return (expiresAt > now ? t.expires : t.expired)(formats.dateTime(expiresAt, timeZone));
  };
  return (
    <Card aria-labelledby="credentials">
      <h2 id="credentials">{t.title}</h2>
      <CopyField label="client_id" value={application.clientId ?? ''} />
      {applicationStateOf(application) === 'approved' && (
        <>
          {!hasLiving && <Soft>{t.noSecret}</Soft>}
          <List>
            {secrets.toReversed().map(({ id, createdAt, expiresAt, lastUsedAt, ending }) => (
              <li key={id}>
                <strong>{nameOf({ ending, createdAt })}</strong>
                <small>
                  {t.created(formats.dateTime(createdAt, timeZone))} · {validity(expiresAt)} ·{' '}
                  {lastUsedAt === null ? t.unused : t.used(formats.ago(now - lastUsedAt))}
                </small>
                {isLiving({ expiresAt }) && (
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() => setEnded(id)}
                    aria-label={`${t.end}: ${nameOf({ ending, createdAt })}`}
                  >
                    {t.end}
                  </Button>
                )}
              </li>
            ))}
          </List>
          <Actions end>
            <Button variant={hasLiving ? 'default' : 'filled'} onClick={() => setReplacing(true)}>
              {hasLiving ? t.replace : t.make}
            </Button>
          </Actions>
          <ConfirmDialog
            opened={toEnd !== undefined}
            title={toEnd ? t.endTitle(nameOf(toEnd)) : ''}
            action={t.end}
            dangerous
            busy={end.isPending}
            onConfirm={carryOut}
            onClose={() => setEnded(undefined)}
          >
            <Soft>{t.endLead}</Soft>
          </ConfirmDialog>
          {isReplacing && (
            <SecretDialog
              clientId={application.clientId!}
              replaces={hasLiving}
              onClose={() => setReplacing(false)}
            />
          )}
        </>
      )}
    </Card>
  );
}
