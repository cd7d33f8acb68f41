import { ActionIcon, NativeSelect } from '@mantine/core';
import { useMemo, type ReactNode } from 'react';
import { Soft } from '../../../components/layout.tsx';
import { DateTimeField } from '../../../parts/forms/date-time-field.tsx';
import { useFormats } from '../../../i18n/formats.ts';
import { addDays, localDay, startOfDay } from '../../../i18n/plant-time.ts';
import { EARLIER_DAYS, isEarlierDay, movedBy } from '../../../parts/charts/earlier-days.ts';
import { COMPARED, COMPARED_DASH } from '../../../parts/charts/plot.ts';
import { PowerChart } from '../../../parts/charts/power-chart.tsx';
import { mergeOnOneAxis, type ChartSeries } from '../../../parts/charts/series.ts';
import { LeftIcon, RightIcon } from '../../../parts/icons.tsx';
import { Empty, Failed, Loading } from '../../../parts/states.tsx';
import { serverNow } from '../../../wire/server-clock.ts';
import { texts } from '../texts/index.ts';
import { CompareSelect } from './compare-select.tsx';
import {
  measuredCurves,
  historyQuantities,
  type HistoryCurve,
  type HistoryQuantity,
} from './curves.ts';
import styles from './history.module.css';
import type { Device } from '../device.ts';
import { useDeviceSearch } from '../use-device-search.ts';
import { useOthers } from './use-others.ts';
import { deadStrings } from './dead-strings.ts';
import { useDayReadings } from './use-day-readings.ts';

const COLOURS = [
  '--hp-production',
  '--hp-consumption',
  '--hp-battery',
  '--hp-grid',
  '--hp-import',
  '--hp-other',
  '--hp-teal',
  '--hp-pink',
];
/** Strings and phases often coincide: of these, px, the later ones are thinner, so that what lies below stays visible. Dashes are for what is compared. */
const WIDTHS = [5, 3.5, 2.25, 1.25];
/** Strings and phases of two days or two devices, at most this many; more could not be distinguished. */
const MOST_COMPARED = 4;
const FIRST_DAY = '2000-01-01';
const isDay = (text: string, last: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && text >= FIRST_DAY && text <= last;

interface HistoryProps {
  readonly device: Device;
  readonly zone: string;
}

/** The readings of a device over a day of its plant, one quantity at a time, on its own, or beside an earlier day or another device of its kind. */
export function History({ device, zone }: HistoryProps): ReactNode {
  const { kind, id, sn } = device;
  const t = texts.useTexts();
  const formats = useFormats();
  const today = localDay(serverNow(), zone);
  const [search, choose] = useDeviceSearch();
  const { quantity: chosen, compare } = search;
  const day = search.day !== undefined && search.day < today ? search.day : today;
  const others = useOthers(device.plant.id, kind, id);
  const compared =
    compare === undefined || isEarlierDay(compare)
      ? compare
      : others.find((one) => one.id === compare);
  const { readings, error, refetch } = useDayReadings(device, id, day);
  const otherDay = typeof compared === 'string' ? addDays(day, -EARLIER_DAYS[compared]) : day;
  const { readings: otherReadings } = useDayReadings(
    device,
    typeof compared === 'object' ? compared.id : compared && id,
    otherDay,
  );
  const data = useMemo(() => {
    // The other day is laid over this one, by the time since its midnight.
    const shiftMs = startOfDay(day, zone) - startOfDay(otherDay, zone);
    return readings && otherReadings
      ? mergeOnOneAxis(readings, movedBy(otherReadings, shiftMs), COMPARED)
      : readings;
  }, [readings, otherReadings, day, otherDay, zone]);
  const dead = useMemo(() => (readings ? deadStrings(readings) : new Set<number>()), [readings]);
  if (!readings && error) return <Failed error={error} again={refetch} />;

  const isMeasured = (quantity: HistoryQuantity): boolean =>
    readings !== undefined && measuredCurves(quantity, readings).length > 0;
  // What was chosen stays so on days that have nothing of it, and while a day is loading.
  const offered = historyQuantities.filter((one) => one.name === chosen || isMeasured(one));
  const quantity = offered.find(({ name }) => name === chosen) ?? offered[0];
  const nameOf = ({ name }: HistoryCurve): string =>
    typeof name !== 'string'
      ? t[name.of](name.number)
      : t.readings[name === 'gridPower' && kind === 'ammeter' ? 'meterPower' : name];
  const noteOf = ({ key, name }: HistoryCurve): string | undefined => {
    if (typeof name === 'string' || name.of !== 'string' || !dead.has(name.number))
      return undefined;
    return readings?.values[key]?.some((value) => value != null) ? t.deadString : t.silentString;
  };
  const curves = quantity && readings ? measuredCurves(quantity, readings) : [];
  const colourOf = (i: number): string => COLOURS[i % COLOURS.length]!;
  const isNumbered = curves.some(({ name }) => typeof name !== 'string');
  const isComparable = !isNumbered || curves.length <= MOST_COMPARED;
  // Beyond the colours, the widths begin with another one, so that no curve is like another.
  const widthOf = (i: number): Pick<ChartSeries, 'width'> =>
    isNumbered && curves.length > 1
      ? { width: WIDTHS[(i + Math.floor(i / COLOURS.length)) % WIDTHS.length]! }
      : {};
  // What is the same on another day has the same colour; the curves of another device have their own, as far as there are any.
  const firstOfOther =
    typeof compared === 'object' && 2 * curves.length <= COLOURS.length ? curves.length : 0;
  const comparedName =
    typeof compared === 'object' ? compared.name || compared.sn || '' : formats.day(otherDay);
  const otherCurves =
    compared && otherReadings && isComparable
      ? curves.flatMap((curve, i): ChartSeries[] =>
          otherReadings.values[curve.key]?.some((value) => value != null)
            ? [
                {
                  key: curve.key + COMPARED,
                  label: `${nameOf(curve)}, ${comparedName}`,
                  unit: curve.unit,
                  colour: colourOf(firstOfOther + i),
                  dash: COMPARED_DASH,
                  ...widthOf(i),
                },
              ]
            : [],
        )
      : [];
  const own = curves.map((curve, i): ChartSeries => ({
    key: curve.key,
    label: nameOf(curve),
    unit: curve.unit,
    colour: colourOf(i),
    filled: curves.length === 1 || curve.key === 'acPowerW',
    warning: noteOf(curve),
    ...widthOf(i),
  }));
  const chooseDay = (next: string): void => {
    if (isDay(next, today)) choose({ day: next === today ? undefined : next });
  };
  return (
    <>
      <div className={styles.controls}>
        <NativeSelect
          label={t.quantity}
          value={quantity?.name ?? ''}
          data={offered.map(({ name }) => ({ value: name, label: t.curves[name] }))}
          disabled={offered.length === 0}
          onChange={(event) => choose({ quantity: event.currentTarget.value })}
        />
        <CompareSelect
          others={others}
          value={compared === undefined ? undefined : compare}
          isPossible={isComparable}
          onChange={(next) => choose({ compare: next })}
        />
        <div className={styles.day}>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t.previousDay}
            onClick={() => chooseDay(addDays(day, -1))}
          >
            <LeftIcon />
          </ActionIcon>
          <DateTimeField
            type="date"
            label={t.day}
            value={day}
            min={FIRST_DAY}
            max={today}
            onChange={(event) => chooseDay(event.currentTarget.value)}
          />
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t.nextDay}
            disabled={day >= today}
            onClick={() => chooseDay(addDays(day, 1))}
          >
            <RightIcon />
          </ActionIcon>
        </div>
      </div>
      {compared &&
        otherReadings &&
        isComparable &&
        curves.length > 0 &&
        otherCurves.length === 0 && <Soft>{t.notMeasured(comparedName)}</Soft>}
      {data && quantity && isMeasured(quantity) ? (
        <PowerChart
          key={[quantity.name, ...otherCurves.map(({ key }) => key)].join()}
          title={t.curves[quantity.name]}
          of={sn}
          series={[...own, ...otherCurves]}
          data={data}
          range={[startOfDay(day, zone), startOfDay(addDays(day, 1), zone)]}
          zone={zone}
        />
      ) : readings ? (
        <Empty title={quantity ? t.notMeasured(t.curves[quantity.name]) : t.noHistory} />
      ) : (
        <Loading />
      )}
    </>
  );
}
