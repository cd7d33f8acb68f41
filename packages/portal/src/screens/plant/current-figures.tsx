import type { WireData } from '@helioport/contract';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { beganWithin, textOfDay } from '../../i18n/plant-time.ts';
import { BigFigure } from '../../parts/big-figure.tsx';
import { ofAllLoads } from '../../parts/loads.ts';
import { useConnectionWords, type Connected } from '../../parts/plants/connection.ts';
import { SunGauge } from '../../parts/sun-gauge.tsx';
import { texts as shared } from '../../parts/texts/index.ts';
import { AgainstYearBefore } from '../../parts/year-before.tsx';
import { useOperation } from '../../wire/queries.ts';
import { splitOf } from './energy/split.ts';
import type { RecordStart } from './energy/record-start.ts';
import { AvoidedCo2 } from './avoided-co2.tsx';
import styles from './current-figures.module.css';
import { PerformanceSentence } from './performance.tsx';
import { texts } from './texts/index.ts';

interface NowProps {
  readonly plant: WireData<'plant/show'>;
  readonly connected: Connected;
  /** The plant's own day. */
  readonly today: string;
  readonly record: RecordStart | undefined;
}

/** What the roof does now, and what it produced and earned. */
export function CurrentFigures({ plant, connected, today: day, record }: NowProps): ReactNode {
  const t = texts.useTexts();
  const { since, worthOf } = shared.useTexts();
  const asOf = useConnectionWords()(connected)?.asOf;
  const formats = useFormats();
  const { currency, worth } = plant;
  const { production, load, backup, gridImport } = plant.energies;
  const watts = plant.values.acPowerW;
  const ratedW = plant.capacityKwp * 1000;
  const share = ratedW > 0 && watts !== undefined ? watts / ratedW : 0;
  const power = formats.power(watts);
  const rated = formats.power(ratedW);
  const capacity = `${rated.value} ${rated.unit}p`;
  const percent = formats.percent(share * 100);
  const today = formats.energy(production?.todayKwh);
  /** Whether money counts from within a period on, but not only because its energy does. */
  const isLater = (first: string, period: string | undefined): boolean =>
    period === undefined || (beganWithin(first, period) && first !== record?.day);
  const consumedKwh = ofAllLoads(load?.todayKwh, backup?.todayKwh);
  const own = splitOf([[consumedKwh, gridImport?.todayKwh]])?.ownPercent;
  const { data: before } = useOperation('plant/yearBefore', { plantId: plant.id });
  const periods = [
    {
      label: t.month,
      period: day.slice(0, 7),
      kwh: production?.monthKwh,
      money: worth?.sum.month,
      compared: [before?.monthKwh, before?.monthBeforeKwh] as const,
    },
    {
      label: t.year,
      period: day.slice(0, 4),
      kwh: production?.yearKwh,
      money: worth?.sum.year,
      compared: [before?.yearKwh, before?.yearBeforeKwh] as const,
    },
    {
      label: t.total,
      period: undefined,
      kwh: production?.totalKwh,
      money: worth?.sum.total,
      compared: undefined,
    },
  ];
  const sinceDay = worth && textOfDay(worth.sinceDay);
  return (
    <section className={styles.card} aria-label={t.now} data-old={asOf !== undefined || undefined}>
      <div className={styles.now}>
        <SunGauge share={share} />
        <div className={styles.figure}>
          <p className={styles.soft}>{asOf ?? t.now}</p>
          <p className={styles.power} data-figure="power">
            {power.value} {power.unit && <small>{power.unit}</small>}
          </p>
          {ratedW > 0 && (
            <p className={styles.soft}>
              {watts === undefined
                ? capacity
                : t.ofCapacity(`${percent.value} ${percent.unit}`, capacity)}
            </p>
          )}
        </div>
        <div className={styles.figure}>
          <p className={styles.soft}>{t.today}</p>
          <p className={styles.power} data-figure="today">
            {today.value} {today.unit && <small>{today.unit}</small>}
          </p>
          {worth !== undefined && (
            <Worth label={worthOf[worth.of]} amount={formats.money(worth.sum.today, currency)} />
          )}
        </div>
      </div>
      {own !== undefined && (
        <p className={styles.own} data-figure="self-sufficiency">
          {t.selfSufficientToday(`${formats.number(own, 0)} %`)}
          <span className={styles.bar} aria-hidden="true">
            <span style={{ width: `${own}%` }} />
          </span>
        </p>
      )}
      <dl className={styles.periods}>
        {periods.map(({ label, period, kwh, money: amount, compared }) => (
          <BigFigure key={label} label={label} figure={formats.energy(kwh)}>
            {worth !== undefined && amount !== undefined && (
              <Worth
                label={worthOf[worth.of]}
                amount={formats.money(amount, currency)}
                since={
                  sinceDay !== undefined && isLater(sinceDay, period)
                    ? since(formats.day(sinceDay))
                    : undefined
                }
              />
            )}
            {compared && <AgainstYearBefore kwh={compared[0]} beforeKwh={compared[1]} />}
            {record?.hasMoreBefore && period === undefined && (
              <span className={styles.since}>{t.byCounters}</span>
            )}
            {record && period !== undefined && beganWithin(record.day, period) && (
              <span className={styles.since}>{since(formats.shortDay(record.day))}</span>
            )}
          </BigFigure>
        ))}
      </dl>
      <PerformanceSentence plantId={plant.id} today={day} />
      <AvoidedCo2 plant={plant} />
      <details className={styles.notes}>
        <summary>{t.notes}</summary>
        {record?.hasMoreBefore && <p>{t.recordedSince(formats.day(record.day))}</p>}
        {worth !== undefined && <p>{worth.of === 'produced' ? t.producedNote : t.worthNote}</p>}
        <p>{t.good.note}</p>
      </details>
    </section>
  );
}

/** What energy was worth, with what the amount consists of, and since when it counts if that is later than its energy. */
function Worth({
  label,
  amount,
  since,
}: {
  readonly label: string;
  readonly amount: string;
  readonly since?: string | undefined;
}): ReactNode {
  return (
    <span className={styles.worth} data-figure="worth">
      <span className={styles.money}>{amount}</span>
      <span className={styles.since}>{since === undefined ? label : `${label} ${since}`}</span>
    </span>
  );
}
