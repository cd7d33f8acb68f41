import type { AlarmWords } from './en.ts';

/** What was measured, in words: with the figures of the message, as the service writes it. undefined if there is nothing to add to the title, or if the message has other figures. */
export const detailOf = (
  { detail }: Pick<AlarmWords, 'detail'>,
  message: string,
  write: (figure: number) => string,
): string | undefined => (detail === undefined ? undefined : fill(detail, message, write));

/** A text with the figures of a message in their places; undefined if the message has too few. */
export function fill(
  text: string,
  message: string,
  write: (figure: number) => string,
): string | undefined {
  const figures = message.match(/\d+(?:\.\d+)?/g) ?? [];
  const places = [...text.matchAll(/\{(\d)\}/g)].map(([, place]) => Number(place));
  if (places.some((place) => figures[place] === undefined)) return undefined;
  return text.replaceAll(/\{(\d)\}/g, (_, place: string) => write(Number(figures[Number(place)])));
}
