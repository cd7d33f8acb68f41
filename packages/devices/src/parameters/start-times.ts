import type { StartTimesForm } from '../profiles/profile.ts';

const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;

/** Reads times of the day, `HH:mm,HH:mm,...`, as minutes; undefined unless there are as many as the form has, each later than the one before. */
export function startMinutes(
  { count, stepMinutes }: StartTimesForm,
  text: string,
): number[] | undefined {
  const minutes = text.split(',').map((time) => {
    const [, hour, minute] = TIME.exec(time.trim()) ?? [];
    return hour === undefined ? Number.NaN : Number(hour) * 60 + Number(minute);
  });
  const isFit = minutes.every(
    (one, i) => one % stepMinutes === 0 && (i === 0 || one > minutes[i - 1]!),
  );
  return isFit && minutes.length === count ? minutes : undefined;
}

const two = (number: number): string => String(number).padStart(2, '0');

/** @param minutes of the day */
export const startTimesText = (minutes: readonly number[]): string =>
  minutes.map((one) => `${two(Math.floor(one / 60))}:${two(one % 60)}`).join(',');
