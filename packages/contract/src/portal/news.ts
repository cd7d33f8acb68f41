/** A message of GET /portal/live: what has changed in a plant. */
export interface PortalNews {
  readonly plantId: string;
  /** What should be read again. */
  readonly changed: readonly ('readings' | 'states' | 'alarms' | 'commands')[];
  /** How far commands are. */
  readonly commands?: readonly { readonly id: string; readonly state: string }[];
}
