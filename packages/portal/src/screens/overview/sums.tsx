import type { WireData } from '@helioport/contract';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { BigFigure } from '../../parts/big-figure.tsx';
import { SunGauge } from '../../parts/sun-gauge.tsx';
import { Incomes } from './incomes.tsx';
import styles from './sums.module.css';
import { texts } from './texts/index.ts';

type Overview = WireData<'plant/overview'>;
type Period = 'today' | 'month' | 'year' | 'total';

const PERIODS: readonly (readonly [Period, 'dayKwh' | 'monthKwh' | 'yearKwh' | 'totalKwh'])[] = [
  ['today', 'dayKwh'],
  ['month', 'monthKwh'],
  ['year', 'yearKwh'],
  ['total', 'totalKwh'],
];

interface SumsProps {
  readonly overview: Overview;
  /** When the figures were read, if they cannot be read now. */
  readonly asOf: number | undefined;
}

/** The reader's own zone: the figures are of plants in many. */
const { timeZone: HERE } = Intl.DateTimeFormat().resolvedOptions();

/** What all plants do together now, and what they produced and earned. */
export function Sums({ overview, asOf }: SumsProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { powerW = 0, capacityKwp = 0, plants = 0, building = 0, incomes = [] } = overview;
  const power = formats.power(powerW);
  const capacity = formats.power(capacityKwp * 1000);
  const share = capacityKwp > 0 ? powerW / (capacityKwp * 1000) : 0;
  const percent = formats.percent(share * 100);
  return (
    <section className={styles.sums} aria-label={t.now}>
      <div className={styles.now}>
        <SunGauge share={share} />
        <div>
          <p className={styles.label}>
            {asOf === undefined ? t.now : t.asOf(formats.dateTime(asOf, HERE))} · {t.plants(plants, formats.number(plants, 0))}
          </p>
          <p className={styles.power} data-figure="power">
            {power.value} <small>{power.unit}</small>
          </p>
          {capacityKwp > 0 && (
            <p className={styles.share}>
              {t.ofCapacity(`${percent.value} ${percent.unit}`, `${capacity.value} ${capacity.unit}p`)}
              {building > 0 && ` · ${t.notCounted(building, formats.number(building, 0))}`}
            </p>
          )}
        </div>
      </div>
      <dl className={styles.periods}>
        {PERIODS.map(([period, energy]) => (
          <BigFigure key={period} label={t[period]} figure={formats.energy(overview[energy])}>
            {incomes.length === 1 && formats.money(incomes[0]![period], incomes[0]!.currency)}
          </BigFigure>
        ))}
      </dl>
      {incomes.length > 1 && <Incomes incomes={incomes} plants={plants} />}
      {overview.asOf === undefined && <p className={styles.note}>{t.counting}</p>}
    </section>
  );
}
