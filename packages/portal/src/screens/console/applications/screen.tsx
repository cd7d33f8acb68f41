import { useState, type ReactNode } from 'react';
import { Cards, Page } from '../../../components/layout.tsx';
import { PageHeading } from '../../../focus/page-heading.tsx';
import { Empty, Loading } from '../../../parts/states.tsx';
import { useConsole } from '../../../wire/console.ts';
import { ConsoleFault } from '../console-fault.tsx';
import { texts } from '../texts/index.ts';
import { ConsoleApplicationCard } from './application-card.tsx';
import type { Application, Decision } from './application.ts';
import { DecisionDialog } from './decision-dialog.tsx';

/** Applications of third parties: those to decide upon, and what became of the others. */
export function Screen(): ReactNode {
  const t = texts.useTexts().applications;
  const { data, error, refetch } = useConsole('application/list', {});
  const [deciding, setDeciding] = useState<{
    readonly application: Application;
    readonly decision: Decision;
  }>();
  if (!data)
    return error ? <ConsoleFault error={error} again={() => void refetch()} /> : <Loading />;
  const newestFirst = data.toSorted((a, b) => (b.submittedAt ?? 0) - (a.submittedAt ?? 0));
  const [waiting, others] = [
    newestFirst.filter(({ state }) => state === 'submitted'),
    newestFirst.filter(({ state }) => state !== 'submitted'),
  ];
  const cards = (applications: readonly Application[]): ReactNode => (
    <Cards wide>
      {applications.map((application) => (
        <ConsoleApplicationCard
          key={application.clientId}
          application={application}
          onDecide={(decision) => setDeciding({ application, decision })}
        />
      ))}
    </Cards>
  );
  return (
    <Page>
      <PageHeading>{t.title}</PageHeading>
      <h2>{t.toDecide}</h2>
      {waiting.length === 0 ? <Empty title={t.nothing} /> : cards(waiting)}
      {others.length > 0 && (
        <>
          <h2>{t.others}</h2>
          {cards(others)}
        </>
      )}
      {deciding && <DecisionDialog {...deciding} onClose={() => setDeciding(undefined)} />}
    </Page>
  );
}
