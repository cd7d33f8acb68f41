import type { WireData } from '@helioport/contract';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { beganWithin } from '../../i18n/plant-time.ts';
import { BigFigure } from '../../parts/big-figure.tsx';
import { SunGauge } from '../../parts/sun-gauge.tsx';
import { texts as shared } from '../../parts/texts/index.ts';
import { inCurrency, inKwh, inKwp, inWatts } from '../../wire/amounts.ts';
import { splitOf } from './energy/split.ts';
import type { RecordStart } from './energy/use-record-start.ts';
import { useWorth } from './energy/use-worth.ts';
import { Good } from './good.tsx';
import styles from './now.module.css';
import { texts } from './texts/index.ts';

interface NowProps {
  readonly plant: WireData<'stationDetail'>;
  /** The plant's own day. */
  readonly today: string;
  readonly record: RecordStart | undefined;
  /** The present price per kWh bought. */
  readonly buyPrice: number | undefined;
}

/** What the roof does now, and what it produced and earned. */
export function Now({ plant, today: day, record, buyPrice }: NowProps): ReactNode {
  const t = texts.useTexts();
  const { since } = shared.useTexts();
  const formats = useFormats();
  const watts = inWatts(plant.power);
  const ratedW = (inKwp(plant.capacity, plant.capacityStr) ?? 0) * 1000;
  const share = ratedW > 0 && watts !== undefined ? watts / ratedW : 0;
  const power = formats.power(watts);
  const rated = formats.power(ratedW);
  const capacity = `${rated.value} ${rated.unit}p`;
  const percent = formats.percent(share * 100);
  const today = formats.energy(inKwh(plant.dayEnergy, plant.dayEnergyStr));
  const earned = inCurrency(plant.dayInCome, plant.dayInComeUnit);
  const worth = useWorth(
    String(plant.id),
    day,
    buyPrice,
    earned === undefined && (plant.buy ?? plant.sell) !== undefined,
  );
  const money = earned ?? worth.day;
  const { homeLoadTodayEnergy, gridPurchasedDayEnergy } = plant;
  const own = splitOf([[homeLoadTodayEnergy, gridPurchasedDayEnergy]])?.ownPercent;
  const periods = [
    {
      label: t.month,
      period: day.slice(0, 7),
      kwh: inKwh(plant.monthEnergy, plant.monthEnergyStr),
      money: inCurrency(plant.monthInCome, plant.monthInComeUnit) ?? worth.month,
    },
    {
      label: t.year,
      period: day.slice(0, 4),
      kwh: inKwh(plant.yearEnergy, plant.yearEnergyStr),
      money: inCurrency(plant.yearInCome, plant.yearInComeUnit) ?? worth.year,
    },
    {
      label: t.total,
      period: undefined,
      kwh: inKwh(plant.allEnergy, plant.allEnergyStr),
      money: inCurrency(plant.allInCome, plant.allInComeUnit) ?? worth.total,
    },
  ];
  return (
    <section className={styles.card} aria-label={t.now}>
      <div className={styles.now}>
        <SunGauge share={share} />
        <div className={styles.figure}>
          <p className={styles.soft}>{t.now}</p>
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
          {money !== undefined && (
            <p className={styles.money}>{formats.money(money, plant.money)}</p>
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
        {periods.map(({ label, period, kwh, money: amount }) => (
          <BigFigure key={label} label={label} figure={formats.energy(kwh)}>
            {amount !== undefined && (
              <span className={styles.money}>{formats.money(amount, plant.money)}</span>
            )}
            {record?.hasMoreBefore && period === undefined && (
              <span className={styles.since}>{t.byCounters}</span>
            )}
            {record && period !== undefined && beganWithin(record.day, period) && (
              <span className={styles.since}>{since(formats.shortDay(record.day))}</span>
            )}
          </BigFigure>
        ))}
      </dl>
      <Good plant={plant} />
      <details className={styles.notes}>
        <summary>{t.notes}</summary>
        {record?.hasMoreBefore && <p>{t.recordedSince(formats.day(record.day))}</p>}
        {money !== undefined && <p>{earned === undefined ? t.worthNote : t.earnedNote}</p>}
        <p>{t.good.note}</p>
      </details>
    </section>
  );
}
