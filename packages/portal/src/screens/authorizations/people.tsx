import { Button } from '@mantine/core';
import type { ShareLevel } from '@helioport/contract';
import { useState, type ReactNode } from 'react';
import { List, Section, Soft, Stacked } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { companiesOf } from '../../wire/company-shares.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { ShareLine } from '../../parts/people/share-line.tsx';
import { texts as shared } from '../../parts/people/texts/index.ts';
import { Loading } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { useAccount } from '../../session/session-context.ts';
import { useChange, useOperation } from '../../wire/queries.ts';
import { Invite } from './invite.tsx';
import type { OwnPlants } from './plant-names.ts';
import { texts } from './texts/index.ts';

interface Withdrawn {
  readonly plantId: string;
  readonly plantName: string;
  /** Of a person, or the name of a company with `companyId`. */
  readonly email: string;
  readonly companyId?: string;
  readonly level: ShareLevel;
}

/** The people besides the owner who may see or control plants, and those who were invited to. */
export function SharedPeople({ own }: { readonly own: OwnPlants }): ReactNode {
  const t = texts.useTexts();
  const said = shared.useTexts();
  const { plants } = own;
  const formats = useFormats();
  const { timeZone } = useAccount();
  const { data: listed, isPending } = useOperation('share/list', {});
  const { data: invitations } = useOperation('invitation/list', { pageNo: 1, pageSize: 100 });
  const withdraw = useChange('share/withdraw');
  const endCompany = useChange('company/end');
  const takeBack = useChange('invitation/withdraw');
  // Taken back, an invitation is no longer to be passed on.
  const [taken, setTaken] = useState(0);
  const [withdrawing, setWithdrawing] = useState<Withdrawn>();
  if (isPending) return <Loading />;
  const shares = (listed ?? []).flatMap(({ plantId, accountId, email, level, createdAt }) =>
    level === 'owner' || level === undefined
      ? []
      : [{ plantId, plantName: own.nameOf(plantId), accountId, email, level, createdAt }],
  );
  const byPlant = Map.groupBy(listed ?? [], ({ plantId }) => plantId);
  const companies = [...byPlant].flatMap(([plantId, its]) =>
    companiesOf(its).map((company) => ({
      plantId,
      plantName: own.nameOf(plantId),
      email: company.name,
      companyId: company.id,
      ...company,
    })),
  );
  const open = (invitations?.records ?? []).filter(
    ({ direction, state }) => direction === 'sent' && state === 'open',
  );
  const carryOut = ({ plantId, email, companyId }: Withdrawn): void => {
    const outcome = {
      onSuccess: () => toast.show(t.withdrawn(email)),
      onError: (error: Error) => toast.fault(error.message),
      onSettled: () => setWithdrawing(undefined),
    };
    if (companyId === undefined) withdraw.mutate({ plantId, email }, outcome);
    else endCompany.mutate({ plantId, companyId }, outcome);
  };
  return (
    <Section>
      <h2>{t.people}</h2>
      {shares.length + companies.length + open.length === 0 && (
        <Soft>{plants.length > 0 ? t.nobody : t.noPlants}</Soft>
      )}
      {plants.length > 0 && <Invite key={taken} own={own} shares={listed} />}
      <List divided boxed>
        {shares.map((share) => (
          <li key={`${share.plantId} ${share.email}`}>
            <Stacked>
              <strong>
                <bdi>{share.email}</bdi>
              </strong>
              <small>
                <ShareLine
                  plantId={share.plantId}
                  plantName={share.plantName}
                  share={share}
                  zone={timeZone}
                />
              </small>
            </Stacked>
            <Button
              size="sm"
              variant="default"
              onClick={() => setWithdrawing(share)}
              aria-label={`${t.withdraw}: ${share.email}, ${share.plantName}`}
            >
              {t.withdraw}
            </Button>
          </li>
        ))}
        {companies.map((company) => (
          <li key={`${company.plantId} ${company.companyId}`}>
            <Stacked>
              <strong>
                <bdi>{t.companyOf(company.name, company.people.length)}</bdi>
              </strong>
              <small>
                <bdi>{said.may[company.level](company.plantName)}</bdi>{' '}
                <bdi>{formats.list(company.people)}</bdi>
              </small>
            </Stacked>
            <Button
              size="sm"
              variant="default"
              onClick={() => setWithdrawing(company)}
              aria-label={`${t.withdraw}: ${company.name}, ${company.plantName}`}
            >
              {t.withdraw}
            </Button>
          </li>
        ))}
        {open.map(({ id, to, plantName = '', kind = 'share', level = 'read', expiresAt }) => (
          <li key={id}>
            <Stacked>
              <strong>
                <bdi>{to}</bdi>
              </strong>
              <small>
                <bdi>{said.asked[kind === 'share' ? level : kind](plantName)}</bdi>{' '}
                {said.until(formats.dateTime(expiresAt, timeZone))}
              </small>
            </Stacked>
            <Button
              size="sm"
              variant="default"
              onClick={() => takeBack.mutate({ id: id! }, { onSuccess: () => setTaken(taken + 1) })}
              aria-label={`${t.takeBack}: ${to}, ${plantName}`}
            >
              {t.takeBack}
            </Button>
          </li>
        ))}
      </List>
      <ConfirmDialog
        opened={withdrawing !== undefined}
        title={t.withdrawTitle}
        action={t.withdraw}
        dangerous
        busy={withdraw.isPending || endCompany.isPending}
        onConfirm={() => withdrawing && carryOut(withdrawing)}
        onClose={() => setWithdrawing(undefined)}
      >
        <p>
          <bdi>{withdrawing?.email}</bdi>, <bdi>{withdrawing?.plantName}</bdi>
        </p>
        <p>
          {
            (withdrawing?.companyId === undefined ? t.withdrawLead : t.withdrawCompanyLead)[
              withdrawing?.level ?? 'read'
            ]
          }
        </p>
      </ConfirmDialog>
    </Section>
  );
}
