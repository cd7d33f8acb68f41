import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Card, Page, Soft } from '../../../components/layout.tsx';
import { PlantHead } from '../../../parts/plants/plant-head.tsx';
import { mayInstall } from '../../../parts/plants/may-install.ts';
import { PlantFailed } from '../../../parts/plants/plant-failed.tsx';
import { Loading } from '../../../parts/states.tsx';
import { useChange, useOperation } from '../../../wire/queries.ts';
import { ManageFault } from '../fault.tsx';
import { Shared } from '../shared.tsx';
import { Created } from './created.tsx';
import { FamilyChoice } from './family-choice.tsx';
import { texts } from './texts/index.ts';

const route = getRouteApi('/plants/$id/connect');

/** How the devices of a plant are connected: what somebody has, what to switch on, and the file and token of the on-site collector. */
export function Screen(): ReactNode {
  const t = texts.useTexts();
  const { id } = route.useParams();
  const { have } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: plant, error, refetch } = useOperation('plant/show', { plantId: id });
  const create = useChange('collector/create');
  if (!plant)
    return error ? (
      <PlantFailed plantId={id} error={error} again={() => void refetch()} />
    ) : (
      <Loading />
    );
  if (!mayInstall(plant.level)) return <Shared plant={plant} />;
  return (
    <Page narrow>
      <PlantHead plant={plant} title={t.title} />
      <Card aria-label={t.title}>
        <h2>{t.title}</h2>
        <Soft>{t.lead}</Soft>
        <FamilyChoice
          value={have}
          onChange={(family) => void navigate({ search: { have: family }, replace: true })}
        />
        {have && <p>{t.first[have]}</p>}
        {have && !create.data && (
          <>
            <Soft>{t.createLead}</Soft>
            <div>
              <Button loading={create.isPending} onClick={() => create.mutate({ plantId: id })}>
                {have === 'own' ? t.createToken : t.createFile}
              </Button>
            </div>
            <ManageFault error={create.error} />
          </>
        )}
      </Card>
      {have && create.data && <Created plantId={id} family={have} collector={create.data} />}
    </Page>
  );
}
