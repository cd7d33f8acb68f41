import type { WireData } from '@helioport/contract';
import { useState, type ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import styles from './incomes.module.css';
import { PAGE_SIZE, useRanking } from './plant-list.tsx';
import { texts } from './texts/index.ts';

const PERIODS = ['today', 'month', 'year', 'total'] as const;

/** The currencies that are shown at first: the sums should not push the plants off the screen. */
const SHOWN = 3;

interface IncomesProps {
  readonly incomes: NonNullable<WireData<'plant/overview'>['incomes']>;
  /** How many plants there are. */
  readonly plants: number;
}

/** The income of plants with several currencies, a line each. Amounts of different currencies are never added up. */
export function Incomes({ incomes, plants }: IncomesProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const [isWhole, setWhole] = useState(false);
  // Asked for by the list too; of more plants than it shows at once, nobody reads the names here.
  const { data } = useRanking({}, plants <= PAGE_SIZE);
  const hidden = incomes.length - SHOWN;
  // One that is left over needs no more room than the button.
  const shown = isWhole || hidden < 2 ? incomes : incomes.slice(0, SHOWN);
  return (
    <div className={styles.incomes}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t.income}</th>
            {PERIODS.map((period) => (
              <th key={period} scope="col">
                {t[period]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ currency, ...amounts }) => (
            <tr key={currency}>
              <th scope="row">
                {currency}
                {plants <= PAGE_SIZE && <NamesOf plants={data?.records.filter((one) => one.currency === currency) ?? []} />}
              </th>
              {PERIODS.map((period) => (
                <td key={period} title={formats.money(amounts[period], currency)}>
                  {formats.amount(amounts[period])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < incomes.length && (
        <button type="button" onClick={() => setWhole(true)}>
          {t.moreCurrencies(formats.number(hidden, 0))}
        </button>
      )}
    </div>
  );
}

/** Whose income it is, as far as it fits beside the currency. */
function NamesOf({ plants }: { readonly plants: readonly { readonly name?: string }[] }): ReactNode {
  const formats = useFormats();
  return <bdi className={styles.names}>{formats.list(plants.flatMap(({ name }) => name ?? []))}</bdi>;
}
