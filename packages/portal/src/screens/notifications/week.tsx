import { Button } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Actions, Bullets, Card, Facts, Page, Soft } from '../../components/layout.tsx';
import { PageHeading } from '../../focus/page-heading.tsx';
import { useLanguage } from '../../i18n/active-language.tsx';
import { regionalTag } from '../../i18n/languages.ts';
import { LeftIcon, RightIcon } from '../../parts/icons.tsx';
import { SettingsLinks } from '../../parts/navigation/section-links.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { useOperation } from '../../wire/queries.ts';
import { texts } from './texts/index.ts';
import { WeekDays } from './week-days.tsx';
import styles from './week.module.css';

const route = getRouteApi('/week');

/** A week as its summary tells it: what the plants produced, against what was usual, and what there is to do. */
export function Screen(): ReactNode {
  const t = texts.useTexts();
  const { language } = useLanguage();
  const { region } = new Intl.Locale(regionalTag(language, navigator.languages));
  const request = { ...route.useSearch(), language, ...(region !== undefined && { region }) };
  const { data, error, refetch, isPlaceholderData } = useOperation('notifications/week', request, {
    keepPrevious: true,
  });
  if (!data)
    return error ? (
      <Failed error={error} again={() => void refetch()} />
    ) : (
      <Loading heights={[3, 20]} />
    );
  const {
    title,
    paragraphs = [],
    figures = [],
    days = [],
    toDoLead,
    toDo = [],
    earlier,
    later,
  } = data;
  const step = (week: string | undefined, text: string, icon: ReactNode): ReactNode =>
    week !== undefined && (
      <Button
        variant="default"
        leftSection={icon}
        renderRoot={(props) => <Link to="/week" search={{ week }} {...props} />}
      >
        {text}
      </Button>
    );
  return (
    <Page narrow aria-busy={isPlaceholderData}>
      <SettingsLinks />
      <PageHeading>{title}</PageHeading>
      <Card>
        {paragraphs.map((paragraph, i) => (
          <p key={paragraph} className={i === 0 ? styles.summary : undefined}>
            {paragraph}
          </p>
        ))}
        {days.some(({ kwh }) => kwh !== null) && <WeekDays days={days} />}
        {figures.length > 0 && (
          <Facts rows>
            {/* Incomes in several currencies have one name. */}
            {[...Map.groupBy(figures, ({ name }) => name)].map(([name, values]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{values.map(({ value }) => value).join(' · ')}</dd>
              </div>
            ))}
          </Facts>
        )}
      </Card>
      {toDoLead !== undefined && (
        <Card>
          <h2>{toDoLead}</h2>
          {toDo.length > 0 && (
            <>
              <Bullets>
                {toDo.map(({ what, where, advice }) => (
                  <li key={what + where}>
                    <strong>{what}</strong>
                    <Soft>{where}</Soft>
                    {advice && <p>{advice}</p>}
                  </li>
                ))}
              </Bullets>
              <Link to="/alarms">{t.week.alarms}</Link>
            </>
          )}
        </Card>
      )}
      <Actions>
        {step(earlier, t.week.earlier, <LeftIcon size={16} />)}
        {step(later, t.week.later, <RightIcon size={16} />)}
      </Actions>
    </Page>
  );
}
