import type { WireData } from '@helioport/contract';
import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/active-language.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { dayAsDate } from '../../i18n/plant-time.ts';
import { texts } from './texts/index.ts';
import styles from './week.module.css';

/** The seven days of a week, each with a bar. */
export function WeekDays({
  days,
}: {
  readonly days: NonNullable<WireData<'notifications/week'>['days']>;
}): ReactNode {
  const t = texts.useTexts();
  const { language } = useLanguage();
  const formats = useFormats();
  const name = new Intl.DateTimeFormat(language, { timeZone: 'UTC', weekday: 'short' });
  const most = Math.max(...days.map(({ kwh }) => kwh ?? 0));
  return (
    <ul className={styles.days} aria-label={t.week.days}>
      {days.map(({ day, kwh }) => {
        const { value, unit } = formats.energy(kwh);
        return (
          <li key={day}>
            <span>{name.format(dayAsDate(day))}</span>
            <span className={styles.bar}>
              {kwh !== null && most > 0 && <span style={{ width: `${(100 * kwh) / most}%` }} />}
            </span>
            <span className={styles.energy}>
              {value} {unit}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
