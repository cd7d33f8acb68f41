import { DAY_MS } from '@helioport/contract/durations';
import { Button } from '@mantine/core';
import type { WireData } from '@helioport/contract';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Actions, Page, Soft, Stacked } from '../../../components/layout.tsx';
import { PageHeading } from '../../../focus/page-heading.tsx';
import { useFormats } from '../../../i18n/formats.ts';
import { DataTable, type Column } from '../../../parts/data-table.tsx';
import { Empty, Loading } from '../../../parts/states.tsx';
import { useConsole } from '../../../wire/console.ts';
import { CallFailure } from '../../../wire/failure.ts';
import { ConsoleFault } from '../console-fault.tsx';
import styles from '../console.module.css';
import { texts } from '../texts/index.ts';
import { TrailForm } from './trail-form.tsx';

type TrailEvent = WireData<'service/trail'>[number];

const PAGE_SIZE = 50;
const route = getRouteApi('/operator/trail');

const dayStart = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** Who did what to accounts, applications and collectors, newest first. */
export function Screen(): ReactNode {
  const t = texts.useTexts().trail;
  const formats = useFormats();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { from, to, before, ...rest } = search;
  const { data, error, refetch, isPlaceholderData } = useConsole('service/trail', {
    ...rest,
    from: from === undefined ? undefined : dayStart(from),
    to: to === undefined ? undefined : dayStart(to) + DAY_MS,
    before,
    limit: PAGE_SIZE,
  });
  const nameOf = ({ actor = '', actorEmail }: TrailEvent): string =>
    actorEmail ?? (actor === 'operator' ? t.shell : actor === 'service' ? t.service : actor);
  const columns: readonly Column<TrailEvent>[] = [
    {
      key: 'kind',
      header: t.kind,
      cell: ({ kind, at }) => (
        <Stacked>
          <code>{kind}</code>
          <small>{formats.dateTime(at, 'UTC')}</small>
        </Stacked>
      ),
    },
    {
      key: 'by',
      header: t.by,
      long: true,
      cell: (event) => <Who email={event.actorEmail} name={nameOf(event)} />,
    },
    {
      key: 'about',
      header: t.about,
      long: true,
      cell: ({ email }) => email !== undefined && <Who email={email} name={email} />,
    },
    { key: 'where', header: t.where, cell: ({ address }) => address },
    {
      key: 'details',
      header: t.details,
      long: true,
      cell: ({ data: details = {} }) =>
        Object.keys(details).length > 0 && (
          <span className={styles.details}>{detailText(details)}</span>
        ),
    },
  ];
  const isUnknown = error instanceof CallFailure && error.is('accountUnknown');
  if (!data && error && !isUnknown)
    return <ConsoleFault error={error} again={() => void refetch()} />;
  const events = isUnknown ? undefined : data;
  return (
    <Page>
      <header>
        <PageHeading>{t.title}</PageHeading>
        <Soft>{t.lead}</Soft>
      </header>
      <TrailForm search={search} onSearch={(next) => void navigate({ search: next })} />
      {isPlaceholderData && <p role="status">{t.loading}</p>}
      {isUnknown ? (
        <Empty title={t.noAccount} lead={t.wholeAddress}>
          <Link to="/operator/accounts" search={{ search: search.email ?? search.actor }}>
            {t.findAccount}
          </Link>
        </Empty>
      ) : !events ? (
        <Loading />
      ) : events.length === 0 ? (
        <Empty title={t.none} />
      ) : (
        <DataTable
          caption={t.title}
          columns={columns}
          rows={events}
          keyOf={({ id }) => id!}
          busy={isPlaceholderData}
        />
      )}
      <Actions>
        {before !== undefined && (
          <Button
            variant="default"
            onClick={() => void navigate({ search: { ...search, before: undefined } })}
          >
            {t.newest}
          </Button>
        )}
        {events?.length === PAGE_SIZE && (
          <Button
            variant="default"
            onClick={() => void navigate({ search: { ...search, before: events.at(-1)?.id } })}
          >
            {t.older}
          </Button>
        )}
      </Actions>
    </Page>
  );
}

/** A name; that of an account leads to it. */
const Who = ({
  email,
  name,
}: {
  readonly email: string | undefined;
  readonly name: string;
}): ReactNode =>
  email === undefined ? (
    <bdi>{name}</bdi>
  ) : (
    <Link to="/operator/accounts" search={{ search: email }}>
      <bdi>{name}</bdi>
    </Link>
  );

const detailText = (details: object): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
