import { Button } from '@mantine/core';
import type { WireData } from '@helioport/contract';
import { useState, type ReactNode } from 'react';
import { useFormats } from '../../../i18n/formats.ts';
import { DataTable, type Column } from '../../../parts/data-table.tsx';
import { Empty, Loading } from '../../../parts/states.tsx';
import { useConsole } from '../../../wire/console.ts';
import { CallFailure } from '../../../wire/failure.ts';
import { ConsoleFault } from '../console-fault.tsx';
import styles from '../console.module.css';
import { texts } from '../texts/index.ts';
import { TrailForm, type TrailSearch } from './trail-form.tsx';

type TrailEvent = WireData<'service/trail'>[number];

const PAGE_SIZE = 50;

/** Who did what to accounts, applications and collectors, newest first. */
export function Screen(): ReactNode {
  const t = texts.useTexts().trail;
  const formats = useFormats();
  const [search, setSearch] = useState<TrailSearch>({});
  const [before, setBefore] = useState<string>();
  const { data, error, refetch, isPlaceholderData } = useConsole('service/trail', { ...search, before, limit: PAGE_SIZE });
  const nameOf = ({ actor = '', actorEmail }: TrailEvent): string => actorEmail ?? (actor === 'operator' ? t.shell : actor === 'service' ? t.service : actor);
  const columns: readonly Column<TrailEvent>[] = [
    {
      key: 'kind',
      header: t.kind,
      cell: ({ kind, at }) => (
        <span className={styles.stacked}>
          <code>{kind}</code>
          <small>{formats.dateTime(at, 'UTC')}</small>
        </span>
      ),
    },
    { key: 'by', header: t.by, cell: (event) => <bdi>{nameOf(event)}</bdi> },
    { key: 'about', header: t.about, cell: ({ email }) => <bdi>{email}</bdi> },
    { key: 'where', header: t.where, cell: ({ address }) => address },
    {
      key: 'details',
      header: t.details,
      cell: ({ data: details = {} }) => <span className={styles.details}>{detailText(details)}</span>,
    },
  ];
  // Whoever is searched for and does not exist has done nothing.
  const isUnknown = error instanceof CallFailure && error.code === 'B0011';
  if (!data && error && !isUnknown) return <ConsoleFault error={error} again={() => void refetch()} />;
  const events = isUnknown ? [] : data;
  return (
    <div className={styles.page}>
      <header>
        <h1>{t.title}</h1>
        <p className={styles.lead}>{t.lead}</p>
      </header>
      <TrailForm
        onSearch={(next) => {
          setSearch(next);
          setBefore(undefined);
        }}
      />
      {!events ? (
        <Loading />
      ) : events.length === 0 ? (
        <Empty title={t.none} />
      ) : (
        <DataTable caption={t.title} columns={columns} rows={events} keyOf={({ id }) => id!} busy={isPlaceholderData} />
      )}
      <div className={styles.buttons}>
        {before !== undefined && (
          <Button variant="default" onClick={() => setBefore(undefined)}>
            {t.newest}
          </Button>
        )}
        {events?.length === PAGE_SIZE && (
          <Button variant="default" onClick={() => setBefore(events.at(-1)?.id)}>
            {t.older}
          </Button>
        )}
      </div>
    </div>
  );
}

const detailText = (details: object): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
