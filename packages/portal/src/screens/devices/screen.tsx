import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page, Row } from '../../components/layout.tsx';
import { PlantHead } from '../../parts/plants/plant-head.tsx';
import { PlantFailed } from '../../parts/plants/plant-failed.tsx';
import { Loading } from '../../parts/states.tsx';
import { useAccount } from '../../session/session-context.ts';
import { useOperation } from '../../wire/queries.ts';
import { DeviceList } from './device-list.tsx';
import { texts } from './texts/index.ts';

const route = getRouteApi('/plants/$id/devices');

/** All devices of a plant: which of them needs looking at, and how they compare. */
export function Screen(): ReactNode {
  const t = texts.useTexts();
  const account = useAccount();
  const { id } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: plant, error, refetch } = useOperation('plant/show', { plantId: id });
  if (!plant)
    return error ? (
      <PlantFailed plantId={id} error={error} again={() => void refetch()} />
    ) : (
      <Loading />
    );
  return (
    <Page>
      <PlantHead plant={plant} page="devices" />
      <Row>
        <h2>{t.title}</h2>
        {plant.ownerId === account.id && (
          <Link to="/plants/$id/settings" params={{ id }} search={{ device: '' }}>
            {t.manage}
          </Link>
        )}
      </Row>
      <DeviceList
        plantId={id}
        zone={plant.zone.name}
        search={search}
        onChange={(next) => void navigate({ search: next, replace: true })}
      />
    </Page>
  );
}
