/** What a simulated device has to know about one of its settings. The profiles of the server fit; whoever starts a simulation hands them over. */
export interface DeviceParameter {
  /** Its number on the wire. */
  readonly id: string;
  readonly access: 'read' | 'write';
  /** The memory that holds it; parameters may share one. */
  readonly cell: string;
  readonly form: ParameterForm;
  /** Versions of the display that have it, `from` inclusive, `before` exclusive; null = all. */
  readonly displayVersions: { readonly from: number | null; readonly before: number | null } | null;
}

/** The form of its values, which are text. */
export type ParameterForm =
  | { readonly type: 'number'; readonly min: number; readonly max: number; readonly scale: number }
  | { readonly type: 'choice'; readonly options: Readonly<Record<string, string>> }
  | { readonly type: 'bits'; readonly bits: ReadonlyMap<number, string> }
  | { readonly type: 'clock' }
  | { readonly type: 'slot' }
  | { readonly type: 'slots' }
  | { readonly type: 'text' };

/** The parameters that the devices of a model have, by number. */
export type ParametersOf = (model: string) => ReadonlyMap<string, DeviceParameter>;
