import type { WireData } from '@helioport/contract';
import { Tabs } from '@mantine/core';
import { getRouteApi, Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page, Section } from '../../components/layout.tsx';
import { tabsLook } from '../../components/tabs.tsx';
import { connectionIn } from '../../parts/plants/connection.ts';
import { mayInstall } from '../../parts/plants/may-install.ts';
import { PlantFailed } from '../../parts/plants/plant-failed.tsx';
import { Loading } from '../../parts/states.tsx';
import { useAccount } from '../../session/session-context.ts';
import { useOperation } from '../../wire/queries.ts';
import { DeviceAlarms } from './alarms/device-alarms.tsx';
import { OpenAlarm } from './alarms/open-alarm.tsx';
import { CommandHistory } from './commands/commands.tsx';
import type { Device } from './device.ts';
import { DeviceHead } from './device-head.tsx';
import { LinkCard } from './link/link-card.tsx';
import { History } from './history/history.tsx';
import { DeviceSettings } from './parameters/settings.tsx';
import { Readings } from './readings/readings.tsx';
import { texts } from './texts/index.ts';
import { SetUp } from './set-up/set-up.tsx';
import { TokenCard } from './token/token-card.tsx';

const route = getRouteApi('/plants/$id/devices/$deviceId');

/** One device: what it reports, what it is set to, and what was done to it. */
export function Screen(): ReactNode {
  const { id, deviceId } = route.useParams();
  const { data, error, refetch } = useOperation('device/show', { id: deviceId });
  if (!data)
    return error ? (
      <PlantFailed plantId={id} error={error} again={() => void refetch()} />
    ) : (
      <Loading />
    );
  return <DevicePage key={deviceId} {...data} />;
}

const isCollectorAway = (device: Device): boolean =>
  device.kind !== 'collector' && device.collector?.state === 'offline';

function DevicePage({ device, signalDbm, link, ...answer }: WireData<'device/show'>): ReactNode {
  const t = texts.useTexts();
  const account = useAccount();
  const { hash } = useLocation();
  const navigate = route.useNavigate();
  const { sn, plant } = device;
  const plantId = plant.id;
  const zone = plant.zone.name;
  const isOwn = plant.ownerId === account.id;
  const isInstaller = mayInstall(answer.level);
  const place = `${device.name ?? sn}, ${plant.name}`;
  const tabs = [
    [
      'readings',
      <Readings
        key="readings"
        device={device}
        zone={zone}
        connected={connectionIn(answer, zone)}
      />,
    ],
    ['history', <History key="history" device={device} zone={zone} />],
    ...(device.kind === 'inverter'
      ? ([
          [
            'settings',
            <DeviceSettings
              key="settings"
              sn={sn}
              place={place}
              plantId={plantId}
              zone={zone}
              isReachable={device.collector?.state === 'online'}
            />,
          ],
          [
            'commands',
            <CommandHistory key="commands" sn={sn} place={place} plantId={plantId} zone={zone} />,
          ],
        ] as const)
      : []),
    ['alarms', <DeviceAlarms key="alarms" sn={sn} plantId={plantId} />],
  ] as const;
  const tab = tabs.find(([name]) => name === hash)?.[0] ?? 'readings';
  const setTab = (next: string | null): void =>
    void navigate({
      search: true,
      hash: next ?? '',
      replace: true,
      resetScroll: false,
      hashScrollIntoView: false,
    });
  return (
    <Page>
      <DeviceHead device={device} signalDbm={signalDbm} zone={zone} />
      {link && <LinkCard link={link} isCollectorAway={isCollectorAway(device)} />}
      {device.kind === 'collector' && isInstaller && <TokenCard plantId={plantId} sn={sn} />}
      <Tabs unstyled value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List aria-label={t.sections} className={tabsLook}>
          {tabs.map(([name]) => (
            <Tabs.Tab key={name} value={name}>
              {t.tabs[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {/* Below the tabs, which stay where they are when it comes and goes. */}
        {tab !== 'alarms' && (
          <OpenAlarm sn={sn} plantId={plantId} zone={zone} onShow={() => setTab('alarms')} />
        )}
        {tabs.map(([name, content]) => (
          <Tabs.Panel key={name} value={name} pt="lg">
            <Section component="div">{content}</Section>
          </Tabs.Panel>
        ))}
      </Tabs>
      {isInstaller && <SetUp device={device} />}
      {isOwn && (
        <Link to="/plants/$id/settings" params={{ id: plantId }} search={{ device: sn }}>
          {t.unbind}
        </Link>
      )}
    </Page>
  );
}
