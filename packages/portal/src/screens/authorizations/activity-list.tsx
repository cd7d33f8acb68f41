import type { WireData } from '@helioport/contract';
import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Log } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { localDay } from '../../i18n/plant-time.ts';
import { useKnownPlants } from '../../parts/plants/known-plants.ts';
import { useSettingTexts } from '../../parts/settings/setting-texts.ts';
import { useAccount } from '../../session/session-context.ts';
import styles from './authorizations.module.css';
import { texts } from './texts/index.ts';

/** Something that an application did, or that was done about it. */
export type ApplicationActivity = WireData<'grant/activity'>[number];

/** So many are shown at first, and so many more each time. */
const STEP = 10;

/** How many plants are named of those that an application keeps. */
const NAMED = 10;

interface ActivityListProps {
  readonly activity: readonly ApplicationActivity[];
  /** The application's. */
  readonly name: string;
}

/** What an application did and what was done to it, day by day, each by the clock of its plant. */
export function ActivityList({ activity, name }: ActivityListProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { timeZone } = useAccount();
  const { zoneOf } = useKnownPlants();
  const [shown, setShown] = useState(STEP);
  return (
    <div className={styles.deeds}>
      {daysOf(activity.slice(0, shown), ({ plantId }) => zoneOf(plantId) ?? timeZone).map(
        ({ day, zone, its }) => (
          <section key={its[0].id}>
            <h4>
              {formats.day(day)} <small>{formats.zone(zone, its[0].at)}</small>
            </h4>
            <Log>
              {its.map((one) => (
                <li key={one.id}>
                  <time>{formats.time(one.at, zone)}</time>
                  <span>
                    <bdi>{(t.deeds[one.kind as keyof typeof t.deeds] ?? t.deeds.other)(name)}</bdi>
                    {one.left && (
                      <Left
                        {...one.left}
                        sentence={one.kind === 'grant.given' ? t.may : t.mayOnly}
                      />
                    )}
                    {one.sn !== undefined ? (
                      <Write {...one} sn={one.sn} />
                    ) : (
                      one.name !== undefined && (
                        <small>
                          <bdi>{one.name}</bdi>
                        </small>
                      )
                    )}
                  </span>
                </li>
              ))}
            </Log>
          </section>
        ),
      )}
      {activity.length > shown && (
        <Button size="xs" variant="default" onClick={() => setShown(shown + STEP)}>
          {t.more}
        </Button>
      )}
    </div>
  );
}

interface Day {
  readonly day: string;
  readonly zone: string;
  readonly its: [ApplicationActivity, ...ApplicationActivity[]];
}

/** What happened, in its order, by local day. */
function daysOf(
  activity: readonly ApplicationActivity[],
  zoneOf: (one: ApplicationActivity) => string,
): Day[] {
  const days: Day[] = [];
  for (const one of activity) {
    const zone = zoneOf(one);
    const day = localDay(one.at, zone);
    const last = days.at(-1);
    if (last?.day === day && last.zone === zone) last.its.push(one);
    else days.push({ day, zone, its: [one] });
  }
  return days;
}

/** What was written to a device, in the words of the device's page. */
function Write({
  plantId,
  sn,
  parameter,
  value,
}: ApplicationActivity & { readonly sn: string }): ReactNode {
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

/** What an application may do after a decision, and where. */
function Left({
  scopes,
  plantIds,
  sentence,
}: NonNullable<ApplicationActivity['left']> & {
  readonly sentence: (what: string, where: string) => string;
}): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { nameOf } = useKnownPlants();
  // Isolated, so that names in either direction stay in their order.
  const names = (plantIds ?? []).slice(0, NAMED).map((id) => `\u2068${nameOf(id)}\u2069`);
  const more = (plantIds?.length ?? 0) - names.length;
  const plants = more > 0 ? t.andMore(formats.list(names), more) : formats.list(names);
  const what = t.verbs[scopes.length > 1 ? 'both' : (scopes[0] as keyof typeof t.verbs)];
  return <small>{sentence(what, plantIds ? t.inPlants(plants) : t.inAllPlants)}</small>;
}
