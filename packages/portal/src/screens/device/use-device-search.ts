import { getRouteApi } from '@tanstack/react-router';
import type { DeviceSearch } from './search.ts';

const route = getRouteApi('/plants/$id/devices/$deviceId');

/** What the address of a device says of its tabs, and how that is changed: the page stays where it is, and at its tab. */
export function useDeviceSearch(): [DeviceSearch, (next: DeviceSearch) => void] {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: DeviceSearch): void =>
    void navigate({
      search: { ...search, ...next },
      hash: true,
      replace: true,
      resetScroll: false,
    });
  return [search, change];
}
