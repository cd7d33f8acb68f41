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

/** What an application did, day by day: in plants by their clock, as on the pages of their devices. */
export function DeedList({ deeds }: { readonly deeds: readonly Deed[] }): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { timeZone } = useAccount();
  const { zoneOf } = useKnownPlants();
  const zoneOfDeed = ({ plantId }: Deed): string => zoneOf(plantId) ?? timeZone;
  const days = Map.groupBy(deeds.slice(0, SHOWN), (deed) => `${localDay(deed.at, zoneOfDeed(deed))} ${zoneOfDeed(deed)}`);
  return (
    <div className={styles.deeds}>
      {[...days].map(([key, its]) => {
        const zone = zoneOfDeed(its[0]!);
        return (
          <section key={key}>
            <h4>
              {formats.day(localDay(its[0]!.at, zone))} <small>{formats.zone(zone, its[0]!.at)}</small>
            </h4>
            <ul>
              {its.map((deed) => (
                <li key={deed.id}>
                  <time>{formats.time(deed.at, zone)}</time>
                  <span>
                    {t.deeds[deed.kind as keyof typeof t.deeds] ?? t.deeds.other}
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
        );
      })}
    </div>
  );
}

/** What was written to a device, in the words of the device's page. */
function Write({ sn, parameter, value }: Deed & { readonly sn: string }): ReactNode {
  const words = useSettingTexts(sn);
  return (
    <small>
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
