/** The properties of a parameter that a simulated device needs. The server's profiles have this form; the program that starts a simulation passes them in. */
export interface DeviceParameter {
  /** The interface's `cid`. */
  readonly id: string;
  readonly access: 'read' | 'write';
  /** The memory cell that holds it; parameters may share one. */
  readonly cell: string;
  readonly form: SimulatedParameterForm;
  /** Versions of the display that have it, `from` inclusive, `before` exclusive; null = all. */
  readonly displayVersions: { readonly from: number | null; readonly before: number | null } | null;
}

/** The form of a parameter's values, which are always text. */
export type SimulatedParameterForm =
  | { readonly type: 'number'; readonly min: number; readonly max: number; readonly scale: number }
  | { readonly type: 'choice'; readonly options: Readonly<Record<string, string>> }
  | { readonly type: 'bits'; readonly bits: ReadonlyMap<number, string> }
  | { readonly type: 'clock' }
  | { readonly type: 'slot' }
  | { readonly type: 'slots' }
  | { readonly type: 'times' }
  | { readonly type: 'text' };

/** The parameters of a model by id. */
export type ParametersOf = (model: string) => ReadonlyMap<string, DeviceParameter>;
