import type { WireData } from '@helioport/contract';
import { useState, type ReactNode } from 'react';
import { Note, Soft } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { beganWithin, localDay } from '../../i18n/plant-time.ts';
import { BigFigure } from '../../parts/big-figure.tsx';
import { SunGauge } from '../../parts/sun-gauge.tsx';
import { texts as shared } from '../../parts/texts/index.ts';
import { AgainstYearBefore } from '../../parts/year-before.tsx';
import { useOperation } from '../../wire/queries.ts';
import { serverNow } from '../../wire/server-clock.ts';
import { Amounts } from './amounts.tsx';
import { HERE } from './here.ts';
import { LastDay } from './last-day.tsx';
import styles from './sums.module.css';
import { texts } from './texts/index.ts';
import type { PowerCurve } from './curve.ts';
import { RANKING_PAGE_SIZE } from './use-ranking.ts';

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
  /** What all plants did in the last 24 hours, if they are few. */
  readonly curve: PowerCurve | undefined;
}

/** What all plants do together now, and what they produced and earned. */
export function Sums({ overview, asOf, curve }: SumsProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { since, worthOf } = shared.useTexts();
  const [isWhole, setWhole] = useState(false);
  const { data: before } = useOperation(
    'plant/yearBefore',
    {},
    { enabled: asOf === undefined && (overview.plants ?? 0) <= RANKING_PAGE_SIZE },
  );
  const compared = {
    month: [before?.monthKwh, before?.monthBeforeKwh],
    year: [before?.yearKwh, before?.yearBeforeKwh],
  } as const;
  const {
    powerW,
    capacityKwp = 0,
    plants = 0,
    unmeasured = 0,
    worths = [],
    recordedSince = '',
  } = overview;
  const power = formats.power(powerW);
  const rated = formats.power(capacityKwp * 1000);
  const capacity = `${rated.value} ${rated.unit}p`;
  const share = capacityKwp > 0 && powerW !== undefined ? powerW / (capacityKwp * 1000) : 0;
  const percent = formats.percent(share * 100);
  const today = localDay(serverNow(), HERE);
  // Nobody can add up amounts of several currencies: they are there for those who want them.
  const shown = isWhole || worths.length === 1 ? worths : [];
  /** Whether nothing was recorded at the beginning of a period. */
  const isPart = (period: Period): boolean =>
    (period === 'month' && beganWithin(recordedSince, today.slice(0, 7))) ||
    (period === 'year' && beganWithin(recordedSince, today.slice(0, 4)));
  return (
    <section className={styles.sums} aria-label={t.now}>
      <div className={styles.now}>
        <SunGauge share={share} />
        <div>
          <Soft>
            {asOf === undefined ? t.now : t.asOf(formats.dateTime(asOf, HERE))} ·{' '}
            {t.plants(plants, formats.number(plants, 0))}
          </Soft>
          <p className={styles.power} data-figure="power">
            {power.value}
            {power.unit && <small> {power.unit}</small>}
          </p>
          {capacityKwp > 0 && (
            <Soft>
              {powerW === undefined
                ? capacity
                : t.ofCapacity(`${percent.value} ${percent.unit}`, capacity)}
              {unmeasured > 0 && ` · ${t.notCounted(unmeasured, formats.number(unmeasured, 0))}`}
            </Soft>
          )}
        </div>
      </div>
      <dl className={styles.periods}>
        {PERIODS.map(([period, energy]) => (
          <BigFigure key={period} label={t[period]} figure={formats.energy(overview[energy])}>
            {shown.length > 0 && (
              <Amounts
                worths={shown}
                period={period}
                label={worthOf.savedAndSold}
                since={period === 'total' ? since : undefined}
              />
            )}
            {(period === 'month' || period === 'year') && (
              <AgainstYearBefore kwh={compared[period][0]} beforeKwh={compared[period][1]} />
            )}
            {isPart(period) && (
              <span className={styles.since}>{since(formats.shortDay(recordedSince))}</span>
            )}
          </BigFigure>
        ))}
      </dl>
      {worths.length > 1 && (
        <button
          type="button"
          className={styles.more}
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole
            ? t.withoutAmounts
            : t.amounts(worthOf.savedAndSold, formats.number(worths.length, 0))}
        </button>
      )}
      {curve && <LastDay curve={curve} />}
      {overview.asOf === undefined && <Note>{t.counting}</Note>}
    </section>
  );
}
