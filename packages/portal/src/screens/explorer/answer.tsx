import type { ReactNode } from 'react';
import { Card, Code } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { texts } from './texts/index.ts';
import type { Answered } from './use-sending.ts';

/** More makes a browser slow, and nobody reads it. */
const SHOWN_CHARACTERS = 100_000;

/** The envelope that the server answered with. */
export function Answer({
  answered: { envelope, tookMs },
}: {
  readonly answered: Answered;
}): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const text = JSON.stringify(envelope, null, 2);
  return (
    <Card aria-labelledby="answer">
      <h2 id="answer">{t.answer}</h2>
      <p role="status" data-success={envelope.success}>
        <code>{envelope.code}</code> <bdi>{envelope.msg}</bdi>{' '}
        <small>{t.took(formats.number(tookMs, 0))}</small>
      </p>
      {text.length > SHOWN_CHARACTERS && <p>{t.cut}</p>}
      <Code>{text.slice(0, SHOWN_CHARACTERS)}</Code>
    </Card>
  );
}
