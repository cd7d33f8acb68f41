import { getRouteApi, Link } from '@tanstack/react-router';
import { useRef, type ReactNode } from 'react';
import { Page } from '../../components/layout.tsx';
import { localDay } from '../../i18n/plant-time.ts';
import { connectionIn, isLive } from '../../parts/plants/connection.ts';
import { mayInstall } from '../../parts/plants/may-install.ts';
import { PlantHead } from '../../parts/plants/plant-head.tsx';
import { PlantFailed } from '../../parts/plants/plant-failed.tsx';
import { Loading } from '../../parts/states.tsx';
import { useSession } from '../../session/session-context.ts';
import { useOperation } from '../../wire/queries.ts';
import { serverNow } from '../../wire/server-clock.ts';
import { Alarms } from './alarms.tsx';
import { DayCurve } from './curve/day-curve.tsx';
import { EnergyHistory } from './energy/energy-history.tsx';
import { recordStartOf } from './energy/record-start.ts';
import { ConnectionCard } from './connection-card.tsx';
import { CurrentFigures } from './current-figures.tsx';
import { LossHistory } from './losses/loss-history.tsx';
import { OpenOfferNote } from './open-offer-note.tsx';
import { PowerLimits } from './power-limits.tsx';
import styles from './screen.module.css';
import type { PlantSearch } from './search.ts';
import { texts } from './texts/index.ts';
import { Weather } from './weather.tsx';

const route = getRouteApi('/plants/$id');

/** A plant: what it does now, what it produced and earned, and what needs looking at. */
export function Screen(): ReactNode {
  const t = texts.useTexts();
  const { id } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const curve = useRef<HTMLDivElement>(null);
  const { session } = useSession();
  const { data: plant, error, refetch } = useOperation('plant/show', { plantId: id });
  if (!plant)
    return error ? (
      <PlantFailed plantId={id} error={error} again={() => void refetch()} />
    ) : (
      <Loading heights={[6, 1.5, 22, 29, 26]} />
    );
  const zone = plant.zone.name;
  const today = localDay(serverNow(), zone);
  const record = recordStartOf(plant, today);
  const isOwner = session?.account?.id === plant.ownerId;
  const connected = connectionIn(plant, zone);
  const choose = (chosen: PlantSearch): void =>
    void navigate({ search: { ...search, ...chosen }, replace: true, resetScroll: false });
  const showDay = (shown: string): void => {
    const day = shown === today ? undefined : shown;
    void navigate({ search: { ...search, day, at: undefined }, resetScroll: false });
    curve.current?.focus({ preventScroll: true });
    curve.current?.scrollIntoView();
  };
  return (
    <Page>
      <PlantHead plant={plant} />
      <Alarms
        plantId={id}
        silent={
          isLive(connected) ? (plant.inverterCount ?? 0) - (plant.onlineInverterCount ?? 0) : 0
        }
        areReporting={
          (isLive(connected) || connected.connection === 'resting') &&
          (plant.onlineInverterCount === plant.inverterCount || connected.connection === 'resting')
        }
      />
      {isOwner && <OpenOfferNote plantId={id} zone={zone} />}
      <ConnectionCard plantId={id} connected={connected} isOwner={mayInstall(plant.level)} />
      <PowerLimits plantId={id} zone={zone} />
      <CurrentFigures plant={plant} connected={connected} today={today} record={record} />
      <div ref={curve} className={styles.curve} tabIndex={-1}>
        <DayCurve
          plantId={id}
          plantName={plant.name}
          zone={zone}
          chosen={search}
          onChoose={(next) =>
            choose({ at: next.day === search.day ? search.at : undefined, ...next })
          }
        />
      </div>
      <EnergyHistory
        plantId={id}
        plantName={plant.name}
        zone={zone}
        currency={plant.currency}
        record={record}
        chosen={search}
        onChoose={choose}
        onDay={showDay}
      />
      <LossHistory
        plantId={id}
        plantName={plant.name}
        zone={zone}
        chosen={search}
        onChoose={choose}
        onDay={showDay}
      />
      <p>
        <Link to="/plants/$id/report" params={{ id }}>
          {t.report}
        </Link>
      </p>
      <Weather plant={plant} />
    </Page>
  );
}
