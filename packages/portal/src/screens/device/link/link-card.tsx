import type { ReactNode } from 'react';
import { Card, Facts, Note, Section, Soft } from '../../../components/layout.tsx';
import { useFormats } from '../../../i18n/formats.ts';
import { knownWordsOf } from '../../../i18n/known-words.ts';
import { isModbus, LinkWay, type DeviceLink } from '../../../parts/link/link-way.tsx';
import { texts } from '../../../parts/link/texts/index.ts';
import { Notice } from '../../../parts/notice.tsx';
import styles from '../device.module.css';

const COUNTERS = ['timeouts', 'strays', 'reconnects', 'droppedValues'] as const;

interface LinkCardProps {
  readonly link: DeviceLink;
  /** Whether the collector that said so is offline. */
  readonly isCollectorAway: boolean;
}

/** How the collector reaches a device, how well, and what to do if it is silent. It is open if something is to be done. */
export function LinkCard({ link, isCollectorAway }: LinkCardProps): ReactNode {
  const t = texts.useTexts();
  const { via, state, readOnly } = link;
  return (
    <Card aria-label={t.title}>
      <details className={styles.link} open={state === 'silent' || isCollectorAway}>
        <summary>
          <strong>{t.title}</strong>
          <Note component="span">
            <LinkWay link={link} />
          </Note>
        </summary>
        <Section component="div">
          {isCollectorAway ? (
            <Notice kind="warn" title={t.doAbout}>
              <p>{t.collectorAway}</p>
            </Notice>
          ) : (
            <p>{t.states[state]}</p>
          )}
          {state === 'silent' && !isCollectorAway && <Advice via={via} />}
          {readOnly && isModbus(via) && <Soft>{t.readOnlyLead}</Soft>}
          {via !== 'push' && <Counters link={link} />}
        </Section>
      </details>
    </Card>
  );
}

function Advice({ via }: Pick<DeviceLink, 'via'>): ReactNode {
  const t = texts.useTexts();
  const own = knownWordsOf(t.steps, via) ?? [];
  return (
    <Notice kind="warn" title={t.doAbout}>
      <ul>
        {[...own, ...t.generalSteps].map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ul>
    </Notice>
  );
}

function Counters({ link }: Pick<LinkCardProps, 'link'>): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  return (
    <div>
      <Note component="span">{t.counters}</Note>
      <Facts across>
        {COUNTERS.map((name) => (
          <div key={name}>
            <dt>{t[name]}</dt>
            <dd>{formats.number(link[name], 0)}</dd>
          </div>
        ))}
      </Facts>
    </div>
  );
}
