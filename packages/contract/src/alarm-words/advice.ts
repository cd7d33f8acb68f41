import type { AlarmWords } from './en.ts';

/** What to do about an alarm. Its message, as the service writes it, says whether a string delivers anything. */
export const adviceOf = (
  { advice, adviceAtNothing }: Omit<AlarmWords, 'title'>,
  message: string,
): string =>
  adviceAtNothing !== undefined && message.includes(' delivers 0 %') ? adviceAtNothing : advice;
