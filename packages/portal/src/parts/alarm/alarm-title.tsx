import { Suspense, type ReactNode } from 'react';
import { sentence } from './sentence.ts';
import { texts } from './texts/index.ts';

interface AlarmTitleProps {
  readonly code: string;
  /** What is said of alarms that devices report by codes of their own. */
  readonly message: string | undefined;
}

/** What is wrong, in few words; until those of the reader's language are there, a dash stands for them. */
export const AlarmTitle = (props: AlarmTitleProps): ReactNode => (
  <Suspense fallback="–">
    <Words {...props} />
  </Suspense>
);

function Words({ code, message }: AlarmTitleProps): ReactNode {
  const { alarms } = texts.useTexts();
  return <bdi>{alarms[code]?.title ?? sentence(message ?? '')}</bdi>;
}
