import { useState, type ReactNode } from 'react';
import { Cards, Page, Section, Soft } from '../../components/layout.tsx';
import { PageHeading } from '../../focus/page-heading.tsx';
import { AccessLinks } from '../../parts/navigation/section-links.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { useChange, useOperation } from '../../wire/queries.ts';
import { ApplicationCard, type Grant } from './application-card.tsx';
import { EndedList } from './ended-list.tsx';
import { Ending } from './ending.tsx';
import { NarrowDialog } from './narrow-dialog.tsx';
import { SharedPeople } from './people.tsx';
import { plantIdsOf, useOwnPlants } from './plant-names.ts';
import { texts } from './texts/index.ts';

/** Account and Security > Authorization Management: which applications and which people have access, and what they did with it. */
export function Screen(): ReactNode {
  const t = texts.useTexts();
  const { data: grants, error, refetch } = useOperation('grant/list', {});
  const { data: activity = [] } = useOperation('grant/activity', {});
  const activityOf = ({ id }: Grant) => activity.filter(({ grantId }) => grantId === id);
  const own = useOwnPlants();
  const revoke = useChange('grant/revoke');
  const [narrowing, setNarrowing] = useState<Grant>();
  const [revoking, setRevoking] = useState<Grant>();
  if (!grants) return error ? <Failed error={error} again={() => void refetch()} /> : <Loading />;
  const [current, over] = [
    grants.filter(({ revokedAt }) => revokedAt === undefined),
    grants.filter(({ revokedAt }) => revokedAt !== undefined),
  ];
  const carryOut = ({ id, applicationName }: Grant): void =>
    revoke.mutate(
      { id: id! },
      {
        onSuccess: () => toast.show(t.revoked(applicationName ?? '')),
        onError: (fault) => toast.fault(fault.message),
        onSettled: () => setRevoking(undefined),
      },
    );
  return (
    <Page>
      <AccessLinks />
      <header>
        <PageHeading>{t.title}</PageHeading>
        <Soft>{t.lead}</Soft>
      </header>
      <Section>
        <h2>{t.applications}</h2>
        {current.length === 0 && <Soft>{t.noApplications}</Soft>}
        <Cards wide>
          {current.map((grant) => (
            <ApplicationCard
              key={grant.id}
              grant={grant}
              activity={activityOf(grant)}
              plantName={own.nameOf}
              onNarrow={() => setNarrowing(grant)}
              onRevoke={() => setRevoking(grant)}
            />
          ))}
        </Cards>
      </Section>
      <SharedPeople own={own} />
      {over.length > 0 && (
        <EndedList grants={over} activityOf={activityOf} plantName={own.nameOf} />
      )}
      {narrowing && (
        <NarrowDialog grant={narrowing} own={own} onClose={() => setNarrowing(undefined)} />
      )}
      <ConfirmDialog
        opened={revoking !== undefined}
        title={t.revokeTitle}
        action={t.revoke}
        dangerous
        busy={revoke.isPending}
        onConfirm={() => revoking && carryOut(revoking)}
        onClose={() => setRevoking(undefined)}
      >
        <p>
          <bdi>{revoking?.applicationName}</bdi>
        </p>
        <p>{t.revokeLead}</p>
        {revoking?.scopes?.includes('control_device') && (
          <Ending
            applicationName={revoking.applicationName ?? ''}
            plantIds={plantIdsOf(revoking, own) ?? []}
            nameOf={own.nameOf}
          />
        )}
      </ConfirmDialog>
    </Page>
  );
}
