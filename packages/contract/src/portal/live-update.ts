/** A message of GET /portal/live: what should be read again. */
export type LiveUpdate =
  | PlantUpdate
  | { readonly plantId?: undefined; readonly changed: readonly 'invitations'[] };

/** What has changed in a plant. */
export interface PlantUpdate {
  readonly plantId: string;
  /** What should be read again. */
  readonly changed: readonly ('readings' | 'states' | 'alarms' | 'commands')[];
  /** How far commands are. */
  readonly commands?: readonly { readonly id: string; readonly state: string }[];
}
