import { getRouteApi } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Page } from '../../components/layout.tsx';
import { PlantHead } from '../../parts/plants/plant-head.tsx';
import { PlantFailed } from '../../parts/plants/plant-failed.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { useAccount } from '../../session/session-context.ts';
import { useOperation } from '../../wire/queries.ts';
import { Archive } from './archive.tsx';
import { Arrays } from './arrays/arrays.tsx';
import { Binding } from './binding.tsx';
import { PlantDetails } from './details.tsx';
import { Installation } from './installation.tsx';
import { HandOver } from './hand-over.tsx';
import { PlantPeople } from './people.tsx';
import { ReadingsKept } from './readings-kept.tsx';
import { Sections } from './sections.tsx';
import { Shared } from './shared.tsx';
import { Tariffs } from './prices/tariffs.tsx';

const route = getRouteApi('/plants/$id/settings');

/** What the owner of a plant decides about it. */
export function Screen(): ReactNode {
  const { id } = route.useParams();
  const { device, bind = false } = route.useSearch();
  const account = useAccount();
  const [round, setRound] = useState(0);
  const { data: plant, error, refetch } = useOperation('plant/show', { plantId: id });
  const places = useOperation('plant/positions', { plantId: id });
  if (!plant)
    return error ? (
      <PlantFailed plantId={id} error={error} again={() => void refetch()} />
    ) : (
      <Loading />
    );
  if (plant.level === 'install') return <Installation key={id} plant={plant} />;
  if (!places.data)
    return places.error ? (
      <Failed error={places.error} again={() => void places.refetch()} />
    ) : (
      <Loading />
    );
  if (plant.ownerId !== account.id) return <Shared plant={plant} />;
  const again = (): void =>
    void Promise.all([refetch(), places.refetch()]).then(() => setRound((last) => last + 1));
  return (
    <Page narrow>
      <PlantHead plant={plant} page="settings" />
      <Sections />
      <PlantDetails key={`${id} ${round}`} plant={plant} place={places.data[0]} onAgain={again} />
      <Arrays key={`arrays ${id}`} plantId={id} capacityKwp={plant.capacityKwp} />
      <Tariffs plantId={id} zone={plant.zone.name} currency={plant.currency} />
      <PlantPeople plantId={id} zone={plant.zone.name} />
      <Binding key={device} plantId={id} device={device} toBind={bind} />
      <ReadingsKept
        key={`kept ${id} ${plant.readingRetention} ${plant.readingThinning}`}
        plant={plant}
      />
      <HandOver plantId={id} zone={plant.zone.name} />
      <Archive plantId={id} />
    </Page>
  );
}
