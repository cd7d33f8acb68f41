import { ActionIcon, NativeSelect, SegmentedControl } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useFormats } from '../../../i18n/formats.ts';
import { addMonths, beganWithin, localDay } from '../../../i18n/plant-time.ts';
import { EnergyBars, type BarSeries } from '../../../parts/charts/energy-bars.tsx';
import { LeftIcon, RightIcon } from '../../../parts/icons.tsx';
import { Failed, Loading } from '../../../parts/states.tsx';
import { texts as shared } from '../../../parts/texts/index.ts';
import { serverNow } from '../../../wire/server-clock.ts';
import { texts } from '../texts/index.ts';
import { barsOf, figuresOf, type Energy, type Money } from './bars-of.ts';
import { useEnergyRows, type Length } from './energy-rows.ts';
import type { RecordStart } from './use-record-start.ts';

type Pair = 'produceConsume' | 'buySell' | 'battery';

const PAIRS: Readonly<Record<Pair, readonly (readonly [Energy, string])[]>> = {
  produceConsume: [
    ['produced', '--hp-production'],
    ['consumed', '--hp-consumption'],
  ],
  buySell: [
    ['bought', '--hp-import'],
    ['sold', '--hp-grid'],
  ],
  battery: [
    ['charged', '--hp-battery'],
    ['discharged', '--hp-other'],
  ],
};

/** The amounts of money beside them. */
const AMOUNTS: Readonly<Record<Pair, readonly Money[]>> = { produceConsume: ['earned'], buySell: ['paid', 'received'], battery: [] };

/** Nobody has readings from before. */
const FIRST_MONTH = '2000-12';

interface EnergyHistoryProps {
  readonly plantId: string;
  readonly plantName: string;
  readonly zone: string;
  readonly currency: string | undefined;
  readonly record: RecordStart | undefined;
}

/** The energies of a plant in the days of a month, the months of a year, or all years. */
export function EnergyHistory({ plantId, plantName, zone, currency, record }: EnergyHistoryProps): ReactNode {
  const { bars: t, recordedSince: sinceText } = texts.useTexts();
  const { since } = shared.useTexts();
  const formats = useFormats();
  const thisMonth = localDay(serverNow(), zone).slice(0, 7);
  const [length, setLength] = useState<Length>('days');
  const [month, setMonth] = useState(thisMonth);
  const [pair, setPair] = useState<Pair>('produceConsume');
  const year = month.slice(0, 4);
  const { rows, wholes, error, again } = useEnergyRows({ plantId, length, month });
  if (!rows) return error ? <Failed error={error} again={again} /> : <Loading heights={[26]} />;

  const written = { formats, currency, money: AMOUNTS[pair].map((key) => [key, t[key]] as const) };
  // What began within a period is less than all of it.
  const bars = barsOf({ rows, length, month, ...written }).map((bar) =>
    record && length !== 'days' && beganWithin(record.day, bar.key) ? { ...bar, label: `${bar.label} · ${since(formats.shortDay(record.day))}` } : bar,
  );
  // Amounts are those of the period, rounded once: added up, those of its days would be some cents off.
  const total = { ...figuresOf(rows, written), facts: figuresOf(wholes, written).facts };
  const totalName = { days: t.totalOfMonth, months: t.totalOfYear, years: t.totalOfAll }[length];
  const isPart = record && length !== 'years' && beganWithin(record.day, length === 'days' ? month : year);
  const note = [
    length === 'years' && record?.hasMoreBefore ? sinceText(formats.day(record.day)) : '',
    pair === 'buySell' && total.facts.length === 0 ? t.withoutPrices : '',
  ].filter((text) => text !== '');
  // A plant without a meter of its own knows only what it produced.
  const known = PAIRS[pair].filter(([key], i) => i === 0 || bars.some(({ kwh }) => kwh[key] !== undefined));
  const series: BarSeries[] = known.map(([key, colour]) => ({ key, colour, label: t[key] }));
  const pairs = (Object.keys(PAIRS) as Pair[]).filter((one) => one === pair || PAIRS[one].some(([key]) => bars.some(({ kwh }) => kwh[key] !== undefined)));
  const step = length === 'days' ? 1 : 12;
  const later = addMonths(month, step);
  // Before the record, there is nothing.
  const isFirst = record !== undefined && (length === 'days' ? record.day.slice(0, 7) >= month : record.day.slice(0, 4) >= year);
  const open = (key: string): void => {
    if (length === 'days') return;
    setMonth(length === 'months' ? key : `${key}-${month.slice(5)}` > thisMonth ? thisMonth : `${key}-${month.slice(5)}`);
    setLength(length === 'months' ? 'days' : 'months');
  };
  return (
    <EnergyBars
      title={{ days: t.ofMonth(formats.month(month)), months: t.ofYear(year), years: t.ofAll }[length]}
      {...(note.length > 0 && { note: note.join(' ') })}
      file={[plantName, t.title, t[pair], ...{ days: [month], months: [year], years: [] }[length]]}
      period={{ days: t.day, months: t.month, years: t.year }[length]}
      series={series}
      bars={bars}
      total={{ ...total, label: isPart ? `${totalName} · ${since(formats.shortDay(record.day))}` : totalName }}
      onOpen={open}
    >
      <SegmentedControl
        size="sm"
        aria-label={t.view}
        value={length}
        onChange={(value) => setLength(value)}
        data={[
          { value: 'days', label: t.days },
          { value: 'months', label: t.months },
          { value: 'years', label: t.years },
        ]}
      />
      {length !== 'years' && (
        <>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t.previous}
            disabled={month <= FIRST_MONTH || isFirst}
            onClick={() => setMonth(addMonths(month, -step))}
          >
            <LeftIcon />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t.next}
            disabled={length === 'days' ? month >= thisMonth : year >= thisMonth.slice(0, 4)}
            onClick={() => setMonth(later > thisMonth ? thisMonth : later)}
          >
            <RightIcon />
          </ActionIcon>
        </>
      )}
      {pairs.length > 1 && (
        <NativeSelect
          aria-label={t.quantities}
          value={pair}
          onChange={({ currentTarget: { value } }) => setPair(value as Pair)}
          data={pairs.map((value) => ({ value, label: t[value] }))}
        />
      )}
    </EnergyBars>
  );
}
