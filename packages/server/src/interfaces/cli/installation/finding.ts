/** The finding of a check of `helioport doctor`. */
export interface Finding {
  readonly state: 'ok' | 'warning' | 'fault';
  readonly text: string;
}

export const ok = (text: string): Finding => ({ state: 'ok', text });
export const warning = (text: string): Finding => ({ state: 'warning', text });
export const fault = (text: string): Finding => ({ state: 'fault', text });
