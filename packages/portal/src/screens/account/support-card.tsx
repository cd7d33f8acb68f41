import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { WireData } from '@helioport/contract';
import { Card, List, Soft } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { toast } from '../../parts/toast.tsx';
import { useAccount, useSession } from '../../session/session-context.ts';
import { useChange, useOperation } from '../../wire/queries.ts';
import { readSession } from '../../wire/session.ts';
import { mergedLooks } from './merged-looks.ts';
import { texts } from './texts/index.ts';

type Permission = WireData<'support/list'>[number];

/** Lets operators of the service look for an hour, and shows what they looked at. */
export function SupportCard(): ReactNode {
  const t = texts.useTexts().support;
  const { session, accept } = useSession();
  const { data: permissions = [] } = useOperation('support/list', {});
  const allow = useChange('support/allow');
  const [isAsking, setAsking] = useState(false);
  const carryOut = (): void =>
    allow.mutate(
      {},
      {
        onSuccess: async () => accept(await readSession()),
        onError: (fault) => toast.fault(fault.message),
        onSettled: () => setAsking(false),
      },
    );
  return (
    <Card>
      <h2>{t.title}</h2>
      <Soft>{t.lead}</Soft>
      {!session?.support && (
        <Button variant="default" onClick={() => setAsking(true)}>
          {t.allow}
        </Button>
      )}
      {permissions.map((permission) => (
        <Looks key={permission.id} permission={permission} />
      ))}
      <ConfirmDialog
        opened={isAsking}
        title={t.allow}
        action={t.allowNow}
        busy={allow.isPending}
        onConfirm={carryOut}
        onClose={() => setAsking(false)}
      >
        <p>{t.allowLead}</p>
      </ConfirmDialog>
    </Card>
  );
}

const MANY = { pageNo: 1, pageSize: 100 };

const NONE: NonNullable<Permission['looks']> = [];

function Looks({
  permission: { createdAt, looks: all = NONE },
}: {
  readonly permission: Permission;
}): ReactNode {
  const t = texts.useTexts().support;
  const formats = useFormats();
  const { timeZone } = useAccount();
  const { data: plants } = useOperation('plant/ranking', MANY, { enabled: all.length > 0 });
  // Several questions show one thing.
  const looks = mergedLooks(all);
  const nameOf = (subject: string): string =>
    plants?.records.find(({ id }) => id === subject)?.name ?? subject;
  return (
    <details>
      <summary>{t.looks(formats.dateTime(createdAt, timeZone), looks.length)}</summary>
      <List divided>
        {looks.map(({ operator, kind, subject, lastAt, count }) => (
          <li key={`${operator} ${kind} ${subject}`}>
            <span>
              <strong>
                {t.kinds[kind]} <bdi>{nameOf(subject)}</bdi>
              </strong>
              <small>
                <bdi>{operator}</bdi> · {formats.dateTime(lastAt, timeZone)} · {t.times(count)}
              </small>
            </span>
          </li>
        ))}
      </List>
    </details>
  );
}
