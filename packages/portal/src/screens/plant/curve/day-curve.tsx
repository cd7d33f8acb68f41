import { ActionIcon, Button, NativeSelect } from '@mantine/core';
import { useMemo, useState, type ReactNode } from 'react';
import { useFormats } from '../../../i18n/formats.ts';
import { addDays, localDay, startOfDay } from '../../../i18n/plant-time.ts';
import { EARLIER_DAYS, movedBy } from '../../../parts/charts/earlier-days.ts';
import { COMPARED, COMPARED_DASH } from '../../../parts/charts/plot.ts';
import { PowerChart } from '../../../parts/charts/power-chart.tsx';
import { beside, type ChartSeries } from '../../../parts/charts/series.ts';
import { LeftIcon, RightIcon } from '../../../parts/icons.tsx';
import { Failed, Loading } from '../../../parts/states.tsx';
import { useOperation } from '../../../wire/queries.ts';
import { serverNow } from '../../../wire/server-clock.ts';
import { texts } from '../texts/index.ts';
import styles from './day-curve.module.css';
import { DaySums } from './day-sums.tsx';
import { curvesOf, knownSeries, type CurveKey } from './curves.ts';

const COMPARISONS = { nothing: 0, ...EARLIER_DAYS } as const;

type Comparison = keyof typeof COMPARISONS;

interface DayCurveProps {
  readonly plantId: string;
  readonly plantName: string;
  readonly zone: string;
}

/** The powers of a plant on one of its days, beside those of another day if wanted. */
export function DayCurve({ plantId, plantName, zone }: DayCurveProps): ReactNode {
  const t = texts.useTexts().curve;
  const formats = useFormats();
  const today = localDay(serverNow(), zone);
  // undefined: today, also after midnight.
  const [chosen, setChosen] = useState<string>();
  const [comparison, setComparison] = useState<Comparison>('nothing');
  const day = chosen ?? today;
  const other = addDays(day, -COMPARISONS[comparison]);
  const rows = useOperation('stationDay', { id: plantId, time: day }, { keepPrevious: true });
  const otherRows = useOperation('stationDay', { id: plantId, time: other }, { enabled: comparison !== 'nothing', keepPrevious: true });
  const range = useMemo(() => [startOfDay(day, zone), startOfDay(addDays(day, 1), zone)] as const, [day, zone]);

  const shown = useMemo(() => {
    const own = curvesOf(rows.data ?? []);
    const known = knownSeries(own);
    if (comparison === 'nothing' || !otherRows.data) return { known, compared: [] as CurveKey[], data: own };
    // The other day is laid over this one, by the time since its midnight.
    const second = movedBy(curvesOf(otherRows.data), range[0] - startOfDay(other, zone));
    return { known, compared: knownSeries(second).filter((key) => key === 'production' || key === 'consumption'), data: beside(own, second, COMPARED) };
  }, [rows.data, otherRows.data, comparison, range, other, zone]);

  const series = useMemo((): ChartSeries[] => {
    const otherDay = formats.day(other);
    return [
      ...shown.known.map((key) => ({ ...LOOKS[key], key, label: t[key] })),
      ...shown.compared.map((key) => ({ ...LOOKS[key], key: `${key}${COMPARED}`, label: `${t[key]}, ${otherDay}`, dash: COMPARED_DASH })),
    ];
  }, [shown, t, formats, other]);

  if (!rows.data) return rows.error ? <Failed error={rows.error} again={() => void rows.refetch()} /> : <Loading heights={[29]} />;
  return (
    <PowerChart key={series.map(({ key }) => key).join()} title={t.title} of={plantName} series={series} data={shown.data} range={range} zone={zone}>
      <div className={styles.days}>
        <ActionIcon variant="default" size={36} aria-label={t.previous} onClick={() => setChosen(addDays(day, -1))}>
          <LeftIcon />
        </ActionIcon>
        <input
          type="date"
          className={styles.day}
          aria-label={t.day}
          value={day}
          max={today}
          onChange={({ currentTarget: { value } }) => {
            if (/^\d{4}-\d\d-\d\d$/.test(value) && value <= today && value >= '2000-01-01') setChosen(value === today ? undefined : value);
          }}
        />
        <ActionIcon
          variant="default"
          size={36}
          aria-label={t.next}
          disabled={day >= today}
          onClick={() => setChosen(addDays(day, 1) === today ? undefined : addDays(day, 1))}
        >
          <RightIcon />
        </ActionIcon>
        {day !== today && (
          <Button variant="subtle" size="sm" onClick={() => setChosen(undefined)}>
            {t.today}
          </Button>
        )}
      </div>
      <NativeSelect
        aria-label={t.compare}
        value={comparison}
        onChange={({ currentTarget: { value } }) => setComparison(value as Comparison)}
        data={(Object.keys(COMPARISONS) as Comparison[]).map((value) => ({ value, label: `${t.compare}: ${t[value]}` }))}
      />
      <DaySums
        plantId={plantId}
        zone={zone}
        own={{ day, rows: rows.data }}
        other={comparison === 'nothing' || !otherRows.data ? undefined : { day: other, rows: otherRows.data }}
      />
    </PowerChart>
  );
}

const LOOKS: Readonly<Record<CurveKey, Pick<ChartSeries, 'unit' | 'colour' | 'filled' | 'shown'>>> = {
  production: { unit: 'W', colour: '--hp-production', filled: true },
  consumption: { unit: 'W', colour: '--hp-consumption' },
  battery: { unit: 'W', colour: '--hp-battery' },
  grid: { unit: 'W', colour: '--hp-grid' },
  soc: { unit: '%', colour: '--hp-other' },
  irradiance: { unit: 'W/m²', colour: '--hp-warn', shown: false },
};
