import type { ReactNode } from 'react';
import { useFormats } from '../../../i18n/formats.ts';
import cards from '../../../parts/cards.module.css';
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
    <section className={cards.card} aria-label={t.title}>
      <details className={styles.link} open={state === 'silent' || isCollectorAway}>
        <summary>
          <strong>{t.title}</strong>
          <span className={cards.soft}>
            <LinkWay link={link} />
          </span>
        </summary>
        <div className={styles.linkBody}>
          {isCollectorAway ? (
            <Notice kind="warn" title={t.doAbout}>
              <p>{t.collectorAway}</p>
            </Notice>
          ) : (
            <p>{t.states[state]}</p>
          )}
          {state === 'silent' && !isCollectorAway && <Advice via={via} />}
          {readOnly && isModbus(via) && <p className={cards.lead}>{t.readOnlyLead}</p>}
          {via !== 'push' && <Counters link={link} />}
        </div>
      </details>
    </section>
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
      <span className={cards.soft}>{t.counters}</span>
      <dl className={styles.facts}>
        {COUNTERS.map((name) => (
          <div key={name}>
            <dt>{t[name]}</dt>
            <dd>{formats.number(link[name], 0)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
