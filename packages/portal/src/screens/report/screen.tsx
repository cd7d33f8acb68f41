import { Button } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PageHeading } from '../../focus/page-heading.tsx';
import { useLanguage } from '../../i18n/active-language.tsx';
import { regionalTag } from '../../i18n/languages.ts';
import { LeftIcon, RightIcon } from '../../parts/icons.tsx';
import { PlantFailed } from '../../parts/plants/plant-failed.tsx';
import { Loading } from '../../parts/states.tsx';
import { useOperation } from '../../wire/queries.ts';
import { DayBars } from './day-bars.tsx';
import { ReportTable } from './report-table.tsx';
import styles from './report.module.css';
import { texts } from './texts/index.ts';

const route = getRouteApi('/plants/$id/report');

/** What a plant did in a month, to be read and to be printed. */
export function Screen(): ReactNode {
  const t = texts.useTexts();
  const { id } = route.useParams();
  const search = route.useSearch();
  const { language } = useLanguage();
  const { region } = new Intl.Locale(regionalTag(language, navigator.languages));
  const spoken = { language, ...(region !== undefined && { region }) };
  const { data, error, refetch, isPlaceholderData } = useOperation(
    'plant/report',
    { plantId: id, ...search, ...spoken },
    { keepPrevious: true },
  );
  if (!data)
    return error ? (
      <PlantFailed plantId={id} error={error} again={() => void refetch()} />
    ) : (
      <Loading heights={[3, 20]} />
    );
  const { plantName = '', title = '', month = '', company, logo, earlier, later } = data;
  const { paragraphs = [], figures = [], bars, tables = [], notes = [] } = data;
  const pdf = `/portal/reports/${id}?${String(new URLSearchParams({ month, ...spoken }))}`;
  const step = (to: string | undefined, text: string, icon: ReactNode): ReactNode =>
    to !== undefined && (
      <Button
        variant="default"
        leftSection={icon}
        renderRoot={(props) => (
          <Link to="/plants/$id/report" params={{ id }} search={{ month: to }} {...props} />
        )}
      >
        {text}
      </Button>
    );
  return (
    <article className={styles.report} aria-busy={isPlaceholderData}>
      <div className={styles.actions}>
        <Link to="/plants/$id" params={{ id }} className={styles.back}>
          <LeftIcon size={16} /> {t.back}
        </Link>
        {step(earlier, t.earlier, <LeftIcon size={16} />)}
        {step(later, t.later, <RightIcon size={16} />)}
        <Button variant="default" onClick={() => window.print()}>
          {t.print}
        </Button>
        <Button component="a" href={pdf} variant="default" target="_blank" rel="noopener">
          {t.pdf}
        </Button>
      </div>
      {language === 'zh' && <p className={styles.note}>{t.pdfNote}</p>}
      <header className={styles.head}>
        <div>
          <PageHeading title={`${title} · ${plantName}`}>
            <bdi>{plantName}</bdi>
          </PageHeading>
          <p className={styles.month}>{title}</p>
        </div>
        {company !== undefined && (
          <div className={styles.company}>
            {logo !== undefined && <img src={logo} alt="" />}
            <bdi>{company}</bdi>
          </div>
        )}
      </header>
      {paragraphs.map((paragraph, i) => (
        <p key={paragraph} className={i === 0 ? styles.summary : undefined}>
          {paragraph}
        </p>
      ))}
      <dl className={styles.figures}>
        {figures.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {bars && <DayBars bars={bars} />}
      {tables.map((table) => (
        <ReportTable key={table.title} table={table} />
      ))}
      <footer>
        {notes.map((note) => (
          <p key={note} className={styles.note}>
            {note}
          </p>
        ))}
      </footer>
    </article>
  );
}
