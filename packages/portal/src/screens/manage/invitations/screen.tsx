import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { WireData } from '@helioport/contract';
import { Card, List, Note, Page, Row } from '../../../components/layout.tsx';
import { PageHeading } from '../../../focus/page-heading.tsx';
import { useFormats } from '../../../i18n/formats.ts';
import { AccessLinks } from '../../../parts/navigation/section-links.tsx';
import { CompanyOfferFields } from '../../../parts/people/company-offer.tsx';
import { Empty, Failed, Loading } from '../../../parts/states.tsx';
import { useAccount } from '../../../session/session-context.ts';
import { useOperation } from '../../../wire/queries.ts';
import { OneInvitation, type Invitation } from './one-invitation.tsx';
import { texts } from '../texts/index.ts';

const PAGE = 50;

/** Invitations to plants: those to answer first. */
export function Screen(): ReactNode {
  const t = texts.useTexts();
  const { data, error, refetch } = useOperation(
    'invitation/list',
    { pageNo: 1, pageSize: PAGE },
    { fresh: true },
  );
  const { data: company } = useOperation('company/show', {}, { fresh: true });
  const offers = company?.offers ?? [];
  const toCompany = company?.invitations ?? [];
  if (!data) return error ? <Failed error={error} again={() => void refetch()} /> : <Loading />;
  if (data.records.length + offers.length + toCompany.length === 0)
    return (
      <Page narrow>
        <AccessLinks />
        <Empty title={t.noInvitations} lead={t.noInvitationsLead} />
      </Page>
    );
  const byDirection = (side: 'received' | 'sent'): Invitation[] =>
    data.records.filter(({ direction }) => direction === side);
  return (
    <Page narrow>
      <AccessLinks />
      <PageHeading>{t.invitations}</PageHeading>
      <Side side="received" company={company?.name} invitations={byDirection('received')}>
        {offers.length > 0 &&
          offers.map((offer) => (
            <li key={offer.id}>
              <CompanyOfferFields own={company?.name} offer={offer} />
            </li>
          ))}
      </Side>
      <Side side="sent" company={company?.name} invitations={byDirection('sent')}>
        {toCompany.length > 0 && <ToCompany name={company?.name ?? ''} invitations={toCompany} />}
      </Side>
    </Page>
  );
}

interface SideProps {
  readonly side: 'received' | 'sent';
  readonly invitations: readonly Invitation[];
  /** Name of the company for which one may accept. */
  readonly company: string | undefined;
  /** Invitations to something other than plants. */
  readonly children?: ReactNode;
}

function Side({ side, invitations, company, children }: SideProps): ReactNode {
  const t = texts.useTexts();
  if (invitations.length === 0 && !children) return null;
  return (
    <Card aria-label={t[side]}>
      <h2>{t[side]}</h2>
      <List divided>
        {invitations.map((invitation) => (
          <li key={invitation.id}>
            <OneInvitation invitation={invitation} company={company} />
          </li>
        ))}
        {children}
      </List>
    </Card>
  );
}

interface ToCompanyProps {
  readonly name: string;
  readonly invitations: WireData<'company/show'>['invitations'] & {};
}

/** The open invitations to one's company, which are withdrawn on its page. */
function ToCompany({ name, invitations }: ToCompanyProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { timeZone } = useAccount();
  return invitations.map(({ id, email, expiresAt }) => (
    <Row key={id} component="li">
      <div>
        <bdi>{t.asksOf.company(email, name)}</bdi>
        <Note component="span">{t.states.open(formats.dateTime(expiresAt, timeZone))}</Note>
      </div>
      <Button variant="default" component={Link} to="/company">
        {t.toCompany}
      </Button>
    </Row>
  ));
}
