import { ActionIcon, NativeSelect, TextInput } from '@mantine/core';
import { useMemo, useState, type ReactNode } from 'react';
import { addDays, localDay, startOfDay } from '../../../i18n/plant-time.ts';
import { PowerChart } from '../../../parts/charts/power-chart.tsx';
import type { ChartSeries } from '../../../parts/charts/series.ts';
import { LeftIcon, RightIcon } from '../../../parts/icons.tsx';
import { Empty, Failed, Loading } from '../../../parts/states.tsx';
import { serverNow } from '../../../wire/server-clock.ts';
import { texts } from '../texts/index.ts';
import { measuredCurves, type Curve } from './curves.ts';
import styles from './history.module.css';
import type { DeviceKind } from '../device.ts';
import { deadStrings } from './dead-strings.ts';
import { useDayReadings } from './use-day-readings.ts';

const COLOURS = ['--hp-production', '--hp-consumption', '--hp-battery', '--hp-grid', '--hp-import', '--hp-other'];
/** Strings and phases often coincide; with dashes, what lies below stays visible. */
const DASHES: readonly (readonly number[])[] = [[], [10, 5], [3, 4], [12, 4, 3, 4], [6, 3]];
const FIRST_DAY = '2000-01-01';
const isDay = (text: string, last: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && text >= FIRST_DAY && text <= last;

interface HistoryProps {
  readonly kind: DeviceKind;
  readonly id: string;
  readonly sn: string;
  readonly zone: string;
}

/** The readings of a device over a day of its plant, one quantity at a time. */
export function History({ kind, id, sn, zone }: HistoryProps): ReactNode {
  const t = texts.useTexts();
  const today = localDay(serverNow(), zone);
  const [day, setDay] = useState(today);
  const [chosen, setChosen] = useState<string>();
  const { quantities, readings, error, refetch } = useDayReadings(kind, id, day);
  const dead = useMemo(() => (readings ? deadStrings(readings) : new Set<number>()), [readings]);
  if (!readings && error) return <Failed error={error} again={refetch} />;

  const offered = readings ? quantities.filter((quantity) => measuredCurves(quantity, readings).length > 0) : [];
  const quantity = offered.find(({ name }) => name === chosen) ?? offered[0];
  const nameOf = ({ name }: Curve): string => (typeof name === 'string' ? t.readings[name] : t[name.of](name.number));
  const noteOf = ({ key, name }: Curve): string | undefined => {
    if (typeof name === 'string' || name.of !== 'string' || !dead.has(name.number)) return undefined;
    return readings?.values[key]?.some((value) => value != null) ? t.deadString : t.silentString;
  };
  const series =
    quantity && readings
      ? measuredCurves(quantity, readings).map((curve, i, { length }): ChartSeries => ({
          key: curve.key,
          label: nameOf(curve),
          unit: curve.unit,
          colour: COLOURS[i % COLOURS.length]!,
          filled: length === 1 || curve.key === 'pac',
          warning: noteOf(curve),
          ...(typeof curve.name !== 'string' && { dash: DASHES[i % DASHES.length] }),
        }))
      : [];
  const chooseDay = (next: string): void => {
    if (isDay(next, today)) setDay(next);
  };
  return (
    <>
      <div className={styles.controls}>
        <NativeSelect
          label={t.quantity}
          value={quantity?.name ?? ''}
          data={offered.map(({ name }) => ({ value: name, label: t.curves[name] }))}
          disabled={offered.length === 0}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
        <div className={styles.day}>
          <ActionIcon variant="default" size="lg" aria-label={t.previousDay} onClick={() => chooseDay(addDays(day, -1))}>
            <LeftIcon />
          </ActionIcon>
          <TextInput type="date" label={t.day} value={day} min={FIRST_DAY} max={today} onChange={(event) => chooseDay(event.currentTarget.value)} />
          <ActionIcon variant="default" size="lg" aria-label={t.nextDay} disabled={day >= today} onClick={() => chooseDay(addDays(day, 1))}>
            <RightIcon />
          </ActionIcon>
        </div>
      </div>
      {readings && quantity ? (
        <PowerChart
          key={quantity.name}
          title={t.curves[quantity.name]}
          of={sn}
          series={series}
          data={readings}
          range={[startOfDay(day, zone), startOfDay(addDays(day, 1), zone)]}
          zone={zone}
        />
      ) : readings ? (
        <Empty title={t.noHistory} />
      ) : (
        <Loading />
      )}
    </>
  );
}
