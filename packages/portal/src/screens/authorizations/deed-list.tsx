import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { localDay } from '../../i18n/plant-time.ts';
import { useAccount } from '../../session/session-context.ts';
import styles from './authorizations.module.css';
import type { Deed } from './deeds.ts';
import { texts } from './texts/index.ts';

/** Enough to see what goes on; everything is in the audit trail. */
const SHOWN = 50;

/** What an application did, day by day. */
export function DeedList({ deeds }: { readonly deeds: readonly Deed[] }): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { timeZone } = useAccount();
  const days = Map.groupBy(deeds.slice(0, SHOWN), ({ at }) => localDay(at, timeZone));
  return (
    <div className={styles.deeds}>
      {[...days].map(([day, its]) => (
        <section key={day}>
          <h4>{formats.day(day)}</h4>
          <ul>
            {its.map(({ id, at, kind, sn, parameter, value, name }) => (
              <li key={id}>
                <time>{formats.time(at, timeZone)}</time>
                <span>
                  {t.deeds[kind as keyof typeof t.deeds] ?? t.deeds.other}
                  {sn && (
                    <small>
                      <bdi>{sn}</bdi>
                      {parameter && ` · ${parameter}`}
                      {value !== undefined && ` → ${value}`}
                    </small>
                  )}
                  {!sn && name && (
                    <small>
                      <bdi>{name}</bdi>
                    </small>
                  )}
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
