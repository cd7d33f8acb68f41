import type { WireData } from '@helioport/contract';
import type { ReactNode } from 'react';
import { Section, Soft } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { CodeText } from '../../parts/developer/code-text.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { useAccount } from '../../session/session-context.ts';
import { useOperation } from '../../wire/queries.ts';
import styles from './developer.module.css';
import { texts } from './texts/index.ts';

type Refusal = WireData<'developer/errors'>[number];

const REFRESH_MS = 15_000;

/** What an application was refused, and the ids of the requests, for questions to the operator. */
export function RecentErrors({ clientId }: { readonly clientId: string }): ReactNode {
  const t = texts.useTexts().errors;
  const formats = useFormats();
  const { timeZone } = useAccount();
  const { data: refusals = [] } = useOperation(
    'developer/errors',
    { clientId },
    { refreshMs: REFRESH_MS },
  );
  const columns: readonly Column<Refusal>[] = [
    { key: 'endpoint', header: t.endpoint, cell: ({ endpoint }) => <code>{endpoint}</code> },
    {
      key: 'error',
      header: t.error,
      cell: ({ error }) => <code className={styles.whole}>{error}</code>,
    },
    {
      key: 'what',
      header: t.what,
      cell: ({ description }) => <CodeText text={description ?? ''} />,
    },
    { key: 'times', header: t.times, figure: true, cell: ({ count }) => formats.number(count, 0) },
    {
      key: 'last',
      header: t.last,
      cell: ({ lastAt, lastRequestId }) => (
        <>
          <time className={styles.line}>{formats.dateTime(lastAt, timeZone)}</time>
          <code className={styles.line}>{lastRequestId}</code>
        </>
      ),
    },
  ];
  return (
    <Section aria-labelledby="errors">
      <h2 id="errors">{t.title}</h2>
      <Soft>{refusals.length === 0 ? t.none : t.lead}</Soft>
      {refusals.length > 0 && (
        <DataTable
          caption={t.title}
          columns={columns}
          rows={refusals}
          keyOf={({ endpoint, reason }) => `${endpoint} ${reason}`}
        />
      )}
    </Section>
  );
}
