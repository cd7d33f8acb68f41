import { isDisconnected } from '@helioport/contract/plant-connection';
import { Link } from '@tanstack/react-router';
import type { WireData } from '@helioport/contract';
import type { ReactNode } from 'react';
import { Actions } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { CheckIcon, WarningIcon } from '../../parts/icons.tsx';
import { connectionIn, useConnectionWords } from '../../parts/plants/connection.ts';
import type { Plant } from './plant-columns.tsx';
import { RANKING_PAGE_SIZE, useRanking } from './use-ranking.ts';
import { texts } from './texts/index.ts';
import styles from './verdict.module.css';

/** The plants that are named; the list has the others. */
const NAMED = 3;

/** Whether somebody has taken on all alarms of a plant. */
const isInHand = ({ state, alarmCount }: Plant): boolean => state === 'alarm' && alarmCount === 0;

/** Whether all is well, in one line before anything else: which plants need somebody, and which do not report. */
export function Verdict({
  overview,
}: {
  readonly overview: WireData<'plant/overview'>;
}): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { plants = 0, alarm = 0, offline = 0, online = 0, disconnected = 0 } = overview;
  const wordsOf = useConnectionWords();
  // Asked for by the list too.
  const { data: page } = useRanking({}, plants <= RANKING_PAGE_SIZE);
  if (plants < 2 || alarm + offline + online === 0) return null;
  if (alarm + disconnected === 0) {
    return (
      <p className={styles.verdict} data-well>
        <CheckIcon size={18} />
        {t.allWell}
      </p>
    );
  }
  const named = plants <= RANKING_PAGE_SIZE ? (page?.records ?? []) : [];
  const inHand = named.filter((plant) => isInHand(plant));
  const waiting = named.filter((plant) => plant.state === 'alarm' && !isInHand(plant));
  const silent = named.filter(({ connection }) => isDisconnected(connection ?? 'live'));
  return (
    <div className={styles.verdict} data-alarm={alarm > inHand.length || undefined}>
      <WarningIcon size={18} />
      <Actions component="ul">
        {(
          [
            ['alarm', 'alarm', alarm - inHand.length, waiting],
            ['inHand', 'alarm', inHand.length, inHand],
            ['offline', 'offline', disconnected, silent],
          ] as const
        ).map(
          ([what, state, count, these]) =>
            count > 0 && (
              <Actions key={what} component="li">
                <strong>{t.need[what](count, formats.number(count, 0))}</strong>{' '}
                {these.slice(0, NAMED).map((plant) => (
                  <Actions key={plant.id} component="span">
                    <Link to="/plants/$id" params={{ id: plant.id! }}>
                      <bdi>{plant.name}</bdi>
                    </Link>
                    {what === 'offline' && (
                      <span>{wordsOf(connectionIn(plant, plant.timeZone ?? 'UTC'))?.what}</span>
                    )}
                  </Actions>
                ))}
                {(named.length === 0 || count > NAMED) && (
                  <Link to="/" search={{ state }}>
                    {t.showThem}
                  </Link>
                )}
              </Actions>
            ),
        )}
      </Actions>
    </div>
  );
}
