import type { ConsentCounts } from '@helioport/contract';
import type { ReactNode } from 'react';
import { Card, Figures, Soft } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { texts } from './texts/index.ts';

const FIGURES = [
  'living',
  'withControl',
  'forSomePlants',
  'givenLately',
  'endedLately',
] as const satisfies readonly (keyof ConsentCounts)[];

/** How many owners have let an application in. */
export function Consents({ counts }: { readonly counts: ConsentCounts }): ReactNode {
  const t = texts.useTexts().consents;
  const formats = useFormats();
  return (
    <Card aria-labelledby="consents">
      <h2 id="consents">{t.title}</h2>
      <Soft>{t.lead}</Soft>
      <Figures>
        {FIGURES.map((figure) => (
          <div key={figure}>
            <dt>{t[figure]}</dt>
            <dd>{formats.number(counts[figure], 0)}</dd>
          </div>
        ))}
      </Figures>
    </Card>
  );
}
