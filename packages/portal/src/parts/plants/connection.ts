import { isDisconnected, type PlantConnection } from '@helioport/contract/plant-connection';
import { useCallback } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { localDay } from '../../i18n/plant-time.ts';
import { serverNow } from '../../wire/server-clock.ts';
import type { BadgeState } from '../state-badge.tsx';
import { texts } from '../texts/index.ts';

/** How a plant is connected, as the server has decided. */
export interface Connected {
  readonly connection: PlantConnection;
  /** When its power was measured last, ms since 1970 UTC; undefined = never. */
  readonly measuredAt: number | undefined;
  /** The plant's. */
  readonly zone: string;
}

/** What is said of a plant whose figures are not of this moment, wherever it is shown. */
export interface ConnectionWords {
  /** One sentence: what is the matter, and since when. */
  readonly what: string;
  /** What to do about it, if anything is to be done. */
  readonly advice: string | undefined;
  /** `as of 21:35`, for figures; undefined if there are none. */
  readonly asOf: string | undefined;
}

/** Reads the words of an answer. */
export const connectionIn = (
  answer: { readonly connection?: PlantConnection; readonly measuredAt?: number },
  zone: string,
): Connected => ({
  connection: answer.connection ?? 'live',
  measuredAt: answer.measuredAt,
  zone,
});

export const isLive = ({ connection }: Pick<Connected, 'connection'>): boolean =>
  connection === 'live';

/** The state that is shown: a plant of which nothing but its collector reports is not online. */
export const stateWith = (state: BadgeState, connection: PlantConnection = 'live'): BadgeState =>
  state === 'online' && isDisconnected(connection) ? 'offline' : state;

/** Puts a plant's connection in words; undefined while its figures are of this moment. */
export function useConnectionWords(): (plant: Connected) => ConnectionWords | undefined {
  const { connection: t } = texts.useTexts();
  const formats = useFormats();
  return useCallback(
    ({ connection, measuredAt, zone }: Connected) => {
      if (connection === 'live') return undefined;
      const isToday =
        measuredAt !== undefined && localDay(measuredAt, zone) === localDay(serverNow(), zone);
      const time =
        measuredAt === undefined
          ? undefined
          : isToday
            ? formats.time(measuredAt, zone)
            : formats.dateTime(measuredAt, zone);
      return {
        what: time === undefined ? t.never[connection] : t.since[connection](time),
        advice: t.advice[connection],
        asOf: time === undefined ? undefined : t.asOf(time),
      };
    },
    [t, formats],
  );
}
