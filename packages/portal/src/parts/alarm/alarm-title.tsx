import { alarmWordsOf } from '@helioport/contract/alarm-words/advice';
import { titleOf } from '@helioport/contract/alarm-words/title';
import { Suspense, type ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { sentence } from './sentence.ts';
import { texts } from './texts/index.ts';

interface AlarmTitleProps {
  readonly code: string;
  /** What is said of alarms that devices report by codes of their own. */
  readonly message: string | undefined;
}

/** What an alarm is called. */
export function useAlarmTitle(code: string, message = ''): string {
  const words = alarmWordsOf(texts.useTexts().alarms, code);
  const formats = useFormats();
  return words ? titleOf(words, message, (figure) => formats.number(figure, 0)) : sentence(message);
}

/** What is wrong, in few words; until those of the reader's language are there, a dash stands for them. */
export const AlarmTitle = (props: AlarmTitleProps): ReactNode => (
  <Suspense fallback="–">
    <Words {...props} />
  </Suspense>
);

function Words({ code, message }: AlarmTitleProps): ReactNode {
  return <bdi>{useAlarmTitle(code, message)}</bdi>;
}
