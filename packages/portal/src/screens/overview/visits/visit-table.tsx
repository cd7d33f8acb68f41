import { Button } from '@mantine/core';
import type { WireData } from '@helioport/contract';
import { Link } from '@tanstack/react-router';
import { useId, useState, type ReactNode } from 'react';
import { Section, Soft } from '../../../components/layout.tsx';
import { useFormats } from '../../../i18n/formats.ts';
import { textOfDay } from '../../../i18n/plant-time.ts';
import { DataTable, type Column } from '../../../parts/data-table.tsx';
import { texts as lossTexts } from '../../../parts/losses/texts/index.ts';
import { useLossWords } from '../../../parts/losses/use-loss-words.ts';
import { HERE } from '../here.ts';
import { texts } from '../texts/index.ts';
import styles from './visit-table.module.css';

type Visit = WireData<'performance/visits'>[number];

const AT_FIRST = 3;

/** Which plants lose most through what can be put right, the first few until more are wanted. */
export function VisitTable({ visits }: { readonly visits: readonly Visit[] }): ReactNode {
  const id = useId();
  const { visits: t } = texts.useTexts();
  const columns = useColumns();
  const formats = useFormats();
  const [areAllShown, setAllShown] = useState(false);
  const shown = areAllShown ? visits : visits.slice(0, AT_FIRST);
  const left = visits.length - shown.length;
  return (
    <Section aria-labelledby={id} data-figure="visits">
      <h2 id={id}>{t.title}</h2>
      <p>{t.note}</p>
      <DataTable
        caption={t.title}
        columns={columns}
        rows={shown}
        keyOf={({ plantId, cause, sn }) => `${plantId} ${cause} ${sn ?? ''}`}
      />
      {left > 0 && (
        <Button variant="subtle" onClick={() => setAllShown(true)}>
          {t.more(left, formats.number(left, 0))}
        </Button>
      )}
    </Section>
  );
}

function useColumns(): readonly Column<Visit>[] {
  const { visits: t, plant } = texts.useTexts();
  const { causes, confidences } = lossTexts.useTexts();
  const formats = useFormats();
  const words = useLossWords();
  return [
    {
      key: 'plant',
      header: plant,
      cell: ({ plantId, plantName }) => (
        <Link to="/plants/$id" params={{ id: plantId }}>
          <bdi>{plantName}</bdi>
        </Link>
      ),
    },
    {
      key: 'cause',
      header: t.cause,
      long: true,
      cell: (visit) => (
        <>
          <strong>{causes[visit.cause]}</strong>
          <br />
          <Soft component="bdi">{words(visit, HERE)}</Soft>
        </>
      ),
    },
    {
      key: 'energy',
      header: t.energy,
      figure: true,
      cell: ({ kwhPerYear }) => {
        const { value, unit } = formats.energy(kwhPerYear);
        return `${value} ${unit}`;
      },
    },
    {
      key: 'amount',
      header: t.amount,
      figure: true,
      cell: ({ amountPerYear, currency }) => formats.money(amountPerYear, currency),
    },
    {
      key: 'since',
      header: t.since,
      cell: ({ since }) => <span className={styles.whole}>{formats.day(textOfDay(since))}</span>,
    },
    {
      key: 'confidence',
      header: t.confidence,
      cell: ({ confidence }) => <span className={styles.whole}>{confidences[confidence]}</span>,
    },
  ];
}
