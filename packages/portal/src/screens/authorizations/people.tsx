import { Button } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { companiesOf } from '../../wire/company-shares.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Loading } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { useAccount } from '../../session/session-context.ts';
import { call } from '../../wire/call.ts';
import { useChange, useOperation } from '../../wire/queries.ts';
import styles from './authorizations.module.css';
import type { OwnPlants } from './plant-names.ts';
import { texts } from './texts/index.ts';

interface Withdrawn {
  readonly plantId: string;
  readonly plantName: string;
  /** Of a person, or the name of a company with `companyId`. */
  readonly email: string;
  readonly companyId?: string;
}

/** More plants than that are chosen from their list. */
const LINKED = 3;

/** The people besides the owner who may see or control plants, and those who were invited to. */
export function People({ plants }: Pick<OwnPlants, 'plants'>): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { timeZone } = useAccount();
  const lists = useQueries({
    queries: plants.map(({ id: plantId }) => ({
      queryKey: ['share/list', { plantId }],
      queryFn: ({ signal }: { signal: AbortSignal }) => call('share/list', { plantId }, signal),
    })),
  });
  const { data: invitations } = useOperation('invitation/list', { pageNo: 1, pageSize: 100 });
  const withdraw = useChange('share/withdraw');
  const endCompany = useChange('company/end');
  const takeBack = useChange('invitation/withdraw');
  const [withdrawing, setWithdrawing] = useState<Withdrawn>();
  if (lists.some(({ isPending }) => isPending)) return <Loading />;
  const shares = plants.flatMap(({ id, name }, i) =>
    (lists[i]!.data ?? []).flatMap(({ email = '', level, createdAt }) =>
      level === 'owner' || level === undefined ? [] : [{ plantId: id, plantName: name, email, level, createdAt }],
    ),
  );
  const companies = plants.flatMap(({ id, name }, i) =>
    companiesOf(lists[i]!.data ?? []).map((company) => ({ plantId: id, plantName: name, email: company.name, companyId: company.id, ...company })),
  );
  const open = (invitations?.records ?? []).filter(({ direction, state }) => direction === 'sent' && state === 'open');
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
    <section className={styles.section}>
      <h2>{t.people}</h2>
      {plants.length > 0 && (
        <p className={styles.note}>
          {t.inviteLead}{' '}
          {plants.length <= LINKED ? (
            plants.map(({ id, name }) => (
              <Link key={id} to="/plants/$id/settings" params={{ id }} search={{ invite: true }} className={styles.invite}>
                <bdi>{t.inviteTo(name)}</bdi>
              </Link>
            ))
          ) : (
            <Link to="/">{t.toPlants}</Link>
          )}
        </p>
      )}
      {shares.length + companies.length + open.length === 0 && <p className={styles.note}>{t.nobody}</p>}
      <ul className={styles.people}>
        {shares.map((share) => (
          <li key={`${share.plantId} ${share.email}`}>
            <span className={styles.person}>
              <strong>
                <bdi>{share.email}</bdi>
              </strong>
              <small>
                {t.levels[share.level === 'control' ? 'control' : 'read']} · <bdi>{share.plantName}</bdi> ·{' '}
                {t.sinceTime(formats.dateTime(share.createdAt, timeZone))}
              </small>
            </span>
            <Button size="xs" variant="default" onClick={() => setWithdrawing(share)} aria-label={`${t.withdraw}: ${share.email}, ${share.plantName}`}>
              {t.withdraw}
            </Button>
          </li>
        ))}
        {companies.map((company) => (
          <li key={`${company.plantId} ${company.companyId}`}>
            <span className={styles.person}>
              <strong>
                <bdi>{t.companyOf(company.name, company.people.length)}</bdi>
              </strong>
              <small>
                {t.levels[company.level]} · <bdi>{company.plantName}</bdi> · <bdi>{formats.list(company.people)}</bdi>
              </small>
            </span>
            <Button size="xs" variant="default" onClick={() => setWithdrawing(company)} aria-label={`${t.withdraw}: ${company.name}, ${company.plantName}`}>
              {t.withdraw}
            </Button>
          </li>
        ))}
        {open.map(({ id, to, plantName, kind, level, expiresAt }) => (
          <li key={id}>
            <span className={styles.person}>
              <strong>
                <bdi>{to}</bdi>
              </strong>
              <small>
                {t.invited[kind as keyof typeof t.invited]}
                {level && ` (${t.levels[level === 'control' ? 'control' : 'read']})`} · <bdi>{plantName}</bdi> ·{' '}
                {t.openUntil(formats.dateTime(expiresAt, timeZone))}
              </small>
            </span>
            <Button size="xs" variant="default" onClick={() => takeBack.mutate({ id: id! })} aria-label={`${t.takeBack}: ${to}, ${plantName}`}>
              {t.takeBack}
            </Button>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        opened={withdrawing !== undefined}
        title={t.withdrawTitle}
        action={t.withdraw}
        dangerous
        busy={withdraw.isPending || endCompany.isPending}
        onConfirm={() => withdrawing && carryOut(withdrawing)}
        onClose={() => setWithdrawing(undefined)}
      >
        <p className={styles.plain}>
          <bdi>{withdrawing?.email}</bdi>, <bdi>{withdrawing?.plantName}</bdi>
        </p>
        <p className={styles.plain}>{withdrawing?.companyId === undefined ? t.withdrawLead : t.withdrawCompanyLead}</p>
      </ConfirmDialog>
    </section>
  );
}
