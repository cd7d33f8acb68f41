import type { AlarmWords } from './en.ts';

/** Who reads an advice: an installer is not told to call the installer. */
export type AdviceReader = 'owner' | 'installer';

/** The words of an alarm of the service; undefined of a device’s own code, whatever that is. */
export const alarmWordsOf = <Words>(
  alarms: Readonly<Record<string, Words>>,
  code: string,
): Words | undefined => (Object.hasOwn(alarms, code) ? alarms[code] : undefined);

/** What to do about an alarm. Its message, as the service writes it, says whether a string delivers anything. */
export function adviceOf(
  { advice, adviceAtNothing }: Omit<AlarmWords, 'title'>,
  message: string,
  reader: AdviceReader = 'owner',
): string {
  const text =
    adviceAtNothing !== undefined && message.includes(' delivers 0 %') ? adviceAtNothing : advice;
  return reader === 'owner' ? text.replaceAll(/[[\]]/g, '') : withoutOwners(text);
}

/** What an advice says to everybody: the rest of a sentence ends it, or begins the next one. */
const withoutOwners = (text: string): string =>
  text
    .replace(/(?:; | ?；)\[[^[\]]*\](.)/u, (_, next: string) =>
      /\p{Script=Han}/u.test(next) ? `。${next}` : `. ${next.toUpperCase()}`,
    )
    .replace(
      /(^|[.。] ?)\[[^[\]]*\](.)/u,
      (_, before: string, next: string) => before + next.toUpperCase(),
    )
    .replace(/ ?\[[^[\]]*\](?=[.。])/u, '')
    .replace(/\[[^[\]]*\]/u, '');
