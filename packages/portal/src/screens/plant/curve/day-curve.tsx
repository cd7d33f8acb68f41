import { ActionIcon, Button, NativeSelect } from '@mantine/core';
import { useMemo, type ReactNode } from 'react';
import { useFormats } from '../../../i18n/formats.ts';
import { addDays, localDay, startOfDay } from '../../../i18n/plant-time.ts';
import {
  EARLIER_DAYS,
  isEarlierDay,
  movedBy,
  type EarlierDay,
} from '../../../parts/charts/earlier-days.ts';
import { COMPARED, COMPARED_DASH } from '../../../parts/charts/plot.ts';
import { PowerChart } from '../../../parts/charts/power-chart.tsx';
import { mergeOnOneAxis, type ChartSeries } from '../../../parts/charts/series.ts';
import { DateTimeField } from '../../../parts/forms/date-time-field.tsx';
import { LeftIcon, RightIcon } from '../../../parts/icons.tsx';
import { Failed, Loading } from '../../../parts/states.tsx';
import { useOperation } from '../../../wire/queries.ts';
import { serverNow } from '../../../wire/server-clock.ts';
import type { PlantSearch } from '../search.ts';
import { texts } from '../texts/index.ts';
import styles from './day-curve.module.css';
import { DaySums } from './day-sums.tsx';
import { curvesOf, knownSeries, type CurveKey } from './curves.ts';
import { EXPECTED, withExpected } from './expected.ts';

const COMPARISONS = [
  'nothing',
  ...(Object.keys(EARLIER_DAYS) as EarlierDay[]),
  'anotherDay',
] as const;

type Comparison = (typeof COMPARISONS)[number];

/** What is worth comparing: more curves of two days would hide each other. */
const COMPARABLE: ReadonlySet<CurveKey> = new Set(['production', 'consumption', 'irradiance']);

const FIRST_DAY = '2000-01-01';
const NOTHING = { times: [], values: {}, dayKwh: {} };
const isDay = (text: string, last: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && text >= FIRST_DAY && text <= last;

interface DayCurveProps {
  readonly plantId: string;
  readonly plantName: string;
  readonly zone: string;
  /** What the address says of it. Without a day: today, also after midnight. */
  readonly chosen: Pick<PlantSearch, 'day' | 'compare'>;
  readonly onChoose: (chosen: Pick<PlantSearch, 'day' | 'compare'>) => void;
}

/** The powers of a plant on one of its days, beside those of another day if wanted. */
export function DayCurve({ plantId, plantName, zone, chosen, onChoose }: DayCurveProps): ReactNode {
  const t = texts.useTexts().curve;
  const formats = useFormats();
  const today = localDay(serverNow(), zone);
  // The day that a day is compared with is over: whole days are compared with whole ones, and today with as much of the other.
  const yesterday = addDays(today, -1);
  const { compare } = chosen;
  const comparison: Comparison =
    compare === undefined
      ? 'nothing'
      : (COMPARISONS.find((one) => one === compare) ?? 'anotherDay');
  const day = chosen.day !== undefined && isDay(chosen.day, today) ? chosen.day : today;
  const choose = (next: string): void =>
    onChoose({ day: next === today ? undefined : next, compare });
  const other =
    compare === undefined
      ? day
      : isEarlierDay(compare)
        ? addDays(day, -EARLIER_DAYS[compare])
        : compare;
  const curves = useOperation('plant/day', { plantId, day }, { keepPrevious: true });
  const expected = useOperation('performance/day', { plantId, day }, { keepPrevious: true });
  const otherCurves = useOperation(
    'plant/day',
    { plantId, day: other },
    { enabled: comparison !== 'nothing', keepPrevious: true },
  );
  // While those of another day are asked for, the curves of the previous one stay, but nothing is said of them.
  const isOtherKnown =
    comparison !== 'nothing' && otherCurves.data !== undefined && !otherCurves.isPlaceholderData;
  const range = useMemo(
    () => [startOfDay(day, zone), startOfDay(addDays(day, 1), zone)] as const,
    [day, zone],
  );

  const shown = useMemo(() => {
    const known = knownSeries(curvesOf(curves.data ?? NOTHING));
    const own = withExpected(
      curvesOf(curves.data ?? NOTHING),
      expected.isPlaceholderData ? undefined : expected.data,
    );
    if (comparison === 'nothing' || !otherCurves.data)
      return { known, compared: [] as CurveKey[], data: own };
    // The other day is laid over this one, by the time since its midnight.
    const second = movedBy(curvesOf(otherCurves.data), range[0] - startOfDay(other, zone));
    const compared =
      second.times.length === 0 ? [] : knownSeries(second).filter((key) => COMPARABLE.has(key));
    return { known, compared, data: mergeOnOneAxis(own, second, COMPARED) };
  }, [
    curves.data,
    expected.data,
    expected.isPlaceholderData,
    otherCurves.data,
    comparison,
    range,
    other,
    zone,
  ]);

  const series = useMemo((): ChartSeries[] => {
    const otherDay = formats.day(other);
    return [
      ...shown.known.map((key) => ({
        ...LOOKS[key],
        key,
        label: t[key],
        ...(key in t.signed && { name: t.signed[key as keyof typeof t.signed] }),
      })),
      ...(EXPECTED.middle in shown.data.values
        ? [
            {
              key: EXPECTED.middle,
              label: t.expected,
              unit: 'W',
              colour: '--hp-text',
              dash: [2, 4],
              band: [EXPECTED.low, EXPECTED.high] as const,
            },
          ]
        : []),
      ...shown.compared.map((key) => ({
        ...LOOKS[key],
        // Over the filled area of this day, a line of the same colour cannot be seen.
        ...(LOOKS[key].filled && { colour: '--hp-text' }),
        key: `${key}${COMPARED}`,
        label: `${t[key]}, ${otherDay}`,
        dash: COMPARED_DASH,
        shown: key === 'production',
      })),
    ];
  }, [shown, t, formats, other]);

  if (!curves.data)
    return curves.error ? (
      <Failed error={curves.error} again={() => void curves.refetch()} />
    ) : (
      <Loading heights={[29]} />
    );
  return (
    <PowerChart
      title={t.title}
      of={plantName}
      series={series}
      data={shown.data}
      range={range}
      zone={zone}
      {...(shown.known.some((key) => key in t.signed) && { note: t.signs })}
    >
      <div className={styles.days}>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={t.previous}
          onClick={() => choose(addDays(day, -1))}
        >
          <LeftIcon />
        </ActionIcon>
        <DayField label={t.day} value={day} max={today} onChange={choose} />
        <ActionIcon
          variant="default"
          size={36}
          aria-label={t.next}
          disabled={day >= today}
          onClick={() => choose(addDays(day, 1))}
        >
          <RightIcon />
        </ActionIcon>
        {day !== today && (
          <Button variant="subtle" size="sm" onClick={() => choose(today)}>
            {t.today}
          </Button>
        )}
      </div>
      <NativeSelect
        aria-label={t.compare}
        value={comparison}
        onChange={({ currentTarget: { value } }) => {
          const another = other === day ? addDays(day, -1) : other;
          onChoose({
            day: chosen.day,
            compare: value === 'nothing' ? undefined : value === 'anotherDay' ? another : value,
          });
        }}
        data={COMPARISONS.map((value) => ({ value, label: `${t.compare}: ${t[value]}` }))}
      />
      {comparison === 'anotherDay' && (
        <DayField
          label={t.comparedDay}
          value={other}
          min={FIRST_DAY}
          max={yesterday}
          onChange={(another) => onChoose({ day: chosen.day, compare: another })}
        />
      )}
      <DaySums
        plantId={plantId}
        zone={zone}
        own={{ day, curves: curves.data }}
        other={isOtherKnown ? { day: other, curves: otherCurves.data } : undefined}
      />
    </PowerChart>
  );
}

interface DayFieldProps {
  readonly label: string;
  readonly value: string;
  readonly min?: string;
  readonly max: string;
  readonly onChange: (day: string) => void;
}

/** A local day to choose; what is no day, or one out of bounds, is not passed on. */
function DayField({ label, value, min, max, onChange }: DayFieldProps): ReactNode {
  return (
    <DateTimeField
      type="date"
      aria-label={label}
      value={value}
      min={min}
      max={max}
      onChange={({ currentTarget }) =>
        isDay(currentTarget.value, max) && onChange(currentTarget.value)
      }
    />
  );
}

const LOOKS: Readonly<Record<CurveKey, Pick<ChartSeries, 'unit' | 'colour' | 'filled' | 'shown'>>> =
  {
    production: { unit: 'W', colour: '--hp-production', filled: true },
    consumption: { unit: 'W', colour: '--hp-consumption' },
    battery: { unit: 'W', colour: '--hp-battery' },
    grid: { unit: 'W', colour: '--hp-grid' },
    soc: { unit: '%', colour: '--hp-other' },
    irradiance: { unit: 'W/m²', colour: '--hp-warn', shown: false },
  };
