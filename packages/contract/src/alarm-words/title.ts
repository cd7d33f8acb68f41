import { fill } from './detail.ts';
import type { AlarmWords } from './en.ts';

/** What is wrong, with the figures of the message, as the service writes it, where the title has room for them. */
export function titleOf(
  { title, titleMeasured, titleAtNothing }: AlarmWords,
  message: string,
  write: (figure: number) => string,
): string {
  const measured = message.includes(' delivers 0 %') ? titleAtNothing : titleMeasured;
  return (measured && fill(measured, message, write)) ?? title;
}
