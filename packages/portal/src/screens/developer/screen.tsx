import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Actions, Card, List, Page, Row, Soft } from '../../components/layout.tsx';
import { PageHeading } from '../../focus/page-heading.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { DeveloperLinks } from '../../parts/developer/developer-links.tsx';
import { PlusIcon } from '../../parts/icons.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { useAccount } from '../../session/session-context.ts';
import { useOperation } from '../../wire/queries.ts';
import { ApplicationState } from './application-state.tsx';
import { Guides } from './guides.tsx';
import { RegistrationDialog } from './registration-dialog.tsx';
import { texts } from './texts/index.ts';

/** The applications that somebody develops, and what became of them. */
export function Screen(): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { timeZone } = useAccount();
  const { data: applications, error, refetch } = useOperation('developer/list', {});
  const [isApplying, setApplying] = useState(false);
  if (!applications)
    return error ? <Failed error={error} again={() => void refetch()} /> : <Loading />;
  return (
    <Page>
      <DeveloperLinks />
      <Row component="header">
        <div>
          <PageHeading>{t.title}</PageHeading>
          <Soft>{t.lead}</Soft>
        </div>
        {applications.length > 0 && (
          <Button leftSection={<PlusIcon size={18} />} onClick={() => setApplying(true)}>
            {t.apply}
          </Button>
        )}
      </Row>
      {applications.length === 0 && (
        <Empty title={t.none} lead={t.noneLead}>
          <Button onClick={() => setApplying(true)}>{t.apply}</Button>
        </Empty>
      )}
      <List>
        {applications.map((application) => (
          <Card key={application.clientId} component="li">
            <Actions component="span">
              <Link to="/developer/$clientId" params={{ clientId: application.clientId! }}>
                <bdi>{application.name}</bdi>
              </Link>
              <ApplicationState application={application} />
            </Actions>
            {application.reason !== undefined && <span>{t.reason(application.reason)}</span>}
            <small>{t.submitted(formats.dateTime(application.submittedAt, timeZone))}</small>
          </Card>
        ))}
      </List>
      <Guides />
      {isApplying && <RegistrationDialog onClose={() => setApplying(false)} />}
    </Page>
  );
}
