import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { localDay } from '../../i18n/plant-time.ts';
import { useKnownPlants } from '../../parts/plants/known-plants.ts';
import { useSettingTexts } from '../../parts/settings/setting-texts.ts';
import { useAccount } from '../../session/session-context.ts';
import styles from './authorizations.module.css';
import type { Deed } from './deeds.ts';
import { texts } from './texts/index.ts';

/** Enough to see what goes on; everything is in the audit trail. */
const SHOWN = 50;

/** How many plants are named of those that an application keeps. */
const NAMED = 10;

/** What an application did and what was done to it, day by day, by the clock of the account like the rest of the page. */
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
            {its.map((deed) => (
              <li key={deed.id}>
                <time>{formats.time(deed.at, timeZone)}</time>
                <span>
                  {t.deeds[deed.kind as keyof typeof t.deeds] ?? t.deeds.other}
                  {deed.left && <Left {...deed.left} may={deed.kind === 'grant.given' ? t.may : t.mayStill} />}
                  {deed.sn !== undefined ? (
                    <Write {...deed} sn={deed.sn} />
                  ) : (
                    deed.name !== undefined && (
                      <small>
                        <bdi>{deed.name}</bdi>
                      </small>
                    )
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

/** What was written to a device, in the words of the device's page. */
function Write({ plantId, sn, parameter, value }: Deed & { readonly sn: string }): ReactNode {
  const words = useSettingTexts(sn);
  const { nameOf } = useKnownPlants();
  return (
    <small>
      {plantId !== undefined && (
        <>
          <bdi>{nameOf(plantId)}</bdi>
          {' · '}
        </>
      )}
      <bdi>{sn}</bdi>
      {parameter !== undefined && (
        <>
          {' · '}
          <bdi>{words.nameOf(parameter)}</bdi>
          {value !== undefined && ' → '}
          {value !== undefined && <bdi>{words.valueOf(parameter, value)}</bdi>}
        </>
      )}
    </small>
  );
}

/** What an application may do after a decision. */
function Left({ scopes, plantIds, may }: NonNullable<Deed['left']> & { readonly may: string }): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { nameOf } = useKnownPlants();
  // Isolated, so that names in either direction stay in their order.
  const names = (plantIds ?? []).slice(0, NAMED).map((id) => `\u2068${nameOf(id)}\u2069`);
  const more = (plantIds?.length ?? 0) - names.length;
  const plants = more > 0 ? t.andMore(formats.list(names), more) : formats.list(names);
  return (
    <>
      <small>
        {may}: {formats.list(scopes.map((scope) => t.scopes[scope as keyof typeof t.scopes] ?? scope))}
      </small>
      <small>
        {t.plants}: {plantIds ? plants : t.allPlants}
      </small>
    </>
  );
}
