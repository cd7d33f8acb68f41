import type { WireData } from '@helioport/contract';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import styles from './amounts.module.css';

interface AmountsProps {
  readonly worths: NonNullable<WireData<'plant/overview'>['worths']>;
  readonly period: 'today' | 'month' | 'year' | 'total';
  /** What they are. */
  readonly label: string;
  /** Since when they count, if that is later than the beginning of the period. */
  readonly since: ((day: string) => string) | undefined;
}

/** What the energy of a period was worth in each currency; amounts of different currencies are never added up. */
export function Amounts({ worths, period, label, since }: AmountsProps): ReactNode {
  const formats = useFormats();
  return (
    <>
      <ul className={styles.amounts}>
        {worths.map(({ currency, since: day, ...amounts }) => (
          <li key={currency} data-currency={currency}>
            {formats.money(amounts[period], currency)}
            {since && day && worths.length > 1 && (
              <span className={styles.label}> {since(formats.day(day))}</span>
            )}
          </li>
        ))}
      </ul>
      <span className={styles.label}>
        {label}
        {since &&
          worths.length === 1 &&
          worths[0]!.since &&
          ` ${since(formats.day(worths[0]!.since))}`}
      </span>
    </>
  );
}
