import type { WireData } from '@helioport/contract';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import styles from './amounts.module.css';

/** The amounts that are shown at first: they should not push the plants off the screen. */
export const AMOUNTS_SHOWN = 3;

interface AmountsProps {
  readonly incomes: NonNullable<WireData<'plant/overview'>['incomes']>;
  readonly period: 'today' | 'month' | 'year' | 'total';
}

/** What a period earned in each currency; amounts of different currencies are never added up. */
export function Amounts({ incomes, period }: AmountsProps): ReactNode {
  const formats = useFormats();
  return (
    <ul className={styles.amounts}>
      {incomes.map(({ currency, ...amounts }) => (
        <li key={currency} data-currency={currency}>
          {formats.money(amounts[period], currency)}
        </li>
      ))}
    </ul>
  );
}
