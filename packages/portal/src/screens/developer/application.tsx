import { Button } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Actions, Card, Facts, Page, Soft } from '../../components/layout.tsx';
import { PageHeading } from '../../focus/page-heading.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { Back } from '../../parts/navigation/back.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { useAccount } from '../../session/session-context.ts';
import { useChange, useOperation } from '../../wire/queries.ts';
import { ApplicationState, applicationStateOf } from './application-state.tsx';
import { Consents } from './consents.tsx';
import { Credentials } from './credentials.tsx';
import { Destinations } from './destinations/destinations.tsx';
import { Guides } from './guides.tsx';
import { NextStep } from './next-step.tsx';
import { RecentErrors } from './recent-errors.tsx';
import { RegistrationDialog } from './registration-dialog.tsx';
import { texts } from './texts/index.ts';

const route = getRouteApi('/developer/$clientId');

/** One application: what the operator decided, its credentials, consents in numbers, errors and destinations. */
export function Screen(): ReactNode {
  const { clientId } = route.useParams();
  const t = texts.useTexts();
  const formats = useFormats();
  const { timeZone } = useAccount();
  const navigate = useNavigate();
  const { data: application, error, refetch } = useOperation('developer/show', { clientId });
  const withdraw = useChange('developer/withdraw');
  const [asked, setAsked] = useState<'amend' | 'withdraw'>();
  if (!application)
    return error ? <Failed error={error} again={() => void refetch()} /> : <Loading />;
  const state = applicationStateOf(application);
  const name = application.name ?? '';
  const { askedScopes: asksFor = [], scopes: granted = [] } = application;
  const leftOut = asksFor.filter((scope) => !granted.includes(scope));
  const isOpen = state === 'submitted' || state === 'rejected';
  const carryOut = (): void =>
    withdraw.mutate(
      { clientId },
      {
        onSuccess: () => {
          toast.show(t.withdrawn(name));
          void navigate({ to: '/developer' });
        },
        onError: (fault) => {
          toast.fault(fault.message);
          setAsked(undefined);
        },
      },
    );
  return (
    <Page>
      <header>
        <Back to="/developer">{t.back}</Back>
        <Actions component="span">
          <PageHeading>
            <bdi>{name}</bdi>
          </PageHeading>
          <ApplicationState application={application} />
        </Actions>
      </header>
      {state !== 'approved' && (
        <Notice kind={state === 'submitted' ? 'info' : 'warn'} title={t.states[state]}>
          {application.reason !== undefined && <p>{t.reason(application.reason)}</p>}
          <p>{t.stateLead[state]}</p>
          {isOpen && (
            <Actions component="span">
              <Button size="xs" variant="default" onClick={() => setAsked('amend')}>
                {t.amend}
              </Button>
              <Button size="xs" variant="default" onClick={() => setAsked('withdraw')}>
                {t.withdraw}
              </Button>
            </Actions>
          )}
        </Notice>
      )}
      {state === 'approved' && leftOut.length > 0 && (
        <Notice kind="warn" title={t.narrowed.title}>
          <p>{t.narrowed.lead(formats.list(leftOut.map((scope) => t.scopes[scope])))}</p>
        </Notice>
      )}
      <Card>
        <Facts>
          <dt>{t.facts.purpose}</dt>
          <dd>
            <bdi>{application.purpose}</bdi>
          </dd>
          <dt>{t.facts.redirectUri}</dt>
          <dd>
            <code>{application.redirectUri}</code>
          </dd>
          {application.homePage !== undefined && (
            <>
              <dt>{t.facts.homePage}</dt>
              <dd>
                <code>{application.homePage}</code>
              </dd>
            </>
          )}
          {leftOut.length > 0 && (
            <>
              <dt>{t.narrowed.asked}</dt>
              <dd>{formats.list(asksFor.map((scope) => t.scopes[scope]))}</dd>
            </>
          )}
          <dt>{leftOut.length > 0 ? t.narrowed.granted : t.form.scopes}</dt>
          <dd>{formats.list((application.scopes ?? []).map((scope) => t.scopes[scope]))}</dd>
          {application.decidedAt !== undefined && (
            <>
              <dt>{t.narrowed.decided}</dt>
              <dd>{formats.dateTime(application.decidedAt, timeZone)}</dd>
            </>
          )}
          <dt>{t.facts.challenge}</dt>
          <dd>{application.requirePkce ? t.facts.required : t.facts.optional}</dd>
        </Facts>
      </Card>
      <Credentials application={application} />
      {state === 'approved' && <NextStep application={application} />}
      {application.consents && <Consents counts={application.consents} />}
      <RecentErrors clientId={clientId} />
      {state === 'approved' && <Destinations clientId={clientId} />}
      <Guides />
      {asked === 'amend' && (
        <RegistrationDialog amended={application} onClose={() => setAsked(undefined)} />
      )}
      <ConfirmDialog
        opened={asked === 'withdraw'}
        title={t.withdrawTitle}
        action={t.withdraw}
        dangerous
        busy={withdraw.isPending}
        onConfirm={carryOut}
        onClose={() => setAsked(undefined)}
      >
        <Soft>{t.withdrawLead}</Soft>
      </ConfirmDialog>
    </Page>
  );
}
