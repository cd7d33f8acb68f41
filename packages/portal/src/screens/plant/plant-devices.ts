import { stateOf, type State } from '../../parts/state-badge.tsx';
import { inWatts } from '../../wire/amounts.ts';
import { useOperation } from '../../wire/queries.ts';

export type DeviceKind = 'inverter' | 'collector' | 'epm' | 'weather';

/** A device in the list of a plant. */
export interface PlantDevice {
  readonly id: string;
  readonly kind: DeviceKind;
  readonly name: string | undefined;
  readonly sn: string;
  readonly model: string | undefined;
  readonly state: State;
  readonly watts?: number | undefined;
  readonly dayKwh?: number | undefined;
}

interface ListedDevice {
  readonly id?: string;
  readonly name?: string;
  readonly sn?: string;
  readonly model?: string;
  readonly state?: number;
}

/** The first devices of each kind; a plant with more of them has a page for its devices. */
const EACH = 50;

const deviceOf = (kind: DeviceKind, { id, name, sn, model, state }: ListedDevice): PlantDevice => ({
  id: id!,
  kind,
  name,
  sn: sn!,
  model,
  state: stateOf(state),
});

/** The devices of a plant, of all kinds, and how many there are. */
export function usePlantDevices(stationId: string): { readonly devices: readonly PlantDevice[] | undefined; readonly total: number; readonly error: unknown } {
  const asked = { stationId, pageNo: 1, pageSize: EACH };
  const inverters = useOperation('inverterList', asked);
  const collectors = useOperation('collectorList', asked);
  const epms = useOperation('epmList', asked);
  const stations = useOperation('weatherList', asked);
  const error = inverters.error ?? collectors.error ?? epms.error ?? stations.error;
  if (!inverters.data || !collectors.data || !epms.data || !stations.data) return { devices: undefined, total: 0, error };
  const pages = [inverters.data.page, collectors.data.page, epms.data.page, stations.data.page];
  return {
    error: null,
    total: pages.reduce((total, page) => total + page.total, 0),
    devices: [
      ...inverters.data.page.records.map((one) => ({ ...deviceOf('inverter', one), watts: inWatts(one.pac), dayKwh: one.etoday })),
      ...collectors.data.page.records.map((one) => deviceOf('collector', one)),
      ...epms.data.page.records.map((one) => deviceOf('epm', one)),
      ...stations.data.page.records.map((one) => deviceOf('weather', one)),
    ],
  };
}
