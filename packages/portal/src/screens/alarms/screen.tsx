import { Button } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page, Row } from '../../components/layout.tsx';
import { PageHeading } from '../../focus/page-heading.tsx';
import { BellIcon } from '../../parts/icons.tsx';
import { AlarmList } from './alarm-list.tsx';
import { Disconnected, useDisconnected } from './disconnected.tsx';
import { Filters } from './filters.tsx';
import { texts } from './texts/index.ts';

const route = getRouteApi('/alarms');

/** The alarms of all plants: what is wrong where, since when, and what to do about it. */
export function Screen(): ReactNode {
  const t = texts.useTexts();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const disconnected = useDisconnected(search.plant);
  const silent = (search.state ?? 'open') === 'open' ? disconnected : [];
  const change = (next: typeof search): void => void navigate({ search: next, replace: true });
  return (
    <Page>
      <Row>
        <PageHeading>{t.title}</PageHeading>
        <Button
          variant="default"
          leftSection={<BellIcon size={18} />}
          renderRoot={(props) => <Link to="/alarms/settings" {...props} />}
        >
          {t.settings}
        </Button>
      </Row>
      <Filters search={search} onChange={(next) => change({ ...next, page: undefined })} />
      <Disconnected silent={silent} />
      <AlarmList search={search} isAllHeard={silent.length === 0} onChange={change} />
    </Page>
  );
}
