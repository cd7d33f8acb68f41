import type { WireData } from '@helioport/contract';
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { call } from '../../wire/call.ts';
import { CallFailure } from '../../wire/failure.ts';

const detailOf = {
  inverter: 'inverterDetail',
  collector: 'collectorDetail',
  epm: 'epmDetail',
  ammeter: 'ammeterDetail',
  weather: 'weatherDetail',
} as const;

export type DeviceKind = keyof typeof detailOf;
export type DeviceRecord<Kind extends DeviceKind> = WireData<(typeof detailOf)[Kind]>;

/** A device of any kind with its latest readings. */
export type Device = {
  readonly [Kind in DeviceKind]: { readonly kind: Kind; readonly record: DeviceRecord<Kind> };
}[DeviceKind];

/** A device of another kind is answered like an unknown one. */
const isOtherKind = (error: unknown): boolean =>
  error instanceof CallFailure && (error.code === 'R0000' || error.code === 'B0049');

/** A device by its id. Its address does not say of which kind it is, so the kinds are tried in turn, the most frequent first; later only the right one. */
export function useDevice(id: string): UseQueryResult<Device> {
  const client = useQueryClient();
  const queryKey = ['device', { deviceId: id }];
  return useQuery<Device>({
    queryKey,
    async queryFn({ signal }) {
      const known = client.getQueryData<Device>(queryKey)?.kind;
      const kinds = known ? [known] : (Object.keys(detailOf) as DeviceKind[]);
      let refusal: unknown;
      for (const kind of kinds) {
        try {
          return { kind, record: await call(detailOf[kind], { id }, signal) } as Device;
        } catch (error) {
          if (!isOtherKind(error)) throw error;
          refusal ??= error;
        }
      }
      throw refusal;
    },
  });
}
