import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { WireData } from '@helioport/contract';
import { useFormats } from '../../i18n/formats.ts';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { useAccount } from '../../session/session-context.ts';
import { useChange, useOperation } from '../../wire/queries.ts';
import { Fault } from './fault.tsx';
import styles from './manage.module.css';
import { texts } from './texts/index.ts';

type Invitation = WireData<'invitation/list'>['records'][number];

const PAGE = 50;

/** Invitations to plants: those to answer first. */
export function Screen(): ReactNode {
  const t = texts.useTexts();
  const { data, error, refetch } = useOperation('invitation/list', { pageNo: 1, pageSize: PAGE });
  const { data: company } = useOperation('company/show', {});
  const offers = company?.offers ?? [];
  if (!data) return error ? <Failed error={error} again={() => void refetch()} /> : <Loading />;
  if (data.records.length + offers.length === 0) return <Empty title={t.noInvitations} lead={t.noInvitationsLead} />;
  const sides = ['received', 'sent'] as const;
  return (
    <div className={styles.page}>
      <h1>{t.invitations}</h1>
      {offers.map(({ id, from, companyName }) => (
        <section key={id} className={styles.card}>
          <div className={styles.row}>
            <div>
              <bdi>{t.companyAsks(from, companyName)}</bdi>
            </div>
            <Button component={Link} to="/company">
              {t.toCompany}
            </Button>
          </div>
        </section>
      ))}
      {sides.map((side) => (
        <Side key={side} side={side} company={company?.name} invitations={data.records.filter(({ direction }) => direction === side)} />
      ))}
    </div>
  );
}

interface SideProps {
  readonly side: 'received' | 'sent';
  readonly invitations: readonly Invitation[];
  /** Name of the company for which one may accept. */
  readonly company: string | undefined;
}

function Side({ side, invitations, company }: SideProps): ReactNode {
  const t = texts.useTexts();
  if (invitations.length === 0) return null;
  return (
    <section className={styles.card} aria-label={t[side]}>
      <h2>{t[side]}</h2>
      <ul className={styles.list}>
        {invitations.map((invitation) => (
          <li key={invitation.id}>
            <One invitation={invitation} company={company} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function One({ invitation, company }: Pick<SideProps, 'company'> & { readonly invitation: Invitation }): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { timeZone } = useAccount();
  const accept = useChange('invitation/accept');
  const decline = useChange('invitation/decline');
  const withdraw = useChange('invitation/withdraw');
  const { direction, kind, level, from, to, plantName, state, expiresAt } = invitation;
  const id = { id: invitation.id! };
  const isOpen = state === 'open';
  // A house belongs to a person.
  const forCompany = kind === 'owner' ? undefined : company;
  const isReceived = direction === 'received';
  return (
    <div className={styles.row}>
      <div>
        <span>{isReceived ? t.asks[kind!](from!, plantName!) : t.sentTo(to!, plantName!)}</span>
        <span className={styles.soft}>
          {[
            t.kinds[kind!],
            level && (level === 'control' ? t.mayControl : t.maySee),
            isOpen ? t.until(formats.dateTime(expiresAt, timeZone)) : t.states[state!],
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </div>
      {isOpen && (
        <div className={styles.actions}>
          {isReceived ? (
            <>
              <Button loading={accept.isPending} onClick={() => accept.mutate(id, { onSuccess: () => toast.show(t.accepted) })}>
                {forCompany === undefined ? t.accept : t.acceptForMe}
              </Button>
              {forCompany !== undefined && (
                <Button loading={accept.isPending} onClick={() => accept.mutate({ ...id, forCompany: true }, { onSuccess: () => toast.show(t.acceptedFor) })}>
                  {t.acceptFor(forCompany)}
                </Button>
              )}
              <Button variant="default" loading={decline.isPending} onClick={() => decline.mutate(id)}>
                {t.decline}
              </Button>
            </>
          ) : (
            <Button variant="default" loading={withdraw.isPending} onClick={() => withdraw.mutate(id)}>
              {t.withdraw}
            </Button>
          )}
        </div>
      )}
      <Fault error={accept.error ?? decline.error ?? withdraw.error} />
    </div>
  );
}
