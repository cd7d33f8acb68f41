import type { WireData } from '@helioport/contract';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Actions, Note, Row } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { useAccount } from '../../session/session-context.ts';
import { useChange } from '../../wire/queries.ts';
import { toast } from '../toast.tsx';
import { texts } from './texts/index.ts';

interface CompanyOfferProps {
  readonly offer: NonNullable<WireData<'company/show'>['offers']>[number];
  /** Name of the company to which one belongs already. */
  readonly own?: string | undefined;
}

/** An open invitation to join a company. */
export function CompanyOfferFields({
  offer: { id, from, companyName, role, expiresAt },
  own,
}: CompanyOfferProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { timeZone } = useAccount();
  const accept = useChange('company/accept');
  const decline = useChange('company/decline');
  const onError = ({ message }: Error): void => toast.fault(message);
  return (
    <Row>
      <div>
        <bdi>{t.company.asks[role](from, companyName)}</bdi>
        <Note component="span">
          {own === undefined ? t.company.lead : t.company.leaveFirst(own)}{' '}
          {t.until(formats.dateTime(expiresAt, timeZone))}
        </Note>
      </div>
      <Actions>
        {own === undefined ? (
          <Button
            loading={accept.isPending}
            aria-label={`${t.company.accept}: ${companyName}`}
            onClick={() =>
              accept.mutate(
                { id },
                {
                  onSuccess: () =>
                    toast.show(
                      t.company.joined(companyName),
                      <Link to="/company">{t.company.toOwn}</Link>,
                    ),
                  onError,
                },
              )
            }
          >
            {t.company.accept}
          </Button>
        ) : (
          <Button component={Link} to="/company" variant="default">
            {t.company.toOwn}
          </Button>
        )}
        <Button
          variant="default"
          loading={decline.isPending}
          onClick={() => decline.mutate({ id }, { onError })}
        >
          {t.company.decline}
        </Button>
      </Actions>
    </Row>
  );
}
