import { Button } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Actions, Facts, Note, Page, Row, Soft } from '../../components/layout.tsx';
import { Back } from '../../parts/navigation/back.tsx';
import { PageHeading } from '../../focus/page-heading.tsx';
import { useLanguage } from '../../i18n/active-language.tsx';
import { regionalTag } from '../../i18n/languages.ts';
import { LeftIcon, RightIcon } from '../../parts/icons.tsx';
import { PlantFailed } from '../../parts/plants/plant-failed.tsx';
import { Loading } from '../../parts/states.tsx';
import { useOperation } from '../../wire/queries.ts';
import { DayBars } from './day-bars.tsx';
import { ReportTableView } from './report-table.tsx';
import styles from './report.module.css';
import { texts } from './texts/index.ts';

const route = getRouteApi('/plants/$id/report');

/** What a plant did in a month, to be read and to be printed. */
export function Screen(): ReactNode {
  const t = texts.useTexts();
  const { id } = route.useParams();
  const search = route.useSearch();
  const { language } = useLanguage();
  // Figures as on all other pages: without a region of the browser, those of the language.
  const { region } = new Intl.Locale(regionalTag(language, navigator.languages)).maximize();
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
    <Page component="article" className={styles.report} aria-busy={isPlaceholderData}>
      <Actions className={styles.actions}>
        <Back to="/plants/$id" params={{ id }}>
          {t.back}
        </Back>
        {step(earlier, t.earlier, <LeftIcon size={16} />)}
        {step(later, t.later, <RightIcon size={16} />)}
        <Button variant="default" onClick={() => window.print()}>
          {t.print}
        </Button>
        <Button component="a" href={pdf} variant="default" target="_blank" rel="noopener">
          {t.pdf}
        </Button>
      </Actions>
      {language === 'zh' && <Note>{t.pdfNote}</Note>}
      <Row component="header">
        <div>
          <PageHeading title={`${title} · ${plantName}`}>
            <bdi>{plantName}</bdi>
          </PageHeading>
          <Soft>{title}</Soft>
        </div>
        {company !== undefined && (
          <div className={styles.company}>
            {logo !== undefined && <img src={logo} alt="" />}
            <bdi>{company}</bdi>
          </div>
        )}
      </Row>
      {paragraphs.map((paragraph, i) => (
        <p key={paragraph} className={i === 0 ? styles.summary : undefined}>
          {paragraph}
        </p>
      ))}
      <Facts rows>
        {figures.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </Facts>
      {bars && <DayBars bars={bars} />}
      {tables.map((table) => (
        <ReportTableView key={table.title} table={table} />
      ))}
      <footer>
        {notes.map((note) => (
          <Note key={note}>{note}</Note>
        ))}
      </footer>
    </Page>
  );
}
