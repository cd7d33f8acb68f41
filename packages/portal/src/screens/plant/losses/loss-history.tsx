import type { ReactNode } from 'react';
import { More, Section, Soft } from '../../../components/layout.tsx';
import { useFormats } from '../../../i18n/formats.ts';
import { localDay } from '../../../i18n/plant-time.ts';
import { EnergyBars } from '../../../parts/charts/energy-bars.tsx';
import { figureText } from '../../../parts/charts/figure-text.ts';
import { CAUSE_COLOURS } from '../../../parts/losses/cause-colours.ts';
import { texts as lossTexts } from '../../../parts/losses/texts/index.ts';
import { useLossWords } from '../../../parts/losses/use-loss-words.ts';
import { useWide } from '../../../parts/use-wide.ts';
import { useOperation } from '../../../wire/queries.ts';
import { serverNow } from '../../../wire/server-clock.ts';
import type { PlantSearch } from '../search.ts';
import { texts } from '../texts/index.ts';
import { CAUSES, lossBarsOf, lossFiguresOf, namedLosses } from './loss-bars.ts';
import styles from './loss-history.module.css';

interface LossHistoryProps {
  readonly plantId: string;
  readonly plantName: string;
  readonly zone: string;
  /** The period of the energies: its month or its year. */
  readonly chosen: Pick<PlantSearch, 'day' | 'period' | 'at'>;
  readonly onChoose: (chosen: Pick<PlantSearch, 'period' | 'at'>) => void;
  /** Called with a day that is looked at closely. */
  readonly onDay: (day: string) => void;
}

/** What a plant lost in a month or year, by cause; nothing where nothing can be expected of it. */
export function LossHistory({
  plantId,
  plantName,
  zone,
  chosen,
  onChoose,
  onDay,
}: LossHistoryProps): ReactNode {
  const { losses: t, bars: energyTexts } = texts.useTexts();
  const { causes, days: daysText } = lossTexts.useTexts();
  const formats = useFormats();
  const words = useLossWords();
  const isWide = useWide();
  const today = localDay(serverNow(), zone);
  const around = chosen.at ?? chosen.day ?? today;
  const each = chosen.period === 'months' || chosen.period === 'years' ? 'month' : 'day';
  const [month, year] = [around.slice(0, 7), around.slice(0, 4)];
  const { data: rows = [] } = useOperation(
    'performance/losses',
    each === 'day' ? { plantId, each, month } : { plantId, each, year },
    { keepPrevious: true },
  );
  if (!rows.some(({ lostKwh }) => lostKwh !== undefined)) return null;
  const written = { formats, lost: t.lost };
  const total = lossFiguresOf(rows, written);
  const present = CAUSES.filter((cause) => total.kwh[cause] !== undefined);
  const title = each === 'day' ? t.ofMonth(formats.month(month)) : t.ofYear(year);
  const pending = rows.reduce((sum, { pendingDays = 0 }) => sum + pendingDays, 0);
  const off = formats.percent(Math.max(...rows.map((row) => row.uncertaintyPercent ?? 0)));
  const note = [
    t.off(`${off.value} ${off.unit}`),
    pending > 0 ? t.pending(pending, formats.number(pending, 0)) : '',
  ];
  const named = namedLosses(rows);
  return (
    <More open={isWide} className={styles.losses} data-figure="losses">
      <summary>{title}</summary>
      <Section component="div">
        <EnergyBars
          title={title}
          note={note.join(' ').trim()}
          file={[plantName, t.title, each === 'day' ? month : year]}
          period={each === 'day' ? energyTexts.day : energyTexts.month}
          series={[
            { key: 'produced', label: t.produced, colour: '--hp-production' },
            ...present.map((cause) => ({
              key: cause,
              label: causes[cause],
              colour: CAUSE_COLOURS[cause],
            })),
          ]}
          bars={lossBarsOf(rows, each, written)}
          isStacked
          total={{
            ...total,
            label: each === 'day' ? energyTexts.totalOfMonth : energyTexts.totalOfYear,
          }}
          onOpen={(key, byTouch) => {
            if (each === 'month') onChoose({ period: undefined, at: `${key}-01` });
            else if (!byTouch) onDay(key);
          }}
          more={() => null}
        />
        {named.length === 0 ? (
          <Soft>{t.none}</Soft>
        ) : (
          <ul className={styles.list}>
            {named.map((loss) => (
              <li key={`${loss.cause} ${loss.sn ?? ''}`}>
                <strong>{causes[loss.cause]}</strong>
                <span>
                  {figureText(formats, loss.kwh, 'kWh')}
                  {loss.amount !== undefined &&
                    ` · ${formats.money(loss.amount, rows[0]!.currency)}`}
                  {` · ${daysText(loss.days, formats.number(loss.days, 0))}`}
                </span>
                <Soft component="bdi">{words(loss, zone)}</Soft>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </More>
  );
}
