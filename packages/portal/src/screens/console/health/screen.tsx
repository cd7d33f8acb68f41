import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Bullets, Cards, Form, List, Page, Soft, Stacked } from '../../../components/layout.tsx';
import { PageHeading } from '../../../focus/page-heading.tsx';
import { useFormats } from '../../../i18n/formats.ts';
import { DataTable, type Column } from '../../../parts/data-table.tsx';
import { knownWordsOf } from '../../../i18n/known-words.ts';
import { Notice } from '../../../parts/notice.tsx';
import { Loading } from '../../../parts/states.tsx';
import { useConsole } from '../../../wire/console.ts';
import { serverNow } from '../../../wire/server-clock.ts';
import { ConsoleFault } from '../console-fault.tsx';
import { searchedAccountStates, searchedCollectorStates } from '../search.ts';
import { texts } from '../texts/index.ts';
import { concernsOf, type Health } from './concerns.ts';
import { FactsCard } from './facts-card.tsx';

const REFRESH_MS = 15_000;
const MEGABYTE = 1024 * 1024;

type Lane = NonNullable<Health['lanes']>[number];

/** The console's first page: whether the service is well, and what needs a look. It tells of no plant. */
export function Screen(): ReactNode {
  const all = texts.useTexts();
  const t = all.health;
  const formats = useFormats();
  const { data, error, refetch } = useConsole('service/health', {}, { refreshMs: REFRESH_MS });
  if (!data)
    return error ? <ConsoleFault error={error} again={() => void refetch()} /> : <Loading />;
  const count = (value: number | undefined): string => formats.number(value, 0);
  const span = (seconds: number): string =>
    seconds < 100
      ? `${count(seconds)} s`
      : seconds < 6000
        ? `${count(seconds / 60)} min`
        : `${count(seconds / 3600)} h`;
  const concerns = concernsOf(data, t, span);
  const { collectors, accounts, forwarding } = data;
  const columns: readonly Column<Lane>[] = [
    {
      key: 'kind',
      header: t.kind,
      cell: ({ kind }) => (
        <Stacked>
          {knownWordsOf(t.jobs, kind)}
          <small>
            <code>{kind}</code>
          </small>
        </Stacked>
      ),
    },
    { key: 'due', header: t.due, figure: true, cell: ({ due }) => count(due) },
    { key: 'running', header: t.running, figure: true, cell: ({ running }) => count(running) },
    {
      key: 'oldest',
      header: t.oldest,
      figure: true,
      cell: ({ oldestDueSeconds }) => span(oldestDueSeconds),
    },
    { key: 'failing', header: t.failed, figure: true, cell: ({ failing }) => count(failing) },
  ];
  return (
    <Page>
      <header>
        <PageHeading>{t.title}</PageHeading>
        <Soft>
          {t.lead(data.version ?? '', data.engine === 'postgres' ? 'PostgreSQL' : 'SQLite')}
        </Soft>
      </header>
      <Notice
        title={concerns.length === 0 ? t.fine : t.concerns}
        kind={concerns.length === 0 ? 'info' : 'warn'}
      >
        {concerns.length > 0 && (
          <Bullets>
            {concerns.map((one) => (
              <li key={one.text}>
                {one.to === undefined ? (
                  one.text
                ) : (
                  <Link
                    to={one.to}
                    search={one.to === '/operator/collectors' ? { state: 'silent' } : {}}
                  >
                    {one.text}
                  </Link>
                )}
              </li>
            ))}
          </Bullets>
        )}
      </Notice>
      <Cards>
        <FactsCard
          title={t.database}
          facts={[
            [t.size, `${count((data.databaseBytes ?? 0) / MEGABYTE)} MB`],
            ...(data.freeBytes === undefined
              ? []
              : [[t.free, `${count(data.freeBytes / MEGABYTE)} MB`] as const]),
            [t.mails, count(data.mailsWaiting)],
            ...(data.oldestMailAt === undefined
              ? []
              : [[t.oldestMail, formats.ago(serverNow() - data.oldestMailAt)] as const]),
          ]}
        />
        <FactsCard
          title={t.collectors}
          facts={[
            [t.lately, count(collectors?.lately)],
            ...searchedCollectorStates.map((state): readonly [string, ReactNode] => [
              all.collectors.states[state],
              <Link
                key={state}
                to="/operator/collectors"
                search={{ state }}
                aria-label={`${all.collectors.states[state]}: ${count(collectors?.[state])}`}
              >
                {count(collectors?.[state])}
              </Link>,
            ]),
          ]}
        />
        <FactsCard
          title={t.accounts}
          facts={[
            ...searchedAccountStates.map((state): readonly [string, ReactNode] => [
              t[state],
              <Link
                key={state}
                to="/operator/accounts"
                search={{ state }}
                aria-label={`${t[state]}: ${count(accounts?.[state])}`}
              >
                {count(accounts?.[state])}
              </Link>,
            ]),
            [t.loggedIn, count(accounts?.loggedIn)],
          ]}
        />
        <FactsCard
          title={t.sending}
          facts={[
            [t.destinations, count(forwarding?.destinations)],
            [t.behind, span(forwarding?.behindSeconds ?? 0)],
            [t.waitingDevices, count(forwarding?.waitingDevices)],
            [t.deadLetters, count(forwarding?.deadLetters)],
          ]}
        />
      </Cards>
      <Form component="section">
        <h2>{t.work}</h2>
        {data.lanes?.length ? (
          <DataTable
            caption={t.work}
            columns={columns}
            rows={data.lanes}
            keyOf={({ kind }) => kind}
          />
        ) : (
          <p>{t.idle}</p>
        )}
      </Form>
      {data.limits && data.limits.length > 0 && (
        <Form component="section">
          <div>
            <h2>{t.limits}</h2>
            <Soft>{t.limitsLead}</Soft>
          </div>
          <List boxed divided>
            {data.limits.map(({ setting, value }) => (
              <li key={setting}>
                <span>
                  {[
                    value === null ? t.none : count(value),
                    knownWordsOf(t.limitWords, setting),
                  ].join(' – ')}
                </span>
                <small>
                  <code>{setting}</code>
                </small>
              </li>
            ))}
          </List>
        </Form>
      )}
    </Page>
  );
}
