import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { PageHeading } from '../../focus/page-heading.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { DeveloperLinks } from '../../parts/developer/developer-links.tsx';
import { PlusIcon } from '../../parts/icons.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { useAccount } from '../../session/session-context.ts';
import { useOperation } from '../../wire/queries.ts';
import { ApplicationState } from './application-state.tsx';
import styles from './developer.module.css';
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
    <div className={styles.page}>
      <DeveloperLinks />
      <header className={styles.head}>
        <div>
          <PageHeading>{t.title}</PageHeading>
          <p className={styles.note}>{t.lead}</p>
        </div>
        {applications.length > 0 && (
          <Button leftSection={<PlusIcon size={18} />} onClick={() => setApplying(true)}>
            {t.apply}
          </Button>
        )}
      </header>
      {applications.length === 0 && (
        <Empty title={t.none} lead={t.noneLead}>
          <Button onClick={() => setApplying(true)}>{t.apply}</Button>
        </Empty>
      )}
      <ul className={styles.applications}>
        {applications.map((application) => (
          <li key={application.clientId} className={styles.card}>
            <span className={styles.row}>
              <Link to="/developer/$clientId" params={{ clientId: application.clientId! }}>
                <bdi>{application.name}</bdi>
              </Link>
              <ApplicationState application={application} />
            </span>
            {application.reason !== undefined && <span>{t.reason(application.reason)}</span>}
            <small>{t.submitted(formats.dateTime(application.submittedAt, timeZone))}</small>
          </li>
        ))}
      </ul>
      <Guides />
      {isApplying && <RegistrationDialog onClose={() => setApplying(false)} />}
    </div>
  );
}
