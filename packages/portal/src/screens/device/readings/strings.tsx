import type { ReactNode } from 'react';
import { Card, Note } from '../../../components/layout.tsx';
import { useFormats } from '../../../i18n/formats.ts';
import { WarningIcon } from '../../../parts/icons.tsx';
import { texts } from '../texts/index.ts';
import { readingText } from './figure.ts';
import { belowOthersPercent, COMPARED_FROM_W, strongestW, type Numbered } from './numbered.ts';
import styles from './readings.module.css';
import { useGoodSun } from './use-good-sun.ts';

interface StringsProps {
  /** The inverter's id, and how many strings it has. */
  readonly id: string;
  readonly inputs: number | undefined;
  /** As they are now. */
  readonly strings: readonly Numbered[];
  readonly zone: string;
}

/** The strings of an inverter side by side: a bar each, and a word where one gives less than the others. Without sun they are shown as they last were with it. */
export function Strings({ id, inputs, strings: present, zone }: StringsProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const isDark = strongestW(present) < COMPARED_FROM_W;
  const sunny = useGoodSun({ id, inputs, zone, isWanted: isDark });
  const strings = sunny?.strings ?? present;
  const strongest = Math.max(1, strongestW(strings));
  return (
    <Card style={{ gridColumn: '1 / -1' }}>
      <h2>{t.strings}</h2>
      <Note>
        {sunny
          ? t.stringsThen(formats.dateTime(sunny.at, zone))
          : isDark
            ? t.stringsDark
            : t.stringsLead}
      </Note>
      <ul className={styles.strings}>
        {strings.map((string) => {
          const { number, voltageV, currentA, powerW } = string;
          const below = belowOthersPercent(strings, string);
          return (
            <li key={number} data-odd={below !== undefined || undefined}>
              <strong>{t.string(number)}</strong>
              <svg
                className={styles.bar}
                viewBox="0 0 100 10"
                preserveAspectRatio="none"
                aria-hidden="true"
              >
                <rect width="100" height="10" className={styles.track} />
                <rect
                  width={(100 * (powerW ?? 0)) / strongest}
                  height="10"
                  className={styles.fill}
                />
              </svg>
              <span className={styles.power}>{readingText(formats, powerW, 'W')}</span>
              <span className={styles.details}>
                {readingText(formats, voltageV, 'V')} · {readingText(formats, currentA, 'A')}
              </span>
              {below !== undefined && (
                <span className={styles.odd}>
                  <WarningIcon size={16} />
                  {below >= 100 ? t.nothing : t.ofOthers(formats.number(100 - below, 0))}
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
