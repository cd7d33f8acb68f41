import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Actions, Card, List, Note, Row } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Withdrawal } from '../../parts/people/withdrawal.tsx';
import { useAccount } from '../../session/session-context.ts';
import { InviteForm } from './invite-form.tsx';
import type { Company } from './company.ts';
import { texts } from './texts/index.ts';
import { useAct } from './use-act.ts';

/** Who is in a company, and who is invited. */
export function CompanyPeople({ company }: { readonly company: Company }): ReactNode {
  const { role: own, members = [], invitations = [] } = company;
  const t = texts.useTexts();
  const formats = useFormats();
  const { email: mine, timeZone } = useAccount();
  const change = useAct('company/role');
  const remove = useAct('company/remove');
  const withdraw = useAct('company/withdraw');
  // Taken back, an invitation is no longer to be passed on.
  const [withdrawn, setWithdrawn] = useState(0);
  const [leaving, setLeaving] = useState<string>();
  const isManager = own === 'manager';
  return (
    <Card aria-label={t.people}>
      <h2>{t.people}</h2>
      <List divided>
        {members.map(({ accountId, email, name, role }) => {
          const other = role === 'manager' ? 'member' : 'manager';
          const verb = role === 'manager' ? t.makeMember : t.makeManager;
          return (
            <Row key={accountId} component="li">
              <div>
                <bdi>{name || email}</bdi>
                <Note component="span">
                  <bdi>{email}</bdi> · {t.roles[role]}
                  {email === mine && ` · ${t.you}`}
                </Note>
              </div>
              {isManager && email !== mine && (
                <Actions>
                  <Button
                    variant="default"
                    aria-label={`${verb}: ${email}`}
                    loading={change.busy}
                    onClick={() => change.carryOut({ email, role: other })}
                  >
                    {verb}
                  </Button>
                  <Button
                    variant="default"
                    aria-label={`${t.remove}: ${email}`}
                    onClick={() => setLeaving(email)}
                  >
                    {t.remove}
                  </Button>
                </Actions>
              )}
            </Row>
          );
        })}
        {invitations.map(({ id, email, role, expiresAt }) => (
          <Row key={id} component="li">
            <div>
              <bdi>{email}</bdi>
              <Note component="span">
                {t.roles[role]} · {t.until(formats.dateTime(expiresAt, timeZone))}
              </Note>
            </div>
            <Withdrawal
              action={t.withdraw}
              label={`${t.withdraw}: ${email}`}
              title={t.withdrawTitle(email)}
              busy={withdraw.busy}
              onConfirm={() =>
                withdraw.carryOut({ id }, t.withdrawn(email), () => setWithdrawn(withdrawn + 1))
              }
            >
              {t.withdrawLead}
            </Withdrawal>
          </Row>
        ))}
      </List>
      {isManager && <InviteForm key={withdrawn} />}
      <ConfirmDialog
        opened={leaving !== undefined}
        title={t.removeTitle(leaving ?? '')}
        action={t.remove}
        dangerous
        busy={remove.busy}
        onConfirm={() =>
          remove.carryOut({ email: leaving! }, t.removed(leaving!), () => setLeaving(undefined))
        }
        onClose={() => setLeaving(undefined)}
      >
        {t.removeLead}
      </ConfirmDialog>
    </Card>
  );
}
