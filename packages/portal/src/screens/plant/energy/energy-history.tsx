import { ActionIcon, NativeSelect, SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFormats, type Formats } from '../../../i18n/formats.ts';
import { addDays, beganWithin, localDay } from '../../../i18n/plant-time.ts';
import type { BarSeries } from '../../../parts/charts/bars.ts';
import { EnergyBars } from '../../../parts/charts/energy-bars.tsx';
import { LeftIcon, RightIcon } from '../../../parts/icons.tsx';
import { Failed, Loading } from '../../../parts/states.tsx';
import { texts as shared } from '../../../parts/texts/index.ts';
import { serverNow } from '../../../wire/server-clock.ts';
import { texts } from '../texts/index.ts';
import styles from './energy-history.module.css';
import type { PlantSearch } from '../search.ts';
import { AgainstSelect } from './against-select.tsx';
import { barsOf, figuresOf, type Money } from './bars-of.ts';
import { comparisonOf, otherDayOf, withOthers } from './compared.ts';
import { DayLink } from './day-link.tsx';
import { useEnergyRows } from './energy-rows.ts';
import { PAIRS, type Pair } from './pairs.ts';
import { LENGTHS, neighbourOf, startOf, type Length } from './period.ts';
import type { RecordStart } from './record-start.ts';

/** The amounts of money beside them. */
const AMOUNTS: Readonly<Record<Pair, readonly Money[]>> = {
  produceConsume: ['worth', 'saved', 'sold', 'produced'],
  buySell: ['paid', 'received'],
  battery: [],
};

/** Nobody has readings from before. */
const FIRST_DAY = '2000-12-31';

type Chosen = Pick<PlantSearch, 'day' | 'period' | 'at' | 'show' | 'against'>;

interface EnergyHistoryProps {
  readonly plantId: string;
  readonly plantName: string;
  readonly zone: string;
  readonly currency: string | undefined;
  readonly record: RecordStart | undefined;
  /** What the address says of it. */
  readonly chosen: Chosen;
  readonly onChoose: (chosen: Chosen) => void;
  /** Called with a day that is looked at closely. */
  readonly onDay: (day: string) => void;
}

/** The energies of a plant in the days of a week or month, the months of a year, or all years. */
export function EnergyHistory({
  plantId,
  plantName,
  zone,
  currency,
  record,
  chosen,
  onChoose,
  onDay,
}: EnergyHistoryProps): ReactNode {
  const { bars: t, recordedSince: sinceText } = texts.useTexts();
  const { since } = shared.useTexts();
  const formats = useFormats();
  const today = localDay(serverNow(), zone);
  const { period: length = 'days', show: pair = 'produceConsume' } = chosen;
  // The day of the curve is in the period of the bars, until another period is chosen.
  const around = chosen.at ?? chosen.day;
  const day = around !== undefined && around < today ? around : today;
  const view = (next: Length, nextDay: string): void =>
    onChoose({
      period: next === 'days' ? undefined : next,
      at: nextDay === (chosen.day ?? today) ? undefined : nextDay,
    });
  const { rows, wholes, error, again } = useEnergyRows({ plantId, length, day });
  // All years have none beside them.
  const against = length === 'years' ? undefined : chosen.against;
  const otherDay =
    length !== 'years' && against !== undefined ? otherDayOf(length, day, against) : day;
  const other = useEnergyRows({ plantId, length, day: otherDay });
  if (!rows) return error ? <Failed error={error} again={again} /> : <Loading heights={[26]} />;

  const [month, year, start] = [
    day.slice(0, 7),
    day.slice(0, 4),
    startOf(length === 'years' ? 'months' : length, day),
  ];
  const hasDays = length === 'week' || length === 'days';
  const written = { formats, currency, money: AMOUNTS[pair], t };
  // What began within a period is less than all of it.
  const own = barsOf({ rows, length, day, firstDay: record?.day, ...written }).map((bar) =>
    record && !hasDays && beganWithin(record.day, bar.key)
      ? { ...bar, label: `${bar.label} · ${since(formats.shortDay(record.day))}` }
      : bar,
  );
  const otherBars =
    length === 'years' || against === undefined || !other.rows
      ? undefined
      : barsOf({ rows: other.rows, length, day: otherDay, firstDay: undefined, ...written });
  const bars = otherBars && length !== 'years' ? withOthers(length, own, otherBars) : own;
  // Amounts are those of the period, rounded once: added up, those of its days would be some cents off.
  const total = { ...figuresOf(rows, written), facts: figuresOf(wholes, written).facts };
  const totalName = {
    week: t.totalOfWeek,
    days: t.totalOfMonth,
    months: t.totalOfYear,
    years: t.totalOfAll,
  }[length];
  const isPart =
    record && length !== 'years' && start < record.day && record.day < neighbourOf(length, day, 1);
  const note = [
    rows.some(({ recalculating }) => recalculating) ? t.recalculating : '',
    length === 'years' && record?.hasMoreBefore ? sinceText(formats.day(record.day)) : '',
    pair === 'buySell' && total.facts.length === 0 ? t.withoutPrices : '',
    total.facts.some(({ label }) => label === t.amounts.saved) ? t.savedNote : '',
  ].filter((text) => text !== '');
  // A plant without a meter of its own knows only what it produced.
  const known = PAIRS[pair].filter(
    ([key], i) => i === 0 || bars.some(({ kwh }) => kwh[key] !== undefined),
  );
  const series: BarSeries[] = known.map(([key, colour]) => ({ key, colour, label: t[key] }));
  const pairs = (Object.keys(PAIRS) as Pair[]).filter(
    (one) =>
      one === pair || PAIRS[one].some(([key]) => bars.some(({ kwh }) => kwh[key] !== undefined)),
  );
  const otherName = nameOf(length, otherDay, formats);
  const compared =
    otherBars && length !== 'years'
      ? {
          label: otherName,
          words: comparisonOf({
            length,
            bars,
            others: otherBars,
            series,
            name: otherName,
            day,
            today,
            formats,
            t: t.compared,
          }),
        }
      : undefined;
  const go = (first: string): void =>
    view(length, length !== 'years' && first === startOf(length, today) ? today : first);
  const isOpenable = (key: string): boolean => hasDays && key <= today;
  const open = (key: string, byTouch: boolean): void => {
    // A finger reads the bar, since many of them are narrow; what is read has the link.
    if (hasDays) return isOpenable(key) && !byTouch ? onDay(key) : undefined;
    view(
      length === 'months' ? 'days' : 'months',
      today.startsWith(key) ? today : `${key}-01-01`.slice(0, 10),
    );
  };
  return (
    <EnergyBars
      title={
        {
          week: t.ofWeek(formats.day(start)),
          days: t.ofMonth(formats.month(month)),
          months: t.ofYear(year),
          years: t.ofAll,
        }[length]
      }
      {...(note.length > 0 && { note: note.join(' ') })}
      file={[
        plantName,
        t.title,
        t[pair],
        ...{ week: [start, addDays(start, 6)], days: [month], months: [year], years: [] }[length],
      ]}
      period={{ week: t.day, days: t.day, months: t.month, years: t.year }[length]}
      series={series}
      bars={bars}
      total={{
        ...total,
        label: isPart ? `${totalName} · ${since(formats.shortDay(record.day))}` : totalName,
      }}
      compared={compared}
      onOpen={open}
      more={(key) => isOpenable(key) && <DayLink plantId={plantId} day={key} onFollow={onDay} />}
    >
      <SegmentedControl
        size="sm"
        aria-label={t.view}
        value={length}
        onChange={(value) => view(value, day)}
        data={LENGTHS.map((value) => ({
          value,
          label: t[value],
        }))}
      />
      {length !== 'years' && (
        <div className={styles.steps}>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t.previous[length]}
            disabled={start <= (record?.day ?? FIRST_DAY)}
            onClick={() => go(neighbourOf(length, day, -1))}
          >
            <LeftIcon />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t.next[length]}
            disabled={start >= startOf(length, today)}
            onClick={() => go(neighbourOf(length, day, 1))}
          >
            <RightIcon />
          </ActionIcon>
        </div>
      )}
      {length !== 'years' && (
        <AgainstSelect
          value={against}
          day={otherDayOf(length, day, 'yearBefore')}
          last={today}
          onChange={(next) => onChoose({ against: next })}
        />
      )}
      {pairs.length > 1 && (
        <NativeSelect
          aria-label={t.quantities}
          value={pair}
          onChange={({ currentTarget: { value } }) =>
            onChoose({ show: value === 'produceConsume' ? undefined : (value as Pair) })
          }
          data={pairs.map((value) => ({ value, label: t[value] }))}
        />
      )}
    </EnergyBars>
  );
}

/** A week, a month or a year by its name. */
const nameOf = (length: Length, day: string, formats: Formats): string =>
  length === 'week'
    ? formats.day(startOf(length, day))
    : length === 'days'
      ? formats.month(day.slice(0, 7))
      : day.slice(0, 4);
