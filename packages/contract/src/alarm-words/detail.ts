import type { AlarmWords } from './en.ts';

/** What was measured, in words: with the figures of the message, as the service writes it. undefined if there is nothing to add to the title, or if the message has other figures. */
export function detailOf({ detail = '' }: Pick<AlarmWords, 'detail'>, message: string, write: (figure: number) => string): string | undefined {
  const figures = message.match(/\d+(?:\.\d+)?/g) ?? [];
  const places = detail.match(/\{\d\}/g) ?? [];
  if (places.length === 0 || places.length !== figures.length) return undefined;
  return detail.replaceAll(/\{(\d)\}/g, (_, place: string) => write(Number(figures[Number(place)])));
}
