import type { ReactNode } from 'react';
import { useFormats } from '../../../i18n/formats.ts';
import cards from '../../../parts/cards.module.css';
import { LinkWay, type DeviceLink } from '../../../parts/link/link-way.tsx';
import { texts } from '../../../parts/link/texts/index.ts';
import { Notice } from '../../../parts/notice.tsx';
import styles from '../device.module.css';

const COUNTERS = ['timeouts', 'strays', 'reconnects', 'droppedValues'] as const;

/** How the collector reaches a device, how well, and what to do if it is silent. */
export function LinkCard({ link }: { readonly link: DeviceLink }): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { via, state, readOnly } = link;
  return (
    <section className={cards.card} aria-label={t.title}>
      <h2>{t.title}</h2>
      <div>
        <LinkWay link={link} />
        <span className={cards.soft}>{t.states[state]}</span>
      </div>
      {readOnly && via !== 'push' && <p className={cards.lead}>{t.readOnlyLead}</p>}
      {state === 'silent' && (
        <Notice kind="warn" title={t.doAbout}>
          <ul>
            {[...(Object.hasOwn(t.steps, via) ? t.steps[via]! : []), ...t.generalSteps].map(
              (step) => (
                <li key={step}>{step}</li>
              ),
            )}
          </ul>
        </Notice>
      )}
      {via !== 'push' && (
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
      )}
    </section>
  );
}
