import type { WireData } from '@helioport/contract';
import type { ReactNode } from 'react';
import { Card, Row, Soft } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { beganWithin, textOfDay } from '../../i18n/plant-time.ts';
import { BigFigure } from '../../parts/big-figure.tsx';
import { ofAllLoads } from '../../parts/loads.ts';
import type { Connected } from '../../parts/plants/connection.ts';
import { texts as shared } from '../../parts/texts/index.ts';
import { AgainstYearBefore } from '../../parts/year-before.tsx';
import { useOperation } from '../../wire/queries.ts';
import { splitOf } from './energy/split.ts';
import type { RecordStart } from './energy/record-start.ts';
import { EnergyFlow } from './flow/energy-flow.tsx';
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

/** What flows where now, and what the plant produced and earned. */
export function CurrentFigures({ plant, connected, today: day, record }: NowProps): ReactNode {
  const t = texts.useTexts();
  const { since, worthOf } = shared.useTexts();
  const formats = useFormats();
  const { currency, worth } = plant;
  const { production, load, backup, gridImport } = plant.energies;
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
    <Card aria-label={t.now} className={styles.card}>
      <EnergyFlow plant={plant} connected={connected} />
      <div className={styles.figures}>
        <Row component="p" className={styles.today}>
          <span>
            <Soft component="span">{t.today}</Soft>
            <span className={styles.power} data-figure="today">
              {today.value} {today.unit && <small>{today.unit}</small>}
            </span>
          </span>
          {worth !== undefined && (
            <Worth label={worthOf[worth.of]} amount={formats.money(worth.sum.today, currency)} />
          )}
        </Row>
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
        <details className={styles.notes}>
          <summary>{t.notes}</summary>
          {record?.hasMoreBefore && <p>{t.recordedSince(formats.day(record.day))}</p>}
          {worth !== undefined && <p>{worth.of === 'produced' ? t.producedNote : t.worthNote}</p>}
          <AvoidedCo2 plant={plant} />
          <p>{t.good.note}</p>
        </details>
      </div>
    </Card>
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
