import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Card, List, Note, Row, Soft } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { companiesOf } from '../../wire/company-shares.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { InvitePerson } from '../../parts/people/invite-person.tsx';
import { ShareLine } from '../../parts/people/share-line.tsx';
import { texts as shared } from '../../parts/people/texts/index.ts';
import { toast } from '../../parts/toast.tsx';
import { useChange, useOperation } from '../../wire/queries.ts';
import { ManageFault } from './fault.tsx';
import { OpenInvitationsCard } from './invitations/open-invitations.tsx';
import { texts } from './texts/index.ts';

/** Whose access is about to end: a person by e-mail address, or a company. */
interface Leaving {
  readonly name: string;
  readonly companyId?: string;
}

interface PeopleProps {
  readonly plantId: string;
  /** The plant's. */
  readonly zone: string;
}

/** Who sees and controls a plant besides its owner, and who is invited to. */
export function PlantPeople({ plantId, zone }: PeopleProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { data } = useOperation('share/list', { plantId });
  const shares = data ?? [];
  const withdraw = useChange('share/withdraw');
  const endCompany = useChange('company/end');
  const giveCompany = useChange('company/give');
  const { data: company } = useOperation('company/show', {});
  const companies = companiesOf(shares);
  // Taken back, an invitation is no longer to be passed on.
  const [withdrawn, setWithdrawn] = useState(0);
  const [leaving, setLeaving] = useState<Leaving>();
  const { may, thePlant } = shared.useTexts();
  const settled = { onSettled: () => setLeaving(undefined) };
  const end = ({ name, companyId }: Leaving): void =>
    companyId === undefined
      ? withdraw.mutate({ plantId, email: name }, settled)
      : endCompany.mutate({ plantId, companyId }, settled);
  return (
    <Card id="people" aria-label={t.people}>
      <h2>{t.people}</h2>
      <Soft>{t.peopleLead}</Soft>
      <List divided>
        {shares
          .filter(({ level: own }) => own !== undefined)
          .map((share) => (
            <Row key={share.accountId} component="li">
              <div>
                <bdi>{share.email}</bdi>
                <Note component="span">
                  {share.level === 'owner' ? (
                    t.owner
                  ) : (
                    <ShareLine plantId={plantId} share={share} zone={zone} />
                  )}
                </Note>
              </div>
              {share.level !== 'owner' && (
                <Button
                  variant="default"
                  aria-label={t.endShareOf(share.email)}
                  onClick={() => setLeaving({ name: share.email })}
                >
                  {t.endShare}
                </Button>
              )}
            </Row>
          ))}
        {companies.map(({ id, name, level, people }) => (
          <Row key={id} component="li">
            <div>
              <bdi>{name}</bdi>
              <Note component="span">
                {t.companyOf(people.length)} {may[level](thePlant)}
              </Note>
              <Note component="span">
                <bdi>{formats.list(people)}</bdi>
              </Note>
            </div>
            <Button
              variant="default"
              aria-label={t.endShareOf(name)}
              onClick={() => setLeaving({ name, companyId: id })}
            >
              {t.endShare}
            </Button>
          </Row>
        ))}
        <OpenInvitationsCard
          plantId={plantId}
          zone={zone}
          onWithdrawn={() => setWithdrawn(withdrawn + 1)}
        />
      </List>
      {company?.id !== undefined && !companies.some(({ id }) => id === company.id) && (
        <div>
          <Button
            variant="default"
            loading={giveCompany.isPending}
            onClick={() =>
              giveCompany.mutate(
                { plantIds: [plantId] },
                { onSuccess: () => toast.show(t.givenTo(company.name!)) },
              )
            }
          >
            {t.giveTo(company.name!)}
          </Button>
        </div>
      )}
      <InvitePerson key={withdrawn} plantIds={[plantId]} shares={data} />
      <ManageFault error={withdraw.error ?? endCompany.error ?? giveCompany.error} />
      <ConfirmDialog
        opened={leaving !== undefined}
        title={t.endShareOf(leaving?.name ?? '')}
        action={t.endShare}
        busy={withdraw.isPending || endCompany.isPending}
        onConfirm={() => leaving && end(leaving)}
        onClose={() => setLeaving(undefined)}
      >
        {leaving?.companyId === undefined
          ? t.endShareLead(leaving?.name ?? '')
          : t.endCompanyLead(leaving.name)}
      </ConfirmDialog>
    </Card>
  );
}
